//! What a contest has come to: the cross table and everything computed from it.

use crate::{
    elo::{Pairs, Sample, Tally},
    game::Effort,
    schedule::Planned,
    store::StoredGame,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The results so far, in amounts that do not depend on the order in which games ended.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The players.
    pub players: Vec<String>,
    /// `cells[a][b]`: the games of `a` against `b`, as `a` sees them.
    pub cells: Vec<Vec<Cell>>,
    /// What each player scored when it moved first, and when second.
    pub by_turn: Vec<[Tally; 2]>,
    /// What each player spent.
    pub efforts: Vec<Effort>,
    /// Games each player lost on time.
    pub time_losses: Vec<u64>,
    /// Games each player lost by breaking rules, crashing, hanging or flooding.
    pub forfeits: Vec<u64>,
    /// What faulty players did, the first of it: player and report.
    pub incidents: Vec<(usize, String)>,
    /// The first of two new games from one opening, until the second is there: half points of the
    /// lower-numbered player.
    halves: HashMap<(usize, usize, usize, u64), u8>,
}

/// The games of one player against another.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Won, drawn and lost, every game once.
    pub tally: Tally,
    /// Games that repeated one of these.
    pub repeats: u64,
    /// Pairs of new games from one opening.
    pub pairs: Pairs,
    /// The games of these pairs.
    pub paired: Tally,
    /// Draws by length, among the draws.
    pub forced_draws: u64,
    /// Draws by repetition or without progress with one side ahead, among the draws.
    pub loop_draws: u64,
}

/// How many incidents are kept in words.
const INCIDENTS: usize = 20;

impl Standings {
    /// An empty table.
    pub fn new(players: &[String]) -> Standings {
        let count = players.len();
        Standings {
            players: players.to_vec(),
            cells: vec![vec![Cell::default(); count]; count],
            by_turn: vec![[Tally::default(); 2]; count],
            efforts: vec![Effort::default(); count],
            time_losses: vec![0; count],
            forfeits: vec![0; count],
            incidents: Vec::new(),
            halves: HashMap::new(),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, planned: &Planned, game: &StoredGame) {
        let half_points = match game.result.as_str() {
            "first" => 2,
            "draw" => 1,
            _ => 0,
        };
        let Planned { first, second, .. } = *planned;
        self.count(first, second, half_points, game);
        self.count(second, first, 2 - half_points, game);
        self.by_turn[first][0].record(half_points);
        self.by_turn[second][1].record(2 - half_points);
        let loser = if half_points == 2 { second } else { first };
        match game.category.as_deref() {
            Some("time") => self.time_losses[loser] += 1,
            Some("forfeit") => {
                self.forfeits[loser] += 1;
                if self.incidents.len() < INCIDENTS {
                    let detail = game.detail.clone().unwrap_or_default();
                    self.incidents.push((loser, detail));
                }
            }
            _ => {}
        }
        let efforts: [Effort; 2] = serde_json::from_value(game.stats.clone()).unwrap_or_default();
        self.efforts[first].add(&efforts[0]);
        self.efforts[second].add(&efforts[1]);
        self.pair_up(planned, half_points);
    }

    fn count(&mut self, player: usize, other: usize, half_points: u8, game: &StoredGame) {
        let cell = &mut self.cells[player][other];
        cell.tally.record(half_points);
        cell.forced_draws += u64::from(game.category.as_deref() == Some("forced"));
        cell.loop_draws += u64::from(game.category.as_deref() == Some("loop"));
    }

    /// Counts a game that repeats an earlier one: as that, and as nothing else.
    pub fn add_repeat(&mut self, planned: &Planned) {
        let Planned { first, second, .. } = *planned;
        self.cells[first][second].repeats += 1;
        self.cells[second][first].repeats += 1;
    }

    /// Counts a pair once both its games are there.
    fn pair_up(&mut self, planned: &Planned, half_points: u8) {
        let Planned { first, second, opening, index } = *planned;
        let (low, high) = (first.min(second), first.max(second));
        let points = if first == low { half_points } else { 2 - half_points };
        // The games of a pair stand side by side: the one with the lower player first comes first.
        let start = if first == low { index } else { index.saturating_sub(1) };
        let Some(other) = self.halves.remove(&(low, high, opening, start)) else {
            self.halves.insert((low, high, opening, start), points);
            return;
        };
        let sides = [(low, high, [points, other]), (high, low, [2 - points, 2 - other])];
        for (player, opponent, points) in sides {
            let cell = &mut self.cells[player][opponent];
            cell.pairs.record(points[0], points[1]);
            points.iter().for_each(|&half_points| cell.paired.record(half_points));
        }
    }

    /// Games counted: all that differ.
    pub fn games(&self) -> u64 {
        let all: u64 = self.cells.iter().flatten().map(|cell| cell.tally.games()).sum();
        all / 2
    }

    /// Games that repeated one of these and are not counted.
    pub fn repeats(&self) -> u64 {
        let all: u64 = self.cells.iter().flatten().map(|cell| cell.repeats).sum();
        all / 2
    }

    /// Games played, counted or not.
    pub fn played(&self) -> u64 {
        self.games() + self.repeats()
    }

    /// All games of a player.
    pub fn total(&self, player: usize) -> Cell {
        let mut total = Cell::default();
        for cell in &self.cells[player] {
            total.tally += cell.tally;
            total.paired += cell.paired;
            total.repeats += cell.repeats;
            total.forced_draws += cell.forced_draws;
            total.loop_draws += cell.loop_draws;
            total.pairs += cell.pairs;
        }
        total
    }
}

impl Cell {
    /// The observations Elo is estimated from: pairs, and the games that have no partner.
    pub fn sample(&self) -> Sample {
        Sample::mixed(self.pairs, self.tally - self.paired)
    }
}
