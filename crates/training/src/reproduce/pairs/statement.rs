//! Statements of a source about the games of a player, judged by a share of those games.

use super::{PairMatches, check_name};
use crate::{
    recipe::range,
    reproduce::{draw_kinds::is_forced, experiment::wrong},
};
use ludus_arena::store::StoredGame;
use ludus_core::{EndReason, Outcome, Side, TextError};
use serde::{Deserialize, Serialize};

/// A statement: of the player's games with a certain result, at least a share has a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairStatement {
    /// Statement in words, the name of its figure.
    pub says: String,
    /// Player it is about.
    pub player: String,
    /// Its opponents; all if there are none.
    #[serde(default)]
    pub against: Vec<String>,
    /// Games it is about.
    #[serde(default)]
    pub among: GamesAmong,
    /// Property: the game has fewer moves of each side than this.
    pub shorter_than: Option<u32>,
    /// Property: the player is ahead by this many pawns in the last position, by the judge.
    pub ahead_by: Option<f64>,
    /// Property: the player ended the game by stalemate.
    #[serde(default)]
    pub gives_stalemate: bool,
    /// Least share of those games that has the property.
    pub share: f64,
}

/// Games by their result for the player.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GamesAmong {
    /// All games.
    #[default]
    All,
    /// Those won.
    Won,
    /// Those drawn, without the forced draws.
    Drawn,
    /// The forced draws.
    Forced,
    /// Those lost.
    Lost,
}

impl GamesAmong {
    /// Whether a game belongs to these for the player of `side`.
    fn includes(self, game: &StoredGame, side: Side) -> bool {
        match (self, game.result) {
            (GamesAmong::All, _) => true,
            (GamesAmong::Won, Outcome::Win(winner)) => winner == side,
            (GamesAmong::Lost, Outcome::Win(winner)) => winner != side,
            (GamesAmong::Drawn, Outcome::Draw) => !is_forced(game),
            (GamesAmong::Forced, Outcome::Draw) => is_forced(game),
            _ => false,
        }
    }
}

impl PairStatement {
    pub(super) fn check(&self, pairs: &PairMatches) -> Result<(), TextError> {
        check_name("statements.player", &self.player, &pairs.players)?;
        for name in &self.against {
            check_name("statements.against", name, &pairs.players)?;
        }
        range("statements.share", self.share, 0.0, 1.0)?;
        range("statements.shorter_than", self.shorter_than.unwrap_or(1).into(), 1.0, 1e6)?;
        range("statements.ahead_by", self.ahead_by.unwrap_or(0.0), 0.0, 1e4)?;
        let properties =
            [self.shorter_than.is_some(), self.ahead_by.is_some(), self.gives_stalemate];
        if properties.iter().filter(|&&is_asked| is_asked).count() != 1 {
            let expected = "one of shorter_than, ahead_by and gives_stalemate";
            return Err(wrong(&self.says, expected));
        }
        if self.ahead_by.is_some() && pairs.judge.is_none() {
            return Err(wrong(&self.says, "pairs.judge, the player that says who is ahead"));
        }
        let is_played = pairs.matches.iter().any(|played| self.opponent(played).is_some());
        if is_played { Ok(()) } else { Err(wrong(&self.says, "players that play each other")) }
    }

    /// Opponent in a match, if the statement is about it.
    fn opponent<'a>(&self, played: &'a super::PairMatch) -> Option<&'a str> {
        let opponent = match &self.player {
            player if *player == played.first => &played.second,
            player if *player == played.second => &played.first,
            _ => return None,
        };
        (self.against.is_empty() || self.against.contains(opponent)).then_some(opponent.as_str())
    }

    /// Side of the player in a game of this match, if the statement is about the game.
    pub(super) fn side_in(&self, played: &super::PairMatch, game: &StoredGame) -> Option<Side> {
        self.opponent(played)?;
        let is_first = self.player == played.first;
        // The first player of a match moves first in the games with an even number.
        let side =
            if game.index.is_multiple_of(2) == is_first { Side::First } else { Side::Second };
        self.among.includes(game, side).then_some(side)
    }

    /// Whether a game has the property for the player of `side`; `score` is that of the first side
    /// in hundredths, by the judge.
    pub(super) fn holds(&self, game: &StoredGame, side: Side, score: Option<i32>) -> bool {
        if let Some(moves) = self.shorter_than {
            return game.plies.div_ceil(2) < moves;
        }
        if let Some(pawns) = self.ahead_by {
            let own = score.map(|score| if side == Side::First { score } else { -score });
            return own.is_some_and(|own| f64::from(own) >= 100.0 * pawns && own > 0);
        }
        game.reason == EndReason::Stalemate && last_mover(game) == side
    }
}

/// Side that made the last move, in a game from a position with the first side to move.
fn last_mover(game: &StoredGame) -> Side {
    if game.plies.is_multiple_of(2) { Side::Second } else { Side::First }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::pairs::PairMatch;

    fn game(index: u64, result: Outcome, reason: EndReason, plies: u32) -> StoredGame {
        StoredGame {
            index,
            first: String::new(),
            second: String::new(),
            opening: None,
            moves: String::new(),
            result,
            reason,
            category: None,
            detail: None,
            plies,
            stats: Default::default(),
            record: String::new(),
            finished_at: 0,
        }
    }

    fn statement(more: &str) -> PairStatement {
        toml::from_str(&format!("says = 's'\nplayer = 'A'\nshare = 0.5\n{more}")).unwrap()
    }

    fn played(first: &str, second: &str) -> PairMatch {
        let [first, second] = [first, second].map(str::to_owned);
        PairMatch { first, second, games: None, published: None }
    }

    #[test]
    fn games_are_chosen_by_player_and_result() {
        let won = game(0, Outcome::Win(Side::First), EndReason::Checkmate, 9);
        let side = |more: &str, played: &PairMatch, game: &StoredGame| {
            statement(more).side_in(played, game)
        };
        let (ours, theirs, others) = (played("A", "B"), played("B", "A"), played("B", "C"));
        assert_eq!(side("among = 'won'", &ours, &won), Some(Side::First));
        assert_eq!(side("among = 'won'", &theirs, &won), None, "B was first and won");
        assert_eq!(side("among = 'lost'", &theirs, &won), Some(Side::Second));
        assert_eq!(side("", &others, &won), None);
        assert_eq!(side("against = ['C']", &ours, &won), None);
        let second = StoredGame { index: 1, ..won };
        assert_eq!(side("among = 'lost'", &ours, &second), Some(Side::Second));
        let draw = |reason| game(0, Outcome::Draw, reason, 10);
        for reason in [EndReason::Repetition, EndReason::NoProgress, EndReason::Length] {
            assert_eq!(side("among = 'forced'", &ours, &draw(reason)), Some(Side::First));
            assert_eq!(side("among = 'drawn'", &ours, &draw(reason)), None);
        }
        let stalemate = draw(EndReason::Stalemate);
        assert_eq!(side("among = 'drawn'", &ours, &stalemate), Some(Side::First));
        assert_eq!(side("among = 'forced'", &ours, &stalemate), None);
    }

    #[test]
    fn properties_are_those_of_the_player() {
        let won = |plies| game(0, Outcome::Win(Side::First), EndReason::Checkmate, plies);
        let short = statement("shorter_than = 40");
        assert!(short.holds(&won(78), Side::First, None));
        assert!(!short.holds(&won(79), Side::First, None), "79 plies are 40 moves of one side");
        let ahead = statement("ahead_by = 3.0");
        assert!(ahead.holds(&won(9), Side::First, Some(300)));
        assert!(!ahead.holds(&won(9), Side::First, Some(299)));
        assert!(ahead.holds(&won(9), Side::Second, Some(-300)));
        assert!(!ahead.holds(&won(9), Side::Second, None));
        assert!(!statement("ahead_by = 0").holds(&won(9), Side::First, Some(0)));
        let gives = statement("gives_stalemate = true");
        let stalemate = game(0, Outcome::Draw, EndReason::Stalemate, 11);
        assert!(gives.holds(&stalemate, Side::First, None));
        assert!(!gives.holds(&stalemate, Side::Second, None));
        assert!(!gives.holds(&won(11), Side::First, None));
    }
}
