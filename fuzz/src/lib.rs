//! Shared parts of the fuzz targets. Each property checked here holds for any input.

use ludus_core::{Notation, OptionSpec, Options};
use ludus_formats::{Format, WriteOptions};

/// Calls `$with::<Game>(text)` for every game. A new game is one line here.
#[macro_export]
macro_rules! every_game {
    ($with:path, $text:expr) => {{
        use $with as with;
        with::<ludus_games::tictactoe::TicTacToe>($text);
        with::<ludus_games::connect4::Connect4>($text);
        with::<ludus_games::split_nim::SplitNim>($text);
        with::<ludus_games::reversi::Reversi>($text);
        with::<ludus_games::draughts::Draughts>($text);
        with::<ludus_games::chess::Chess>($text);
        with::<ludus_games::go::Go>($text);
    }};
}

/// Reads any bytes as a file of games; what was read must be written so that it reads back.
pub fn records(format: Format, bytes: &[u8]) {
    for record in format.read(bytes).flatten() {
        let text = format.write(&record, &WriteOptions::default());
        let again: Vec<_> = format.read(text.as_bytes()).collect();
        assert_eq!(again, [Ok(format.completed(&record))], "{text}");
    }
}

/// Splits a text into the options of a game (the first line, without the name) and the rest.
fn options<P: Notation>(text: &str) -> Option<(Options, &str)> {
    let (options, rest) = text.split_once('\n')?;
    Options::parse(&format!("{}:{options}", P::ID), P::OPTIONS).ok().map(|options| (options, rest))
}

/// Reads a position; one that is accepted must be written so that it reads back, and so must every
/// move from it.
pub fn position<P: Notation>(text: &str) {
    let Some((options, text)) = options::<P>(text) else { return };
    if let Ok(position) = P::parse(&options, text) {
        let written = position.text();
        let again = P::parse(&options, &written).expect("a written position must parse");
        assert!(again == position, "{text:?} was written as {written:?}");
        assert_eq!(again.key(), position.key(), "{written:?}");
        assert_eq!(again.verification_key(), position.verification_key(), "{written:?}");
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        assert_eq!(position.count_moves(), moves.len(), "{written:?}");
        assert_eq!(position.outcome().is_some(), moves.is_empty(), "{written:?}");
        for mv in moves {
            let text = position.move_text(mv);
            assert!(position.parse_move(&text) == Ok(mv), "{text:?} in {written:?}");
            let next = position.after(mv).text();
            P::parse(&options, &next).unwrap_or_else(|error| panic!("{next:?}: {error}"));
        }
    }
}

/// Plays the words of a text as moves from the start; those that are accepted must read back.
pub fn moves<P: Notation>(text: &str) {
    let Some((options, text)) = options::<P>(text) else { return };
    let Ok(mut position) = P::start(&options) else { return };
    for word in text.split([' ', '\n']).take(500) {
        if let Ok(mv) = position.parse_move(word) {
            let written = position.move_text(mv);
            assert!(position.parse_move(&written) == Ok(mv), "{word:?} was written as {written:?}");
            position.play(mv);
        }
    }
}

/// Reads options against the specifications of a game.
pub fn game_options<P: Notation>(text: &str) {
    option_text(text, P::OPTIONS);
}

/// Reads options; those that are accepted must be written so that they read back.
pub fn option_text(text: &str, specs: &'static [OptionSpec]) {
    if let Ok(options) = Options::parse(text, specs) {
        let written = options.to_string();
        let again = Options::parse(&written, specs).expect("written options must parse");
        assert_eq!(again.to_string(), written);
    }
}
