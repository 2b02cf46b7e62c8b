//! Players of English draughts with a search for each side, because a model sees the board from its own.

use crate::common::search_player::{self, PlayerSearch};
use ludus_core::{History, Limits, PlayerError, Report, SearchControl, TextError};
use ludus_games::draughts::{Draughts, DraughtsMove, Rules};
use ludus_search::{Search, SearchOutput};

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
    type Trace = <S::SideSearch as Search<Draughts>>::Trace;

    /// Forgets the game before; nothing here is random.
    fn new_game(&mut self, _seed: u64) {
        self.0.forget();
    }

    fn run(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        output: SearchOutput<'_, Self::Trace>,
        control: &mut SearchControl<'_, DraughtsMove>,
    ) -> Report<DraughtsMove> {
        let report = self.0.to_move(game).run(game, limits, output, control);
        (control.on_report)(&report);
        report
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
