//! Conformance tests of what records say besides the moves: tags and boards set up.

use super::Kit;
use crate::{Notation, Options, Side, notation::GAME_TAG};

/// The names of cells in records, of games whose records set up boards.
pub(super) struct SetUpNames(Vec<String>);

impl SetUpNames {
    /// The names by the moves on the empty board; `None` if the game sets up no boards.
    pub fn of<P: Notation>(options: &Options) -> Option<SetUpNames> {
        let empty = P::set_up(options, &[], None).ok()?;
        let mut names = vec![String::new(); empty.view().cells.len()];
        let mut moves = Vec::new();
        empty.legal_moves(&mut moves);
        for mv in moves {
            if let [cell] = empty.move_cells(mv)[..] {
                names[cell] = empty.record_text(mv);
            }
        }
        Some(SetUpNames(names))
    }
}

impl<P: Notation> Kit<P> {
    /// The tags of a record give back the game.
    pub(super) fn check_record_tags(&self) {
        let tags = P::record_tags(&self.options);
        let tag = |name: &str| {
            let mut values = tags.iter().filter(|tag| tag.0 == name).map(|tag| tag.1.as_str());
            let value = values.next();
            assert!(values.next().is_none(), "tag {name} twice");
            value
        };
        let own = P::options_of_record(&tag)
            .unwrap_or_else(|error| panic!("the tags {tags:?} must be read: {error}"));
        let named = tag(GAME_TAG).map(|text| {
            Options::parse(text, P::OPTIONS)
                .unwrap_or_else(|error| panic!("the tag {GAME_TAG} {text:?} must be read: {error}"))
        });
        // The tag that names every option takes precedence.
        let read = named.or(own).unwrap_or_else(|| panic!("the tags {tags:?} name no game"));
        let start = P::start(&read).expect("the options of a record start a game");
        assert_eq!(start.game_text(), self.start.game_text(), "another game by {tags:?}");
        assert_eq!(start.text(), self.start.text(), "another start by {tags:?}");
        assert!(start == self.start, "another game by {tags:?}: {}", start.text());
    }

    /// A board set up piece by piece is the board.
    pub(super) fn check_set_up(&self, position: &P, place: &str) {
        let Some(SetUpNames(names)) = &self.set_up_names else { return };
        let cells = position.view().cells;
        let stones: Vec<(Side, String)> = cells
            .iter()
            .zip(names)
            .filter_map(|(cell, name)| cell.piece.map(|piece| (piece.side, name.clone())))
            .collect();
        let set_up = P::set_up(&self.options, &stones, Some(position.turn()))
            .unwrap_or_else(|error| panic!("the board must be set up: {place}: {error}"));
        assert!(set_up.turn() == position.turn(), "another side to move: {place}");
        let pieces = set_up.view().cells.into_iter().map(|cell| cell.piece);
        assert!(
            pieces.eq(cells.iter().map(|cell| cell.piece)),
            "set up as another board: {place} became {}",
            set_up.text()
        );
        let nowhere = [(Side::First, "no such cell".to_owned())];
        assert!(P::set_up(&self.options, &nowhere, None).is_err(), "a stone on no cell");
        if let Some(stone) = stones.first() {
            let twice = [stone.clone(), stone.clone()];
            assert!(P::set_up(&self.options, &twice, None).is_err(), "a stone twice: {place}");
        }
    }
}
