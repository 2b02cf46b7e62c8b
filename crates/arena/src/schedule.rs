//! Pairings of tournaments and matches, and the openings of their games.

use serde::{Deserialize, Serialize};

/// The form of a tournament.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Every player meets every other.
    #[default]
    RoundRobin,
    /// The first player meets every other.
    Gauntlet,
    /// The loser of a pairing is eliminated.
    Knockout,
}

/// A scheduled game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// Its number within the contest.
    pub index: u64,
    /// The player that moves first.
    pub first: usize,
    /// The player that moves second.
    pub second: usize,
    /// The number of its opening.
    pub opening: usize,
}

/// The `games` games of one pairing, numbered from `index`. Every opening is played twice in a row
/// with the sides exchanged.
pub fn pairing(
    players: (usize, usize),
    index: u64,
    games: u64,
) -> impl Iterator<Item = PlannedGame> {
    (0..games).map(move |game| {
        let (first, second) = if game.is_multiple_of(2) { players } else { (players.1, players.0) };
        PlannedGame { index: index + game, first, second, opening: (game / 2) as usize }
    })
}

/// All pairings of a round robin or gauntlet; none for a knockout, where they depend on results.
pub fn pairings(form: TournamentFormat, players: usize) -> Vec<(usize, usize)> {
    match form {
        TournamentFormat::RoundRobin => (0..players)
            .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
            .collect(),
        TournamentFormat::Gauntlet => (1..players).map(|second| (0, second)).collect(),
        TournamentFormat::Knockout => Vec::new(),
    }
}

/// A knockout tournament in progress.
#[derive(Clone, Debug)]
pub struct Bracket {
    /// Players not eliminated, best seed first.
    alive: Vec<usize>,
    /// The number of the next game.
    next_index: u64,
    games: u64,
}

/// Extra game pairs played to break a tie before the better seed advances.
const MAX_TIE_BREAK_PAIRS: u64 = 2;

impl Bracket {
    /// A bracket of `players` players in the order of their seeds, `games` a pairing.
    pub fn new(players: usize, games: u64) -> Bracket {
        Bracket { alive: (0..players).collect(), next_index: 0, games }
    }

    /// The winner, once there is one.
    pub fn champion(&self) -> Option<usize> {
        (self.alive.len() == 1).then(|| self.alive[0])
    }

    /// Pairings of this round with the number of their first game: best against worst seed. With an
    /// odd number of players the best seed has a bye.
    pub fn round(&self) -> Vec<((usize, usize), u64)> {
        let start = self.alive.len() % 2;
        let pairs = self.alive.len() / 2;
        (0..pairs)
            .map(|pair| {
                let (best, worst) =
                    (self.alive[start + pair], self.alive[self.alive.len() - 1 - pair]);
                ((best, worst), self.next_index + pair as u64 * self.reserved_games())
            })
            .collect()
    }

    /// Game numbers reserved for each pairing, tie breaks included.
    fn reserved_games(&self) -> u64 {
        self.games + 2 * MAX_TIE_BREAK_PAIRS
    }

    /// Remaining games of a pairing after `played` games, given the half points of the better and
    /// the worse seed.
    pub fn games_of(
        &self,
        players: (usize, usize),
        index: u64,
        played: u64,
        points: (u64, u64),
    ) -> Vec<PlannedGame> {
        let wanted = if played < self.games {
            self.games
        } else if points.0 == points.1 && played < self.reserved_games() {
            played + 2
        } else {
            played
        };
        pairing(players, index, wanted).skip(played as usize).collect()
    }

    /// Ends the round: the `winners` of its pairings, in their order, advance.
    pub fn advance(&mut self, winners: &[usize]) {
        self.next_index += self.round().len() as u64 * self.reserved_games();
        let bye = (self.alive.len() % 2 == 1).then(|| self.alive[0]);
        let mut alive: Vec<usize> = bye.into_iter().chain(winners.iter().copied()).collect();
        alive.sort_unstable();
        self.alive = alive;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let games: Vec<PlannedGame> = pairing((3, 5), 40, 4).collect();
        let seats: Vec<_> = games.iter().map(|g| (g.index, g.first, g.second, g.opening)).collect();
        assert_eq!(seats, [(40, 3, 5, 0), (41, 5, 3, 0), (42, 3, 5, 1), (43, 5, 3, 1)]);
    }

    #[test]
    fn forms_pair_as_their_names_say() {
        assert_eq!(pairings(TournamentFormat::RoundRobin, 4).len(), 6);
        assert_eq!(pairings(TournamentFormat::Gauntlet, 4), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn a_knockout_ends_with_one_champion_and_numbers_no_game_twice() {
        for players in 2..9 {
            let mut bracket = Bracket::new(players, 2);
            let mut numbers = std::collections::HashSet::new();
            while bracket.champion().is_none() {
                let mut winners = Vec::new();
                for (pair, index) in bracket.round() {
                    let mut played = 0;
                    loop {
                        let games = bracket.games_of(pair, index, played, (1, 1));
                        if games.is_empty() {
                            break;
                        }
                        assert!(games.iter().all(|game| numbers.insert(game.index)));
                        played += games.len() as u64;
                    }
                    winners.push(pair.0);
                }
                bracket.advance(&winners);
            }
            assert_eq!(bracket.champion(), Some(0));
        }
    }
}
