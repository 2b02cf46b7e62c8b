//! A player that looks into a book before it thinks.

use super::{Book, Tally, built_in};
use crate::{
    Recording, Resources, Traced,
    settings::{self, text},
};
use ludus_core::{
    Choice, History, Limits, MoveReport, OptionSpec, Options, Outcome, Player, PlayerError,
    Position, Random, Report, Side, TextError, Watch,
};
use ludus_games::go::{Go, Move, Point};
use std::sync::Arc;

const ABOUT: &str = "opening book: on for the one that is built in for the size of the board (9x9), \
                     off, or a file of ludus book build";

/// The option of players that have a book. What the built-in one is worth is not shown yet, so they
/// look into it only when told to.
pub const BOOK: OptionSpec = text("book", "off", ABOUT);

/// A player with a book.
pub struct Booked<P> {
    books: Vec<Arc<Book>>,
    random: Random,
    player: P,
}

impl<P> Booked<P> {
    /// `player` with what its option `book` asks for.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn new(
        player: P,
        options: &Options,
        resources: &Resources,
    ) -> Result<Booked<P>, TextError> {
        let books = match options.text("book") {
            "off" => Vec::new(),
            "on" => built_in()?,
            file => vec![Arc::new(Book::parse(&settings::read("book", file)?)?)],
        };
        Ok(Booked { books, random: random(resources.seed), player })
    }

    /// The move of the book, if it knows one.
    fn known(&mut self, game: &History<Go>) -> Option<Choice<Move>> {
        let position = game.last();
        if position.outcome().is_some() {
            return None;
        }
        let size = position.board().size();
        let book = self.books.iter().find(|book| book.size() == size)?;
        let (point, known) = book.choose(position, &mut self.random)?;
        let mv = Move::Play(point);
        let moves = known.iter().map(report_of).collect();
        Some(Choice::play(mv, Report { line: vec![mv], moves, ..Report::default() }))
    }
}

fn random(seed: u64) -> Random {
    Random::new(seed).split("book")
}

fn report_of(&(point, tally): &(Point, Tally)) -> MoveReport<Move> {
    MoveReport { mv: Move::Play(point), score: None, visits: tally.games.into() }
}

impl<P: Player<Go>> Player<Go> for Booked<P> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        match self.known(game) {
            Some(choice) => Ok(choice),
            None => self.player.choose(game, limits, watch),
        }
    }

    /// A book knows no lines: who wants several sees a search.
    fn analyze(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        match self.known(game).filter(|_| lines == 1) {
            Some(choice) => Ok(choice),
            None => self.player.analyze(game, limits, lines, watch),
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

impl<P: Traced<Go>> Traced<Go> for Booked<P> {
    /// Who wants to see a search sees one.
    fn choose_traced(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        size: usize,
    ) -> Result<(Choice<Move>, Recording<Move>), PlayerError> {
        self.player.choose_traced(game, limits, watch, size)
    }
}
