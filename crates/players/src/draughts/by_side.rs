//! Players of English draughts with a search for each side, because a model sees the board from its own.

use crate::common::search_player::{self, PlayerSearch};
use ludus_core::{History, Limits, PlayerError, Report, SearchControl, TextError};
use ludus_games::draughts::{Draughts, DraughtsMove, Rules};
use ludus_search::{Recording, Search};

/// Default depth in plies: the one the players were trained with (the papers give none).
pub const DEFAULT_DEPTH: u32 = 4;

/// The searches of a player, made when they are needed.
pub trait SideSearches: Send {
    /// A search for one side.
    type SideSearch: Search<Draughts>;

    /// The search for the side to move.
    fn to_move(&mut self, game: &History<Draughts>) -> &mut Self::SideSearch;

    /// Drops all searches.
    fn forget(&mut self);
}

/// A search by the search of the side to move. It knows the English rules, which the features are made for.
pub struct BySide<S>(pub S);

impl<S: SideSearches> Search<Draughts> for BySide<S> {
    /// Forgets the game before; nothing here is random.
    fn new_game(&mut self, _seed: u64) {
        self.0.forget();
    }

    fn search(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, DraughtsMove>,
    ) -> Report<DraughtsMove> {
        let report = self.0.to_move(game).search(game, limits, lines, control);
        (control.on_report)(&report);
        report
    }

    fn trace(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        size: usize,
        control: &mut SearchControl<'_, DraughtsMove>,
    ) -> (Report<DraughtsMove>, Recording<DraughtsMove>) {
        let (report, recording) = self.0.to_move(game).trace(game, limits, size, control);
        (control.on_report)(&report);
        (report, recording)
    }
}

impl<S: SideSearches> PlayerSearch<Draughts> for BySide<S> {
    fn check(&self, game: &History<Draughts>) -> Result<(), PlayerError> {
        let rules = game.last().rules();
        if rules != Rules::English {
            let expected = "English draughts, the only one it knows";
            return Err(TextError::whole("rules", rules.name(), expected).into());
        }
        search_player::check_not_over(game)
    }

    fn limits_of_move(&self, limits: Limits) -> Limits {
        if limits == Limits::default() {
            return Limits { depth: Some(DEFAULT_DEPTH), ..limits };
        }
        limits
    }
}
