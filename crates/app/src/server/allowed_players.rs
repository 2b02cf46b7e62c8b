//! Players and options that requests may name. Players that start programs, files and large memory are
//! refused.

use super::error::ApiError;
use ludus_core::{OptionKind, OptionSpec, Options, TextError, options::split_name};
use ludus_players::{Game, external};

/// Maximum memory of a player.
const MAX_PLAYER_BYTES: u64 = 1 << 30;
/// Text options that never name a file.
const NON_FILE_OPTIONS: &[&str] = &["time", "set", "without", "winner"];
/// Option for searching during the opponent's turn.
const PONDER: &str = "ponder";
/// Values of other text options that name no file.
const NON_FILE_VALUES: &[&str] = &["", "on", "off", "auto"];

/// Refuses unknown players and those that start programs, read files or need too much memory.
pub fn check_player(game: &dyn Game, player: &str) -> Result<(), ApiError> {
    check_player_reading(game, player, |_| false)
}

/// Like [`check_player`], but allows files for which `may_read` is true.
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
        let names_no_file = NON_FILE_OPTIONS.contains(&spec.name)
            || NON_FILE_VALUES.contains(&value)
            || value == spec.default;
        match spec.kind {
            OptionKind::Text if !names_no_file && !may_read(value) => {
                let expected = "a built-in value: files cannot be named here";
                return Err(TextError::whole(spec.name, value, expected).into());
            }
            OptionKind::Bytes if options.bytes(spec.name) > MAX_PLAYER_BYTES => {
                return Err(TextError::whole(spec.name, value, "at most 1GB").into());
            }
            OptionKind::Switch if spec.name == PONDER && options.switch(spec.name) => {
                let expected = "off: pondering is not available here";
                return Err(TextError::whole(spec.name, value, expected).into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether clients may set an option: not those that name files, nor pondering.
pub fn is_offered(option: &OptionSpec) -> bool {
    let names_files = matches!(option.kind, OptionKind::Text)
        && option.default.is_empty()
        && !NON_FILE_OPTIONS.contains(&option.name);
    !names_files && option.name != PONDER
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

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
        assert!(refused("chess", "engine:ponder=on").contains("pondering is not available"));
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
}
