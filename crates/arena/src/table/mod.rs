//! Standings of a contest: the cross table and everything computed from it.

pub mod columns;

use crate::{
    elo::{Pentanomial, ScoreSample, Wdl},
    game::{Category, PlayerStats},
    schedule::PlannedGame,
    store::StoredGame,
};
use ludus_core::{Outcome, Side};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The results so far, as sums that do not depend on the order in which games ended.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The players.
    pub players: Vec<String>,
    /// `cells[a][b]`: the games of `a` against `b`, from `a`'s point of view.
    pub cells: Vec<Vec<HeadToHead>>,
    /// Results of each player as first side and as second side.
    pub by_turn: Vec<[Wdl; 2]>,
    /// Search effort of each player.
    pub player_stats: Vec<PlayerStats>,
    /// Games each player lost on time.
    pub time_losses: Vec<u64>,
    /// Games each player lost by breaking rules, crashing, hanging or flooding.
    pub forfeits: Vec<u64>,
    /// The first faults: player and error message.
    pub incidents: Vec<(usize, String)>,
    /// Game pairs of which only one game is known: half points of the lower-numbered player.
    unpaired: HashMap<(usize, usize, usize, u64), u8>,
}

/// The games of one player against another.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Won, drawn and lost, every distinct game once.
    #[serde(rename = "tally")]
    pub wdl: Wdl,
    /// Games that repeated one of these move for move.
    pub repeats: u64,
    /// Game pairs, from one opening with the sides exchanged, of which neither game is a repeat.
    pub pairs: Pentanomial,
    /// The games in these pairs.
    pub paired: Wdl,
    /// Draws by reaching the maximum length (included in the draws).
    pub forced_draws: u64,
    /// Draws by repetition or without progress with one side ahead (included in the draws).
    pub loop_draws: u64,
}

/// Incidents whose message is kept.
const MAX_INCIDENTS: usize = 20;

impl Standings {
    /// An empty table.
    pub fn new(players: &[String]) -> Standings {
        let count = players.len();
        Standings {
            players: players.to_vec(),
            cells: vec![vec![HeadToHead::default(); count]; count],
            by_turn: vec![[Wdl::default(); 2]; count],
            player_stats: vec![PlayerStats::default(); count],
            time_losses: vec![0; count],
            forfeits: vec![0; count],
            incidents: Vec::new(),
            unpaired: HashMap::new(),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, planned: &PlannedGame, game: &StoredGame) {
        let half_points = match game.result {
            Outcome::Win(Side::First) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 0,
        };
        let PlannedGame { first, second, .. } = *planned;
        self.count(first, second, half_points, game);
        self.count(second, first, 2 - half_points, game);
        self.by_turn[first][0].record(half_points);
        self.by_turn[second][1].record(2 - half_points);
        let loser = if half_points == 2 { second } else { first };
        match game.category {
            Some(Category::Time) => self.time_losses[loser] += 1,
            Some(Category::Forfeit) => {
                self.forfeits[loser] += 1;
                if self.incidents.len() < MAX_INCIDENTS {
                    let detail = game.detail.clone().unwrap_or_default();
                    self.incidents.push((loser, detail));
                }
            }
            Some(Category::Forced | Category::Loop) | None => {}
        }
        self.player_stats[first].add(&game.stats[0]);
        self.player_stats[second].add(&game.stats[1]);
        self.pair_up(planned, half_points);
    }

    fn count(&mut self, player: usize, other: usize, half_points: u8, game: &StoredGame) {
        let cell = &mut self.cells[player][other];
        cell.wdl.record(half_points);
        cell.forced_draws += u64::from(game.category == Some(Category::Forced));
        cell.loop_draws += u64::from(game.category == Some(Category::Loop));
    }

    /// Counts a repeated game, which adds to the repeats and to nothing else.
    pub fn add_repeat(&mut self, planned: &PlannedGame) {
        let PlannedGame { first, second, .. } = *planned;
        self.cells[first][second].repeats += 1;
        self.cells[second][first].repeats += 1;
    }

    /// Counts a game pair once both its games are known.
    fn pair_up(&mut self, planned: &PlannedGame, half_points: u8) {
        let PlannedGame { first, second, opening, index } = *planned;
        let (low, high) = (first.min(second), first.max(second));
        let points = if first == low { half_points } else { 2 - half_points };
        // The games of a pair have consecutive numbers, the one with the lower player first.
        let start = if first == low { index } else { index.saturating_sub(1) };
        let Some(other) = self.unpaired.remove(&(low, high, opening, start)) else {
            self.unpaired.insert((low, high, opening, start), points);
            return;
        };
        let sides = [(low, high, [points, other]), (high, low, [2 - points, 2 - other])];
        for (player, opponent, points) in sides {
            let cell = &mut self.cells[player][opponent];
            cell.pairs.record(points[0], points[1]);
            points.iter().for_each(|&half_points| cell.paired.record(half_points));
        }
    }

    /// Distinct games, which are those counted.
    pub fn games(&self) -> u64 {
        let all: u64 = self.cells.iter().flatten().map(|cell| cell.wdl.games()).sum();
        all / 2
    }

    /// Repeated games, which are not counted.
    pub fn repeats(&self) -> u64 {
        let all: u64 = self.cells.iter().flatten().map(|cell| cell.repeats).sum();
        all / 2
    }

    /// Games played, repeats included.
    pub fn played(&self) -> u64 {
        self.games() + self.repeats()
    }

    /// Sum over all opponents of a player.
    pub fn total(&self, player: usize) -> HeadToHead {
        let mut total = HeadToHead::default();
        for cell in &self.cells[player] {
            total.wdl += cell.wdl;
            total.paired += cell.paired;
            total.repeats += cell.repeats;
            total.forced_draws += cell.forced_draws;
            total.loop_draws += cell.loop_draws;
            total.pairs += cell.pairs;
        }
        total
    }
}

impl HeadToHead {
    /// The sample Elo is estimated from: game pairs, and games without a partner.
    pub fn sample(&self) -> ScoreSample {
        ScoreSample::mixed(self.pairs, self.wdl - self.paired)
    }
}
