//! Options that players share, read from their spec.

use ludus_core::{Limits, OptionKind, OptionSpec, Options, TextError};
use std::time::Duration;

/// An option with any text: a path, a time, options of an external engine.
pub const fn text(name: &'static str, default: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Text, default, about }
}

/// An option that is a whole number from 0, where 0 means not set.
pub const fn integer(name: &'static str, max: i64, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Integer { min: 0, max }, default: "0", about }
}

/// An option that is on or off.
pub const fn switch(name: &'static str, default: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Switch, default, about }
}

/// The value of a whole-number option, converted; `None` if it is 0 or does not fit.
pub fn nonzero<T: TryFrom<i64>>(options: &Options, name: &str) -> Option<T> {
    let value = options.integer(name);
    if value == 0 { None } else { T::try_from(value).ok() }
}

/// A time such as `500ms`, `2s` or `1m`; a bare number is seconds, an empty text `None`.
pub fn time(options: &Options, name: &str) -> Result<Option<Duration>, TextError> {
    let text = options.text(name);
    if text.is_empty() {
        return Ok(None);
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => Some(0.001),
        "s" | "" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let seconds = unit.and_then(|unit| Some(digits.parse::<f64>().ok()? * unit));
    let day = Duration::from_secs(86_400);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match time.filter(|time| *time <= day) {
        Some(time) => Ok(Some(time)),
        None => Err(TextError::whole(name, text, "a time such as 500ms, 2s or 1m, up to a day")),
    }
}

/// The limits in the spec of a player: `depth`, `nodes` and `time`.
pub fn limits(options: &Options) -> Result<Limits, TextError> {
    Ok(Limits {
        depth: nonzero(options, "depth"),
        nodes: nonzero(options, "nodes"),
        time: time(options, "time")?,
        clock: None,
    })
}

/// The text of the file an option names.
pub fn read(option: &str, file: &str) -> Result<String, TextError> {
    std::fs::read_to_string(file).map_err(|error| {
        TextError::whole(option, file, format!("a file that can be read ({error})"))
    })
}

/// The bytes of the file an option names.
pub fn read_bytes(option: &str, file: &str) -> Result<Vec<u8>, TextError> {
    std::fs::read(file).map_err(|error| {
        TextError::whole(option, file, format!("a file that can be read ({error})"))
    })
}

/// The player's `own` limits, and the caller's where it has none.
pub fn merge_limits(own: &Limits, caller: &Limits) -> Limits {
    Limits {
        depth: own.depth.or(caller.depth),
        nodes: own.nodes.or(caller.nodes),
        time: own.time.or(caller.time),
        clock: caller.clock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: &[OptionSpec] =
        &[text("time", "", ""), integer("depth", 99, ""), integer("nodes", 999, "")];

    fn limits_of(spec: &str) -> Result<Limits, TextError> {
        limits(&Options::parse(spec, OPTIONS).unwrap())
    }

    #[test]
    fn own_limits_go_before_the_callers() {
        let own = limits_of("uci:depth=2,time=50ms").unwrap();
        let caller = Limits { depth: Some(9), nodes: Some(100), ..Limits::default() };
        let both = merge_limits(&own, &caller);
        assert_eq!((both.depth, both.nodes), (Some(2), Some(100)));
        assert_eq!(both.time, Some(Duration::from_millis(50)));
        assert_eq!(limits_of("uci").unwrap(), Limits::default());
    }

    #[test]
    fn bad_times_are_refused() {
        for bad in ["x", "-1s", "1e99h", "NaN", "25h"] {
            let error = limits_of(&format!("uci:time={bad}")).unwrap_err();
            assert!(error.to_string().contains("500ms"), "{error}");
        }
    }
}
