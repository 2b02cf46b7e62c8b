//! A player that plays from an opening book before it searches.

use super::{Book, BookMoveStats, built_in};
use crate::{
    Resources, Traced,
    settings::{self, text},
};
use ludus_core::{
    Choice, History, Limits, MoveReport, OptionSpec, Options, Outcome, Player, PlayerError,
    Position, Random, Report, SearchControl, Side, TextError,
};
use ludus_games::go::{Go, GoMove, Point};
use ludus_search::Recording;
use std::sync::Arc;

const ABOUT: &str = "opening book: on (built in for 9x9), off, or a file from ludus book build";

/// The option of players with an opening book. It is off by default, as no gain in strength has been
/// measured yet.
pub const BOOK: OptionSpec = text("book", "off", ABOUT);

/// A player with an opening book.
pub struct WithBook<P> {
    books: Vec<Arc<Book>>,
    random: Random,
    player: P,
}

impl<P> WithBook<P> {
    /// `player` with the book its option `book` asks for.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn new(
        player: P,
        options: &Options,
        resources: &Resources,
    ) -> Result<WithBook<P>, TextError> {
        let books = match options.text("book") {
            "off" => Vec::new(),
            "on" => built_in()?,
            file => vec![Arc::new(Book::parse(&settings::read("book", file)?)?)],
        };
        Ok(WithBook { books, random: random(resources.seed), player })
    }

    /// The choice of a book move, if there is one.
    fn book_choice(&mut self, game: &History<Go>) -> Option<Choice<GoMove>> {
        let position = game.last();
        if position.outcome().is_some() {
            return None;
        }
        let size = position.board().size();
        let book = self.books.iter().find(|book| book.size() == size)?;
        let (point, book_moves) = book.choose(position, &mut self.random)?;
        let mv = GoMove::Play(point);
        let moves = book_moves.iter().map(move_report).collect();
        Some(Choice::play(mv, Report { line: vec![mv], moves, ..Report::default() }))
    }
}

fn random(seed: u64) -> Random {
    Random::new(seed).split("book")
}

fn move_report(&(point, stats): &(Point, BookMoveStats)) -> MoveReport<GoMove> {
    MoveReport { mv: GoMove::Play(point), score: None, visits: stats.games.into() }
}

impl<P: Player<Go>> Player<Go> for WithBook<P> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        match self.book_choice(game) {
            Some(choice) => Ok(choice),
            None => self.player.choose(game, limits, control),
        }
    }

    /// Analyses with several lines skip the book, which has no lines.
    fn analyze(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        match self.book_choice(game).filter(|_| lines == 1) {
            Some(choice) => Ok(choice),
            None => self.player.analyze(game, limits, lines, control),
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.random = random(seed);
        self.player.new_game(seed);
    }

    fn game_over(&mut self, game: &History<Go>, side: Side, outcome: Outcome) {
        self.player.game_over(game, side, outcome);
    }
}

impl<P: Traced<Go>> Traced<Go> for WithBook<P> {
    /// Traces skip the book.
    fn choose_traced(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        control: &mut SearchControl<'_, GoMove>,
        size: usize,
    ) -> Result<(Choice<GoMove>, Recording<GoMove>), PlayerError> {
        self.player.choose_traced(game, limits, control, size)
    }
}
