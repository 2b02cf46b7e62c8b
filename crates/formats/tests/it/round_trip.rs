//! Random records are written and read back; random text is read without a panic.

use crate::common::{one, read};
use ludus_formats::{
    Format, GameResult, NodeId, PieceColour, Property, Record, RecordNode, WriteOptions,
};
use proptest::prelude::*;

/// A node to add: its content and the choice of its parent.
#[derive(Clone, Debug)]
struct Sprout {
    parent: prop::sample::Index,
    /// Continues the newest line instead, as most moves do.
    grow: bool,
    mv: String,
    nags: Vec<u16>,
    comments: Vec<String>,
    before: Vec<String>,
    colour: PieceColour,
    properties: Vec<Property>,
}

fn comment() -> impl Strategy<Value = String> {
    let words = "[a-z0-9!?%;()\\[\\]{}\\\\:.é☗\"$]{1,9}( {1,3}[%\\[a-zA-Z}(\\]]{1,12}){0,20}";
    prop_oneof![Just("short".to_owned()), words.prop_map(String::from)]
}

fn property() -> impl Strategy<Value = Property> {
    let name = prop::sample::select(vec!["AB", "AE", "PL", "TR", "LB", "XX9", "N", "CR"]);
    let value = "([a-zé:\\[\n ]|\\\\\\]|\\\\\\\\){0,6}";
    (name, prop::collection::vec(value, 1..3))
        .prop_map(|(name, values)| Property { name: name.to_owned(), values })
}

fn sprout() -> impl Strategy<Value = Sprout> {
    let mv = "[a-hKQRBN][a-h1-8x+#=:-]{1,6}|[1-9][0-9]?[-x][3-9][0-9]?";
    let parts = (
        any::<prop::sample::Index>(),
        prop::bool::weighted(0.8),
        mv,
        prop::collection::vec(any::<u16>(), 0..3),
        prop::collection::vec(comment(), 0..3),
        prop::collection::vec(comment(), 0..2),
        any::<bool>(),
        prop::collection::vec(property(), 0..2),
    );
    parts.prop_map(|(parent, grow, mv, nags, comments, before, black, properties)| Sprout {
        parent,
        grow,
        mv,
        nags,
        comments,
        before,
        colour: if black { PieceColour::Black } else { PieceColour::White },
        properties,
    })
}

/// A record with everything that any format can represent.
fn record() -> impl Strategy<Value = Record> {
    let tag = ("[A-Z][A-Za-z0-9_]{0,8}", "[a-zA-Z0-9 \"\\\\\\[\\]é:;%{}]{0,20}");
    let result = prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*"]);
    let sprouts = prop::collection::vec(sprout(), 0..40);
    (prop::collection::vec(tag, 0..12), result, sprouts, prop::collection::vec(comment(), 0..2))
        .prop_map(|(tags, result, sprouts, comments)| {
            let mut record = Record::new();
            record.tags = tags;
            record.result = GameResult::from(result);
            record[Record::ROOT].comments = comments;
            let mut ids = vec![Record::ROOT];
            for sprout in sprouts {
                let parent =
                    if sprout.grow { *ids.last().unwrap() } else { *sprout.parent.get(&ids) };
                let Sprout { mv, nags, comments, before, colour, properties, .. } = sprout;
                let (mv, colour) = (mv.into(), Some(colour));
                let node = RecordNode { mv, colour, nags, before, comments, properties };
                ids.push(record.add(parent, node));
            }
            record
        })
}

fn for_each_node(record: &mut Record, mut change: impl FnMut(&mut Record, NodeId)) {
    let ids: Vec<NodeId> = record.preorder().collect();
    for id in ids {
        change(record, id);
    }
}

/// Keeps only what PGN and PDN can represent: no colours or properties, and comments before a move
/// only if it starts a variation or follows one.
fn for_movetext(mut record: Record) -> Record {
    for_each_node(&mut record, |record, id| {
        let starts_variation =
            record.parent(id).is_some_and(|parent| record.next(parent) != Some(id));
        let follows_variation = record.parent(id).is_some_and(|parent| {
            let grandparent = record.parent(parent);
            record.next(parent) == Some(id)
                && record.next_sibling(parent).is_some()
                && grandparent.is_some_and(|above| record.next(above) == Some(parent))
        });
        let node = &mut record[id];
        node.colour = None;
        node.properties.clear();
        if !starts_variation && !follows_variation {
            node.before.clear();
        }
    });
    record
}

/// Keeps only what SGF can represent: one comment after each move, and valid AP and SZ.
fn for_sgf(mut record: Record) -> Record {
    for_each_node(&mut record, |record, id| {
        let node = &mut record[id];
        node.before.clear();
        node.comments.truncate(1);
    });
    record.tags.retain(|(name, _)| name != "AP" && name != "SZ" && name != "Result");
    record
}

fn check(format: Format, record: &Record) -> Result<(), TestCaseError> {
    let text = format.write(record, &WriteOptions::default());
    prop_assert_eq!(&one(format, &text), &format.completed(record), "{}", text);
    Ok(())
}

/// Tokens with a meaning in one of the formats.
const SOUP: [&str; 44] = [
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    "\"",
    "\\",
    "*",
    "!",
    "?",
    "$",
    "$7",
    "%",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "1.",
    "1...",
    "1-0",
    "1/2-1/2",
    "0-0",
    "e4",
    "11-15",
    "22x15",
    "e.p.",
    "[A \"",
    "\"]",
    "[Event \"x\"]\n",
    "(;",
    ";B[",
    ";W[aa]",
    "AB[aa:",
    "C[",
    "TAG[a:b]",
    "NAG[",
    "FF[4]",
    "CA[x]",
    "RE[B+",
    "é",
    "\u{feff}",
    "½-½",
];

/// Checks that writing what was read and reading it again gives the same record.
fn check_any(format: Format, bytes: &[u8]) -> Result<(), TestCaseError> {
    for record in read(format, bytes).into_iter().flatten() {
        check(format, &record)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn pgn_reads_back_what_it_wrote(record in record()) {
        check(Format::Pgn, &for_movetext(record))?;
    }

    #[test]
    fn pdn_reads_back_what_it_wrote(record in record()) {
        check(Format::Pdn, &for_movetext(record))?;
    }

    #[test]
    fn sgf_reads_back_what_it_wrote(record in record()) {
        check(Format::Sgf, &for_sgf(record))?;
    }

    #[test]
    fn json_reads_back_what_it_wrote(record in record()) {
        let text = serde_json::to_string(&record).unwrap();
        prop_assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }

    #[test]
    fn files_of_several_games_keep_them_apart(
        records in prop::collection::vec(record().prop_map(for_movetext), 0..5)
    ) {
        for format in [Format::Pgn, Format::Pdn] {
            let options = WriteOptions::default();
            let text: String = records.iter().map(|record| format.write(record, &options)).collect();
            let read: Vec<Record> = read(format, text).into_iter().map(Result::unwrap).collect();
            let written: Vec<Record> = records.iter().map(|record| format.completed(record)).collect();
            prop_assert_eq!(read, written);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in Format::ALL {
            check_any(format, &bytes)?;
        }
    }

    #[test]
    fn any_soup_is_read_without_a_panic(
        words in prop::collection::vec(prop::sample::select(&SOUP[..]), 0..60)
    ) {
        for format in Format::ALL {
            check_any(format, words.concat().as_bytes())?;
        }
    }
}
