//! Where a search begins: a position and moves from it, and the players that may be asked there.

use super::error::ApiError;
use ludus_core::{Kind, OptionSpec, Options, Score, TextError, options::split_name};
use ludus_players::{Game, Session, external, find_game};

/// Moves a request may bring.
const MOST_MOVES: usize = 5_000;
/// Memory a player may take for itself.
const MOST_MEMORY: u64 = 1 << 30;
/// Options that are any text, but never name a file.
const PLAIN_TEXTS: &[&str] = &["time", "set", "without", "winner"];
/// The option that lets a player think while the other side does.
const PONDER: &str = "ponder";
/// Values of other texts that name no file.
const PLAIN_VALUES: &[&str] = &["", "on", "off", "auto"];

/// A game, a position in it, and moves from there.
#[derive(Clone)]
pub struct Place {
    pub game: &'static dyn Game,
    pub options: Options,
    position: Option<String>,
    moves: Vec<String>,
}

impl Place {
    /// Checks all of it.
    pub fn new(game: &str, position: Option<&str>, moves: &[String]) -> Result<Place, ApiError> {
        if moves.len() > MOST_MOVES {
            return Err(ApiError::bad(format!(
                "{} moves: expected up to {MOST_MOVES}",
                moves.len()
            )));
        }
        let (game, options) = find_game(game)?;
        let position = position.filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let place = Place { game, options, position, moves: moves.to_vec() };
        place.open()?;
        Ok(place)
    }

    /// A board at the last position.
    pub fn open(&self) -> Result<Box<dyn Session>, TextError> {
        self.open_at(self.moves.len())
    }

    /// A board after the first `plies` moves.
    pub fn open_at(&self, plies: usize) -> Result<Box<dyn Session>, TextError> {
        let mut session = self.game.open(&self.options, self.position.as_deref())?;
        for mv in &self.moves[..plies] {
            session.play(mv)?;
        }
        Ok(session)
    }

    /// The move at this place.
    pub fn mv(&self, ply: usize) -> &str {
        &self.moves[ply]
    }

    /// How many moves there are.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Refuses players that are not here, start programs, read files or want too much memory.
    pub fn check_player(&self, player: &str) -> Result<(), ApiError> {
        check_player(self.game, player)
    }
}

/// Refuses players that are not of this game, start programs, read files or want too much memory.
pub fn check_player(game: &dyn Game, player: &str) -> Result<(), ApiError> {
    check_player_reading(game, player, |_| false)
}

/// The same, but the player may read the files that `may_read` allows.
pub fn check_player_reading(
    game: &dyn Game,
    player: &str,
    may_read: impl Fn(&str) -> bool,
) -> Result<(), ApiError> {
    let (name, _) = split_name(player);
    let players = game.players();
    let known = players.iter().find(|(id, ..)| *id == name && !external::IDS.contains(id));
    let Some((_, _, specs)) = known else {
        let names = players.iter().map(|(id, ..)| *id).filter(|id| !external::IDS.contains(id));
        let names: Vec<&str> = names.collect();
        let expected = format!("one of the players of {} here: {}", game.id(), names.join(", "));
        return Err(TextError::whole("player", name, expected).into());
    };
    let options = Options::parse(player, specs)?;
    for spec in *specs {
        let value = options.text(spec.name);
        let is_plain = PLAIN_TEXTS.contains(&spec.name)
            || PLAIN_VALUES.contains(&value)
            || value == spec.default;
        match spec.kind {
            Kind::Text if !is_plain && !may_read(value) => {
                let expected = "what is built in: files cannot be named here";
                return Err(TextError::whole(spec.name, value, expected).into());
            }
            Kind::Bytes if options.bytes(spec.name) > MOST_MEMORY => {
                return Err(TextError::whole(spec.name, value, "at most 1GB").into());
            }
            Kind::Switch if spec.name == PONDER && options.switch(spec.name) => {
                let expected = "off: here players think only when it is their turn";
                return Err(TextError::whole(spec.name, value, expected).into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether there is anything to choose here: files cannot be named, and nobody thinks on others' time.
pub fn is_offered(option: &OptionSpec) -> bool {
    let names_files = matches!(option.kind, Kind::Text)
        && option.default.is_empty()
        && !PLAIN_TEXTS.contains(&option.name);
    !names_files && option.name != PONDER
}

/// A score for the side to move: "+0.35" or "wins in 5 plies".
pub fn score_words(score: Option<i32>) -> String {
    score.map_or_else(String::new, |score| Score(score).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(game: &str, player: &str) -> String {
        let (game, _) = find_game(game).unwrap();
        check_player(game, player).unwrap_err().message
    }

    #[test]
    fn players_that_reach_beyond_the_server_are_refused() {
        assert!(refused("chess", "uci:path=/bin/sh").contains("one of the players of chess here"));
        assert!(!refused("go", "gtp").contains("gtp,"), "it is not offered either");
        assert!(refused("draughts", "hub").contains("engine"));
        assert!(refused("draughts", "iiga:weights=/etc/passwd").contains("files cannot be named"));
        assert!(refused("go", "engine:net=../x").contains("files cannot be named"));
        assert!(refused("chess", "alphabeta:table=64GB").contains("at most 1GB"));
        assert!(refused("chess", "alphabeta:depth=x").contains("whole number"));
        assert!(refused("chess", "engine:ponder=on").contains("only when it is their turn"));
        let (chess, _) = find_game("chess").unwrap();
        assert!(check_player(chess, "engine:level=3").is_ok());
        assert!(check_player(chess, "alphabeta:depth=3,time=2s").is_ok());
    }

    #[test]
    fn what_is_always_refused_is_not_offered() {
        let offered = |game: &str, player: &str| {
            let (game, _) = find_game(game).unwrap();
            let players = game.players();
            let (_, _, options) = players.iter().find(|(id, ..)| *id == player).unwrap();
            options.iter().filter(|one| is_offered(one)).map(|one| one.name).collect::<Vec<_>>()
        };
        let chess = offered("chess", "engine");
        assert!(chess.contains(&"level") && chess.contains(&"eval"), "{chess:?}");
        assert!(!chess.contains(&"weights") && !chess.contains(&"ponder"), "{chess:?}");
        let go = offered("go", "engine");
        assert!(go.contains(&"net") && go.contains(&"time"), "{go:?}");
    }

    #[test]
    fn scores_are_told_in_words() {
        assert_eq!(score_words(Some(35)), "+0.35");
        assert_eq!(score_words(Some(Score::WIN.0 - 5)), "wins in 5 plies");
        assert_eq!(score_words(None), "");
    }
}
