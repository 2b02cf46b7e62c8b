//! Tags of a game record: players, date, time control, opening and termination, by the conventions of
//! each format.

use crate::{build, game::Opening};
use ludus_core::{Clock, EndReason, Limits, Side};
use ludus_formats::{Format, Record};
use ludus_players::{Board, Finish};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Event of the games of contests.
pub const CONTEST_EVENT: &str = "Ludus contest";

/// Data of a game for the tags of its record.
#[derive(Clone, Debug)]
pub struct Provenance<'a> {
    /// Event.
    pub event: &'a str,
    /// Round; `-` if there are none.
    pub round: String,
    /// The players, the first side first.
    pub names: [&'a str; 2],
    /// Builds of the players, if known.
    pub builds: Option<[&'a str; 2]>,
    /// Limits of each move, if known.
    pub limits: Option<Limits>,
    /// Random seed, if it makes the game reproducible.
    pub seed: Option<u64>,
    /// Opening given to the players.
    pub opening: Option<&'a Opening>,
    /// Result and reason, if the game is over.
    pub finish: Option<Finish>,
    /// Start time, in seconds since 1970; today's date if unknown.
    pub started_at: Option<u64>,
}

impl Provenance<'_> {
    /// Adds all known tags to `record`, a game of `board`, in front of its own tags.
    pub fn write(&self, board: &dyn Board, record: &mut Record) {
        let format = board.record_format();
        let mut tags = self.roster(board, format, record);
        tags.append(&mut record.tags);
        record.tags = tags;
        let mut add = |name: &str, value: String| record.set_tag(name, value);
        if format == Format::Sgf {
            self.write_sgf(&mut add);
        } else {
            if let Some(seconds) = self.started_at {
                add("UTCDate", date(seconds, '.'));
                add("UTCTime", time(seconds));
            }
            if let Some(limits) = &self.limits {
                add("TimeControl", time_control(limits));
            }
        }
        if let Some(opening) = self.opening.filter(|opening| !opening.moves.is_empty()) {
            add("Opening", opening.moves.join(" "));
        }
        // Tags without an SGF property come last, all in one property: a node has each only once.
        if let Some(limits) = self.limits.as_ref().and_then(other_limits) {
            add("Limits", limits);
        }
        add("Termination", termination(self.finish).to_owned());
        if let Some(finish) = self.finish {
            add("Reason", finish.reason.id().to_owned());
        }
        if let Some(seed) = self.seed {
            add("Seed", seed.to_string());
        }
        if let Some(builds) = self.builds {
            let [white, black] = white_and_black(board, builds);
            for (name, value) in [
                ("WhiteType", "program"),
                ("BlackType", "program"),
                ("WhiteBuild", white),
                ("BlackBuild", black),
                ("LudusBuild", build::BUILD),
            ] {
                add(name, value.to_owned());
            }
        }
    }

    /// The seven tag roster of PGN, in its order.
    fn roster(&self, board: &dyn Board, format: Format, record: &Record) -> Vec<(String, String)> {
        let [white, black] = white_and_black(board, self.names);
        let separator = if format == Format::Sgf { '-' } else { '.' };
        let tags = [
            ("Event", self.event.to_owned()),
            ("Site", "?".to_owned()),
            ("Date", date(self.started_at.unwrap_or_else(now), separator)),
            ("Round", self.round.clone()),
            ("White", white.to_owned()),
            ("Black", black.to_owned()),
            ("Result", record.result.text.clone()),
        ];
        tags.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }

    /// SGF properties `AP`, `TM`, `OT` and `GC`.
    fn write_sgf(&self, add: &mut impl FnMut(&str, String)) {
        add("AP", format!("Ludus:{}", env!("CARGO_PKG_VERSION")));
        let Limits { time, clock, .. } = self.limits.unwrap_or_default();
        if let Some(Clock { remaining, increment, .. }) = clock {
            add("TimeLimit", seconds(remaining));
            if increment > Duration::ZERO {
                add("Overtime", format!("{} s a move added (Fischer)", seconds(increment)));
            }
        } else if let Some(time) = time {
            add("TimeLimit", "0".to_owned());
            add("Overtime", format!("{} s a move", seconds(time)));
        }
        if let Some(finish) = self.finish {
            add("GameComment", format!("The game ended {}.", finish.reason));
        }
    }
}

fn white_and_black<'a>(board: &dyn Board, [first, second]: [&'a str; 2]) -> [&'a str; 2] {
    if board.white() == Side::First { [first, second] } else { [second, first] }
}

/// Value of the PGN tag `Termination`.
fn termination(finish: Option<Finish>) -> &'static str {
    match finish.map(|finish| finish.reason) {
        None => "unterminated",
        Some(EndReason::Time) => "time forfeit",
        Some(EndReason::Forfeit) => "rules infraction",
        Some(EndReason::Adjudication | EndReason::Length) => "adjudication",
        Some(_) => "normal",
    }
}

/// Value of the PGN tag `TimeControl`: `60+1` for a clock with increment, `1/0.5` for half a second
/// per move, `-` for none. Fractions of seconds are a common extension.
fn time_control(limits: &Limits) -> String {
    let clock = limits.clock.map(|Clock { remaining, increment, .. }| {
        let remaining = seconds(remaining);
        match increment {
            Duration::ZERO => remaining,
            increment => format!("{remaining}+{}", seconds(increment)),
        }
    });
    let a_move = limits.time.map(|time| format!("1/{}", seconds(time)));
    // With both limits, periods are separated by colons.
    match (clock, a_move) {
        (None, None) => "-".to_owned(),
        (Some(one), None) | (None, Some(one)) => one,
        (Some(clock), Some(a_move)) => format!("{a_move}:{clock}"),
    }
}

/// Limits other than time, such as `depth 4, nodes 1000`.
fn other_limits(limits: &Limits) -> Option<String> {
    let depth = limits.depth.map(|depth| format!("depth {depth}"));
    let nodes = limits.nodes.map(|nodes| format!("nodes {nodes}"));
    let limits: Vec<String> = [depth, nodes].into_iter().flatten().collect();
    (!limits.is_empty()).then(|| limits.join(", "))
}

/// Seconds with as many decimals as are needed.
fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The date `seconds` after the beginning of 1970, in UTC.
pub fn date(seconds: u64, separator: char) -> String {
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}{separator}{month:02}{separator}{day:02}")
}

/// The time of day, in UTC.
fn time(seconds: u64) -> String {
    let seconds = seconds % 86_400;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The Gregorian date `days` after 1970-01-01, in years that begin in March.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468; // since 0000-03-01
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153; // 0 is March
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year_of_era + next_year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Outcome;
    use ludus_formats::WriteOptions;
    use ludus_players::find_game;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(59), (1970, 3, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_017), (2000, 3, 1));
        assert_eq!(civil(19_722), (2023, 12, 31));
        assert_eq!(civil(20_772), (2026, 11, 15));
        assert_eq!((date(86_399, '.'), time(86_399)), ("1970.01.01".into(), "23:59:59".into()));
    }

    #[test]
    fn times_are_said_as_the_standard_says_them() {
        let milliseconds = Duration::from_millis;
        let clock = |remaining, increment| {
            let (remaining, increment) = (milliseconds(remaining), milliseconds(increment));
            let clock = Some(Clock { remaining, increment, moves_to_go: None });
            Limits { clock, ..Limits::default() }
        };
        assert_eq!(time_control(&Limits::default()), "-");
        assert_eq!(time_control(&clock(60_000, 1_000)), "60+1");
        assert_eq!(time_control(&clock(5_000, 50)), "5+0.05");
        assert_eq!(time_control(&clock(300_000, 0)), "300");
        let a_move = Limits { time: Some(milliseconds(500)), ..Limits::default() };
        assert_eq!(time_control(&a_move), "1/0.5");
        assert_eq!(time_control(&Limits { time: a_move.time, ..clock(10_000, 0) }), "1/0.5:10");
        let limits = Limits { depth: Some(4), nodes: Some(1000), ..Limits::default() };
        assert_eq!(other_limits(&limits).unwrap(), "depth 4, nodes 1000");
    }

    #[test]
    fn every_ending_has_a_word_of_the_standard() {
        let words = ["normal", "time forfeit", "rules infraction", "adjudication", "unterminated"];
        for reason in EndReason::ALL {
            let finish = Finish { outcome: Outcome::Draw, reason, margin: None };
            assert!(words.contains(&termination(Some(finish))), "{reason}");
        }
        assert_eq!(termination(None), "unterminated");
    }

    /// A game of two moves as text.
    fn text(game: &str, moves: [&str; 2], limits: Limits) -> String {
        let (game, options) = find_game(game).unwrap();
        let mut board = game.open(&options, None).unwrap();
        for mv in moves {
            board.play(mv).unwrap();
        }
        let outcome = Outcome::Win(Side::Second);
        let finish = Finish { outcome, reason: EndReason::Forfeit, margin: None };
        let mut record = board.record(Some(finish));
        let opening = Opening { position: None, moves: vec![moves[0].to_owned()] };
        let provenance = Provenance {
            event: "cup",
            round: "3".to_owned(),
            names: ["one", "other"],
            builds: Some(["b1", "b2"]),
            limits: Some(limits),
            seed: Some(7),
            opening: Some(&opening),
            finish: Some(finish),
            started_at: Some(1_794_700_800),
        };
        provenance.write(&*board, &mut record);
        let text = board.record_format().write(&record, &WriteOptions::default());
        let again = board.record_format().read(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.open_record(&options, &again).unwrap().moves(), board.moves());
        text
    }

    #[test]
    fn pgn_and_pdn_tell_where_a_game_comes_from() {
        let clock = Clock {
            remaining: Duration::from_secs(5),
            increment: Duration::from_millis(50),
            moves_to_go: None,
        };
        let limits = Limits { clock: Some(clock), nodes: Some(9), ..Limits::default() };
        let pgn = text("chess", ["e2e4", "e7e5"], limits);
        let expected = "[Event \"cup\"]\n[Site \"?\"]\n[Date \"2026.11.15\"]\n[Round \"3\"]\n\
             [White \"one\"]\n[Black \"other\"]\n[Result \"0-1\"]\n[UTCDate \"2026.11.15\"]\n\
             [UTCTime \"00:00:00\"]\n[TimeControl \"5+0.05\"]\n[Opening \"e2e4\"]\n\
             [Limits \"nodes 9\"]\n[Termination \"rules infraction\"]\n[Reason \"forfeit\"]\n\
             [Seed \"7\"]\n[WhiteType \"program\"]\n[BlackType \"program\"]\n\
             [WhiteBuild \"b1\"]\n[BlackBuild \"b2\"]\n";
        assert!(pgn.starts_with(expected), "{pgn}");
        // In English draughts Black moves first.
        let pdn = text("draughts", ["11-15", "22-18"], limits);
        for tag in ["[Black \"one\"]", "[BlackBuild \"b1\"]", "[TimeControl \"5+0.05\"]"] {
            assert!(pdn.contains(tag), "{tag}: {pdn}");
        }
    }

    #[test]
    fn sgf_tells_where_a_game_comes_from() {
        let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
        let sgf = text("go:size=9", ["E5", "C3"], limits);
        for property in [
            "EV[cup]",
            "RO[3]",
            "DT[2026-11-15]",
            "PB[one]",
            "PW[other]",
            "RE[W+F]",
            "TM[0]",
            "OT[0.2 s a move]",
            "AP[Ludus:",
            "GC[The game ended by forfeit.]",
            "ON[E5]",
            "[BlackBuild:b1]",
            "[Termination:rules infraction]",
            "[Reason:forfeit]",
            "[Seed:7]",
        ] {
            assert!(sgf.contains(property), "{property}: {sgf}");
        }
        assert_eq!(sgf.matches("TAG[").count(), 1, "a property stands only once in a node: {sgf}");
    }
}
