//! Locations of settings in a TOML file, for error messages.

use ludus_core::TextError;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Adds the line and column of the setting an error is about, if it can be found: by the path in
/// front of ` = `, such as `published.games`, or by a value that is text.
pub(super) fn with_location(text: &str, error: TextError) -> TextError {
    if error.line > 0 {
        return error;
    }
    let Ok(table) = DeTable::parse(text) else { return error };
    let mut settings = Vec::new();
    collect(table.get_ref(), "", &mut settings);
    let (path, value) = error.found.split_once(" = ").unwrap_or((&error.found, ""));
    let path = path.split(' ').next().unwrap_or_default();
    let is_named =
        |setting: &&Setting| setting.path == path || setting.path.ends_with(&format!(".{path}"));
    let is_same = |setting: &&Setting| setting.value == value;
    let named = settings.iter().filter(is_named);
    let found = named.clone().find(is_same).or_else(|| named.clone().next());
    let found = found.or_else(|| settings.iter().find(|setting| setting.value == error.found));
    let Some(found) = found else { return error };
    let TextError { line, column, .. } = TextError::at("", text, found.start, "");
    TextError { line, column, ..error }
}

/// A setting of the file.
struct Setting {
    /// Its keys from the outermost, joined by dots; items of a list have the path of the list.
    path: String,
    /// Its value, if that is a number or text.
    value: String,
    /// Byte offset of its start.
    start: usize,
}

fn collect(table: &DeTable<'_>, above: &str, settings: &mut Vec<Setting>) {
    for (key, value) in table {
        let path = match (above, key.get_ref()) {
            ("", key) => key.to_string(),
            (above @ "figures", key) => format!("{above}.\"{key}\""),
            (above, key) => format!("{above}.{key}"),
        };
        note(value, &path, key.span().start, settings);
    }
}

fn note(value: &Spanned<DeValue<'_>>, path: &str, start: usize, settings: &mut Vec<Setting>) {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => shown(&number.to_string()),
        DeValue::Float(number) => shown(&number.to_string()),
        _ => String::new(),
    };
    settings.push(Setting { path: path.to_owned(), value: text, start });
    match value.get_ref() {
        DeValue::Table(table) => collect(table, path, settings),
        DeValue::Array(items) => {
            items.iter().for_each(|item| note(item, path, item.span().start, settings));
        }
        _ => {}
    }
}

/// A number as errors show it: `60`, not `60.0`.
fn shown(number: &str) -> String {
    number.parse::<f64>().map_or_else(|_| number.to_owned(), |number| number.to_string())
}
