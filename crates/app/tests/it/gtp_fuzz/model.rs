//! A simple board model that follows the moves accepted by an engine.

use super::commands::{GOOD_GAME, GOOD_GAME_SIZE, Line};
use crate::gtp_peer::Reply;
use ludus_formats::{
    PieceColour,
    gtp::{GtpCommand, Vertex, read_colour},
};
use std::collections::BTreeSet;

/// Stones by row and column, from the bottom left.
type Board = Vec<Vec<Option<PieceColour>>>;

/// Effect of a stone.
enum Placed {
    Occupied,
    Suicide,
    Gives(Board),
}

pub struct Model {
    board: Board,
    /// Boards before each move.
    past: Vec<Board>,
    /// Whether it is played under positional superko and without suicide.
    usual_rules: bool,
    /// Whether `past` is complete.
    complete: bool,
    /// Whether the engine's board is taken over once.
    lost: bool,
}

impl Model {
    pub fn new(size: usize, usual_rules: bool) -> Model {
        Model { board: empty(size), past: Vec::new(), usual_rules, complete: true, lost: false }
    }

    pub fn size(&self) -> usize {
        self.board.len()
    }

    fn restart(&mut self, size: usize) {
        *self = Model::new(size, self.usual_rules);
    }

    /// Applies a response; an error if it cannot be right.
    pub fn answered(&mut self, command: &GtpCommand, reply: &Reply) -> Result<(), String> {
        let word = |index: usize| command.arguments.get(index).map_or("", String::as_str);
        match command.name.as_str() {
            "boardsize" => {
                let size = word(0).parse().ok().filter(|size| (2..=25).contains(size));
                expect(reply, size.is_some())?;
                size.into_iter().for_each(|size| self.restart(size));
            }
            "clear_board" => {
                expect(reply, true)?;
                self.restart(self.size());
            }
            "komi" => expect(reply, word(0).parse().is_ok_and(f64::is_finite))?,
            "play" => return self.played(read_colour(word(0)), Vertex::read(word(1)), reply),
            "genmove" | "kgs-genmove_cleanup" if reply.success => {
                return self.moved(read_colour(word(0)), Vertex::read(&reply.text));
            }
            "lz-genmove_analyze" | "kata-genmove_analyze" => self.analysed(command, reply)?,
            "undo" => self.undone(reply)?,
            "fixed_handicap" | "place_free_handicap" if reply.success => {
                let words: Vec<&str> = reply.text.split(' ').collect();
                return self.handicap(&words);
            }
            "set_free_handicap" if reply.success => {
                let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
                return self.handicap(&words);
            }
            "loadsgf" => self.loaded(&command.arguments, reply)?,
            "kgs-rules" | "kata-set-rules" if reply.success => self.usual_rules = false,
            "is_legal" if reply.success => {
                let legal = reply.text == "1";
                return self.judged(read_colour(word(0)), Vertex::read(word(1)), legal).map(|_| ());
            }
            _ => {}
        }
        Ok(())
    }

    /// Compares the stones of one colour, or takes them over if unknown to the model.
    pub fn compare(&mut self, question: &Line, reply: &Reply) -> Result<(), String> {
        let word = question.command.as_ref().and_then(|command| command.arguments.first());
        let colour = word.and_then(|word| read_colour(word)).ok_or("no colour")?;
        let words = reply.text.split_whitespace();
        let theirs: Option<BTreeSet<(usize, usize)>> = words.map(point).collect();
        let theirs = theirs.ok_or_else(|| format!("not a list of points: {:?}", reply.text))?;
        if self.lost {
            self.believe(colour, &theirs);
            return Ok(());
        }
        let ours = self.stones(colour);
        if ours == theirs {
            Ok(())
        } else {
            Err(format!("{colour:?}: {theirs:?}, expected {ours:?}"))
        }
    }

    /// Both colours were compared.
    pub fn is_settled(&mut self) {
        self.lost = false;
    }

    fn believe(&mut self, colour: PieceColour, stones: &BTreeSet<(usize, usize)>) {
        for (row, line) in self.board.iter_mut().enumerate() {
            for (column, stone) in line.iter_mut().enumerate() {
                if stones.contains(&(row, column)) {
                    *stone = Some(colour);
                } else if *stone == Some(colour) {
                    *stone = None;
                }
            }
        }
    }

    /// Takes over the engine's board, until the next empty board.
    fn lose_track(&mut self) {
        (self.lost, self.complete) = (true, false);
        self.past.clear();
    }

    fn stones(&self, colour: PieceColour) -> BTreeSet<(usize, usize)> {
        let size = self.size();
        let points = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        points.filter(|&(row, column)| self.board[row][column] == Some(colour)).collect()
    }

    fn played(
        &mut self,
        colour: Option<PieceColour>,
        vertex: Option<Vertex>,
        reply: &Reply,
    ) -> Result<(), String> {
        if reply.success {
            return self.moved(colour, vertex);
        }
        if reply.text == "illegal move" {
            self.judged(colour, vertex, false)?;
        }
        Ok(())
    }

    /// A move was made.
    fn moved(&mut self, colour: Option<PieceColour>, vertex: Option<Vertex>) -> Result<(), String> {
        if self.lost {
            return Ok(());
        }
        let before = self.board.clone();
        match vertex {
            Some(Vertex::Resign) => return Ok(()),
            Some(Vertex::Pass) => {}
            Some(Vertex::Point { .. }) => match self.judged(colour, vertex, true)? {
                Some(board) => self.board = board,
                None => return Ok(()),
            },
            None => return Err("not a vertex".to_owned()),
        }
        self.past.push(before);
        Ok(())
    }

    /// Possible answers on the legality of a move; the board after it, if known.
    fn judged(
        &mut self,
        colour: Option<PieceColour>,
        vertex: Option<Vertex>,
        legal: bool,
    ) -> Result<Option<Board>, String> {
        let colour = colour.ok_or("not a colour")?;
        let (row, column) = match vertex {
            Some(Vertex::Point { row, column }) => (row, column),
            Some(Vertex::Pass) if legal => return Ok(None),
            _ => return Err("not a point".to_owned()),
        };
        if self.lost {
            return Ok(None);
        }
        let wrong = |what: &str| Err(format!("legal: {legal}, but {what}"));
        match placed(&self.board, colour, row, column) {
            Placed::Occupied if legal => wrong("there is a stone"),
            Placed::Suicide if legal && self.usual_rules => wrong("it is suicide"),
            Placed::Suicide if legal => {
                self.lose_track();
                Ok(None)
            }
            Placed::Gives(board) => {
                let repeats = self.board == board || self.past.contains(&board);
                if legal && repeats && self.usual_rules {
                    return wrong("it repeats a board");
                }
                if !legal && !repeats && self.complete {
                    return wrong("nothing forbids it");
                }
                Ok(Some(board))
            }
            Placed::Occupied | Placed::Suicide => Ok(None),
        }
    }

    fn analysed(&mut self, command: &GtpCommand, reply: &Reply) -> Result<(), String> {
        let last = reply.text.lines().last().unwrap_or_default();
        let Some(vertex) = last.strip_prefix("play ").filter(|_| reply.success) else {
            return Ok(());
        };
        let colour = command.arguments.iter().rev().find_map(|word| read_colour(word));
        match colour {
            Some(_) => self.moved(colour, Vertex::read(vertex)),
            None => {
                // The model does not know the side to move.
                self.lose_track();
                Ok(())
            }
        }
    }

    fn undone(&mut self, reply: &Reply) -> Result<(), String> {
        match self.past.pop() {
            Some(board) => {
                expect(reply, true)?;
                self.board = board;
            }
            None if self.complete => expect(reply, false)?,
            None => self.lose_track(),
        }
        Ok(())
    }

    fn handicap(&mut self, words: &[&str]) -> Result<(), String> {
        if !self.lost && self.board != empty(self.size()) {
            return Err("a handicap on a board with stones".to_owned());
        }
        self.restart(self.size());
        for word in words {
            let (row, column) = point(word).ok_or("not a point")?;
            self.board[row][column] = Some(PieceColour::Black);
        }
        Ok(())
    }

    fn loaded(&mut self, arguments: &[String], reply: &Reply) -> Result<(), String> {
        let path = arguments.first().map_or("", String::as_str);
        expect(reply, path.ends_with(GOOD_GAME) && arguments.len() <= 2)?;
        if reply.success {
            self.restart(GOOD_GAME_SIZE);
            self.usual_rules = false;
            self.lose_track();
        }
        Ok(())
    }
}

fn expect(reply: &Reply, success: bool) -> Result<(), String> {
    let wanted = if success { "to be accepted" } else { "to be refused" };
    if reply.success == success { Ok(()) } else { Err(format!("expected it {wanted}")) }
}

fn empty(size: usize) -> Board {
    vec![vec![None; size]; size]
}

fn point(word: &str) -> Option<(usize, usize)> {
    match Vertex::read(word)? {
        Vertex::Point { row, column } => Some((row, column)),
        Vertex::Pass | Vertex::Resign => None,
    }
}

fn placed(board: &Board, colour: PieceColour, row: usize, column: usize) -> Placed {
    if row >= board.len() || column >= board.len() || board[row][column].is_some() {
        return Placed::Occupied;
    }
    let mut after = board.clone();
    after[row][column] = Some(colour);
    for (row, column) in neighbours(board.len(), row, column) {
        if after[row][column].is_some_and(|stone| stone != colour) {
            remove_if_dead(&mut after, row, column);
        }
    }
    let is_suicide = remove_if_dead(&mut after, row, column);
    if is_suicide { Placed::Suicide } else { Placed::Gives(after) }
}

fn neighbours(size: usize, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    let around = [
        (row.wrapping_sub(1), column),
        (row + 1, column),
        (row, column.wrapping_sub(1)),
        (row, column + 1),
    ];
    around.into_iter().filter(move |&(row, column)| row < size && column < size)
}

/// Removes a chain without liberties; returns whether it did.
fn remove_if_dead(board: &mut Board, row: usize, column: usize) -> bool {
    let colour = board[row][column];
    let mut chain = vec![(row, column)];
    let mut next = 0;
    while let Some(&(row, column)) = chain.get(next) {
        next += 1;
        for near in neighbours(board.len(), row, column) {
            match board[near.0][near.1] {
                None => return false,
                stone if stone == colour && !chain.contains(&near) => chain.push(near),
                _ => {}
            }
        }
    }
    for (row, column) in chain {
        board[row][column] = None;
    }
    true
}
