//! Helpers of the format tests.

use ludus_formats::{Format, Record, WriteOptions};

/// Every game of `bytes`, errors as text.
pub fn read(format: Format, bytes: impl AsRef<[u8]>) -> Vec<Result<Record, String>> {
    format.read(bytes.as_ref()).map(|game| game.map_err(|error| error.to_string())).collect()
}

/// The only game of `bytes`.
pub fn one(format: Format, bytes: impl AsRef<[u8]>) -> Record {
    let mut games = read(format, bytes);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap()
}

/// The only error of `bytes`.
pub fn error(format: Format, bytes: impl AsRef<[u8]>) -> String {
    let mut games = read(format, bytes);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap_err()
}

/// Writes `record`, checks that it reads back as itself and gives the text.
pub fn written(format: Format, record: &Record, options: &WriteOptions) -> String {
    let text = format.write(record, options);
    assert_eq!(one(format, &text), format.completed(record), "{text}");
    text
}

/// The tree on one line, for comparing: variations in parentheses, glyphs and comments behind
/// their moves, comments before a move in angle brackets.
pub fn tree(record: &Record) -> String {
    fn line(
        record: &Record,
        mut id: ludus_formats::NodeId,
        out: &mut Vec<String>,
        variation: bool,
    ) {
        let mut main = !variation;
        loop {
            let node = &record[id];
            out.extend(node.before.iter().map(|comment| format!("<{comment}>")));
            out.push(node.mv.to_string());
            out.extend(node.nags.iter().map(|nag| format!("${nag}")));
            out.extend(node.comments.iter().map(|comment| format!("{{{comment}}}")));
            let mut beside = if main { record.next_sibling(id) } else { None };
            while let Some(sibling) = beside {
                out.push("(".to_owned());
                line(record, sibling, out, true);
                out.push(")".to_owned());
                beside = record.next_sibling(sibling);
            }
            main = true;
            match record.next(id) {
                Some(next) => id = next,
                None => return,
            }
        }
    }
    let mut out: Vec<String> =
        record.root().comments.iter().map(|comment| format!("{{{comment}}}")).collect();
    if let Some(first) = record.next(Record::ROOT) {
        line(record, first, &mut out, false);
    }
    out.join(" ")
}
