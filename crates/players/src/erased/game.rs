//! A game with its type erased.

use super::{
    Analysis, AnalysisControl, Board, BoardPlayer, TraceDocument, analysis,
    board::TypedBoard,
    measure::Measure,
    player::{self, TypedPlayer},
};
use crate::{Endgames, Identity, Resources, Roster, identity, records};
use ludus_core::{
    Evaluator, HandcraftedEval, HasEval, History, OptionSpec, Options, PlayerError, Score, Side,
    TextError, eval::EvalPart,
};
use ludus_formats::{Format, Record};
use std::marker::PhantomData;

/// A game with its type erased.
pub trait Game: Sync {
    /// The name on the command line.
    fn id(&self) -> &'static str;
    /// The display name.
    fn name(&self) -> &'static str;
    /// A one-line description.
    fn about(&self) -> &'static str;
    /// Its options.
    fn options(&self) -> &'static [OptionSpec];
    /// Its players: name, one-line description, options.
    fn players(&self) -> Vec<(&'static str, &'static str, &'static [OptionSpec])>;
    /// The players whose search can be traced.
    fn traced_players(&self) -> Vec<&'static str>;
    /// Sets up the board, at the start or at the position given as text.
    fn open(&self, options: &Options, position: Option<&str>) -> Result<Box<dyn Board>, TextError>;
    /// The file format of its records.
    fn record_format(&self) -> Format;
    /// The options of a record in the game's own format; `None` if it is of another game.
    fn options_of_record(&self, record: &Record) -> Result<Option<Options>, TextError>;
    /// Sets up the board as the main line of `record` leaves it, every move checked.
    fn open_record(&self, options: &Options, record: &Record) -> Result<Box<dyn Board>, TextError>;
    /// `record` with every move of every line checked, rewritten for `format` (`None`: JSON), and the
    /// side that makes the first move.
    fn translate(
        &self,
        options: &Options,
        record: &Record,
        format: Option<Format>,
    ) -> Result<(Record, Side), TextError>;
    /// Builds `player`, such as `minimax:depth=3`.
    fn player(
        &self,
        player: &str,
        resources: &Resources,
    ) -> Result<Box<dyn BoardPlayer>, PlayerError>;
    /// Makes a fresh `player` choose a move on `board` on one thread, and records at most `size` nodes
    /// or simulations.
    fn trace(
        &self,
        board: &dyn Board,
        player: &str,
        size: usize,
        resources: &Resources,
        control: &mut AnalysisControl<'_>,
    ) -> Result<(Analysis, TraceDocument), PlayerError>;
    /// The identity of `player`. An external engine is started once, to ask its name.
    ///
    /// # Errors
    /// If `player` names no player of this game, or a file that cannot be read.
    fn identify(&self, player: &str, resources: &Resources) -> Result<Identity, PlayerError>;
    /// The terms of the handcrafted evaluation of a position.
    fn explain(
        &self,
        options: &Options,
        position: Option<&str>,
    ) -> Result<EvalExplanation, TextError>;
    /// Its endgame tables, if the game can have them.
    fn endgames(&self) -> Option<&'static dyn Endgames>;
    /// A score as players of this game write it.
    fn score_words(&self, score: Score) -> String;
    /// Measurements of its speed.
    fn measure(&self) -> &dyn Measure;
}

impl dyn Game {
    /// Checks that `player` names a player of this game with valid options by building it, so that
    /// data it builds on first use is there afterwards.
    pub fn check_player(&self, player: &str, resources: &Resources) -> Result<(), PlayerError> {
        self.player(player, resources).map(drop)
    }
}

/// A handcrafted evaluation in parts.
pub struct EvalExplanation {
    /// The parts, outermost first.
    pub parts: Vec<EvalPart>,
    /// The total, for the side to move.
    pub score: Score,
}

/// The one implementation of [`Game`], for every type that is a game.
pub struct ErasedGame<P>(PhantomData<fn() -> P>);

impl<P: Roster> ErasedGame<P> {
    /// The game `P`, erased.
    pub const NEW: ErasedGame<P> = ErasedGame(PhantomData);
}

impl<P: Roster> Game for ErasedGame<P> {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn name(&self) -> &'static str {
        P::NAME
    }

    fn about(&self) -> &'static str {
        P::ABOUT
    }

    fn options(&self) -> &'static [OptionSpec] {
        P::OPTIONS
    }

    fn players(&self) -> Vec<(&'static str, &'static str, &'static [OptionSpec])> {
        P::recipes().iter().map(|recipe| (recipe.id, recipe.about, recipe.options)).collect()
    }

    fn traced_players(&self) -> Vec<&'static str> {
        let recipes = P::recipes().into_iter();
        recipes.filter(|recipe| recipe.build_traced.is_some()).map(|recipe| recipe.id).collect()
    }

    fn open(&self, options: &Options, position: Option<&str>) -> Result<Box<dyn Board>, TextError> {
        let start: P = records::position(options, position)?;
        Ok(Box::new(TypedBoard::new(options.clone(), History::new(start))))
    }

    fn record_format(&self) -> Format {
        P::RECORD.into()
    }

    fn options_of_record(&self, record: &Record) -> Result<Option<Options>, TextError> {
        P::options_of_record(&|name| record.tag(name))
    }

    fn open_record(&self, options: &Options, record: &Record) -> Result<Box<dyn Board>, TextError> {
        Ok(Box::new(TypedBoard::<P>::new(options.clone(), records::replay(options, record)?)))
    }

    fn translate(
        &self,
        options: &Options,
        record: &Record,
        format: Option<Format>,
    ) -> Result<(Record, Side), TextError> {
        records::translate::<P>(options, record, format)
    }

    fn player(
        &self,
        player: &str,
        resources: &Resources,
    ) -> Result<Box<dyn BoardPlayer>, PlayerError> {
        Ok(Box::new(TypedPlayer::<P>::new(player, resources)?))
    }

    fn trace(
        &self,
        board: &dyn Board,
        player: &str,
        size: usize,
        resources: &Resources,
        control: &mut AnalysisControl<'_>,
    ) -> Result<(Analysis, TraceDocument), PlayerError> {
        player::trace::<P>(board, player, size, resources, control)
    }

    fn identify(&self, player: &str, resources: &Resources) -> Result<Identity, PlayerError> {
        identity::of::<P>(player, resources)
    }

    fn explain(
        &self,
        options: &Options,
        position: Option<&str>,
    ) -> Result<EvalExplanation, TextError> {
        let position: P = records::position(options, position)?;
        let mut evaluation = P::Knowledge::handcrafted();
        Ok(EvalExplanation {
            parts: evaluation.explain(&position),
            score: evaluation.evaluate(&position),
        })
    }

    fn endgames(&self) -> Option<&'static dyn Endgames> {
        P::endgames()
    }

    fn score_words(&self, score: Score) -> String {
        analysis::score_words::<P>(score)
    }

    fn measure(&self) -> &dyn Measure {
        self
    }
}
