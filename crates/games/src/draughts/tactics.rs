//! What a search should know: captures are forced, so a position with one to make is not quiet.

use super::position::Draughts;
use ludus_core::Tactics;

impl Tactics for Draughts {}
