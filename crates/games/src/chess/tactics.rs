//! What a search should know: captures, promotions, checks, exchanges.

use super::position::Chess;
use ludus_core::Tactics;

impl Tactics for Chess {}
