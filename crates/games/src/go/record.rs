//! SGF properties of a game besides its moves.
//!
//! `SZ` is the size, `KM` komi, `HA` the handicap and `RU` the rules. An unknown rule set is read
//! as the default one, because most programs write a name of their own there. Komi in the stones of
//! Chinese counting (`3.75`, or `375` as Fox writes it) is twice as many points. Options without an
//! SGF property are kept in a tag `Game`, which takes precedence.

use super::{board::GoBoard, notation::read_record, position::Go, rules::GoRules};
use ludus_core::{Notation, OptionSpec, Options, Side, TextError, notation::GAME_TAG};

/// The value of `GM` for Go.
const GO: &str = "1";

/// Rule sets as our options and as `RU` name them; several names may mean one set.
const RULE_NAMES: [(&str, &str); 8] = [
    ("chinese", "Chinese"),
    ("japanese", "Japanese"),
    ("japanese", "Korean"),
    ("aga", "AGA"),
    ("new-zealand", "NZ"),
    ("new-zealand", "New Zealand"),
    ("tromp-taylor", "Tromp-Taylor"),
    ("tromp-taylor", "Tromp Taylor"),
];

pub(super) fn tags(options: &Options) -> Vec<(&'static str, String)> {
    let rules = options.text("rules");
    let name = RULE_NAMES.iter().find(|(ours, _)| *ours == rules).expect("every set has a name");
    let komi =
        GoRules::new(options).map_or_else(|_| String::new(), |rules| rules.komi().to_string());
    let mut tags = vec![
        ("GM", GO.to_owned()),
        ("SZ", options.text("size").to_owned()),
        ("KM", komi),
        ("Rules", name.1.to_owned()),
    ];
    if options.integer("handicap") > 0 {
        tags.push(("HA", options.text("handicap").to_owned()));
    }
    let only_in_game_tag =
        |spec: &&OptionSpec| !matches!(spec.name, "size" | "komi" | "handicap" | "rules");
    if Go::OPTIONS
        .iter()
        .filter(only_in_game_tag)
        .any(|spec| options.text(spec.name) != spec.default)
    {
        tags.push((GAME_TAG, options.to_string()));
    }
    tags
}

pub(super) fn options<'a>(
    tag: &dyn Fn(&str) -> Option<&'a str>,
) -> Result<Option<Options>, TextError> {
    if tag("GM").is_some_and(|game| game != GO) {
        return Ok(None);
    }
    let mut text = String::new();
    let mut set = |name: &str, value: &str| text += &format!("{name}={value},");
    if let Some(size) = tag("SZ") {
        let (columns, rows) = split_size(size);
        if columns != rows {
            return Err(TextError::whole("SZ", size, "a square board"));
        }
        set("size", columns);
    }
    if let Some(rules) = tag("Rules") {
        let known = RULE_NAMES.iter().find(|(_, name)| name.eq_ignore_ascii_case(rules));
        set("rules", known.map_or("chinese", |(ours, _)| ours));
    }
    let read = |text: &str| {
        let text = format!("{}:{}", Go::ID, text.trim_end_matches(','));
        Options::parse(text.trim_end_matches(':'), Go::OPTIONS)
    };
    if let Some(stones) = tag("HA") {
        // Free handicaps, or more stones than have usual points, are set up by `AB` alone.
        let with_handicap = format!("{text}handicap={stones},");
        if read(&with_handicap).is_ok_and(|options| Go::start(&options).is_ok()) {
            text = with_handicap;
        }
    }
    let options = read(&text)?;
    let usual = GoRules::new(&options)?.komi().to_string();
    match tag("KM").map(|komi| komi.replace(',', ".")) {
        Some(komi) if !komi.is_empty() && komi != usual => {
            let komi = in_points(&komi).unwrap_or(komi);
            read(&format!("{text}komi={komi}")).map(Some)
        }
        _ => Ok(Some(options)),
    }
}

/// The points of a komi given in stones, which shows in its quarters; `None` if it is not.
fn in_points(komi: &str) -> Option<String> {
    const HUNDREDTHS: f64 = 100.0;
    let number: f64 = komi.parse().ok()?;
    let stones = if number >= HUNDREDTHS { number / HUNDREDTHS } else { number };
    let quarters = 4.0 * stones;
    let in_quarters = quarters.rem_euclid(2.0) == 1.0;
    in_quarters.then(|| (quarters / 2.0).to_string())
}

/// `19` and `19:19` alike.
fn split_size(size: &str) -> (&str, &str) {
    size.split_once(':').unwrap_or((size, size))
}

/// The board with `stones` at points such as `dd`; Black moves unless `turn` says otherwise.
pub(super) fn set_up(
    options: &Options,
    stones: &[(Side, String)],
    turn: Option<Side>,
) -> Result<Go, TextError> {
    let mut board = GoBoard::new(options.integer("size") as usize);
    for (side, text) in stones {
        let error = |expected: String| TextError::whole("set-up stone", text, expected);
        let point = read_record(&board, text).ok_or_else(|| {
            error(format!("a point of a board of size {}, such as aa", board.size()))
        })?;
        if board.stone(point).is_some() {
            return Err(error("an empty point: there is a stone".to_owned()));
        }
        if board.play(*side, point) > 0 {
            return Err(error("stones that all have a liberty".to_owned()));
        }
    }
    Ok(Go::new(board, turn.unwrap_or(Side::First), GoRules::new(options)?))
}
