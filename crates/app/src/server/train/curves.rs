//! Curves of a training run, from its log.

use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Maximum number of points of a curve; longer ones are thinned to every second, third … point.
const MAX_POINTS: usize = 1_000;
/// Keys that are not drawn: durations and counts.
const HIDDEN_KEYS: &[&str] = &["event", "seconds", "nodes", "number", "threads"];
/// Events that are not steps of the run.
const NON_STEP_EVENTS: &[&str] = &["begin", "done", "samples", "games"];

/// A figure over the course of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Curve {
    /// Name, such as `error` or `test won`.
    pub name: String,
    /// Unit of the x axis, such as `session`.
    pub x_label: String,
    #[schema(value_type = Vec<(f64, f64)>)]
    pub points: Vec<[f64; 2]>,
}

/// Content of a log.
#[derive(Debug, Default, PartialEq)]
pub struct LogSummary {
    pub curves: Vec<Curve>,
    /// Result in words, once the run is finished.
    pub summary: Option<String>,
    pub checksum: Option<String>,
    /// Number of steps of the latest kind.
    pub steps: u64,
}

/// Reads a log. Incomplete or unknown lines are skipped.
pub fn read(log: &str) -> LogSummary {
    let mut summary_of_log = LogSummary::default();
    // By event and name, in order of appearance.
    let mut curves: Vec<Curve> = Vec::new();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for line in log.lines() {
        let Ok(Value::Object(entry)) = serde_json::from_str(line) else { continue };
        let Some(event) = entry.get("event").and_then(Value::as_str) else { continue };
        let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        if event == "done" {
            summary_of_log.summary = text("summary");
            summary_of_log.checksum = text("checksum");
        }
        if NON_STEP_EVENTS.contains(&event) {
            continue;
        }
        let count = counts.entry(event.to_owned()).or_default();
        *count += 1;
        summary_of_log.steps = *count;
        let x = entry.get(event).and_then(Value::as_f64).unwrap_or(*count as f64);
        let mut figures = Vec::new();
        collect(&entry, event, &mut Vec::new(), &mut figures);
        for (name, y) in figures {
            let place = *places.entry((event.to_owned(), name.clone())).or_insert_with(|| {
                curves.push(Curve { name, x_label: event.to_owned(), points: Vec::new() });
                curves.len() - 1
            });
            curves[place].points.push([x, y]);
        }
    }
    curves.iter_mut().for_each(thin);
    summary_of_log.curves = curves;
    summary_of_log
}

/// Collects the figures of an entry, named by their path.
fn collect(
    entry: &Map<String, Value>,
    event: &str,
    path: &mut Vec<String>,
    figures: &mut Vec<(String, f64)>,
) {
    for (key, value) in entry {
        if HIDDEN_KEYS.contains(&key.as_str()) {
            continue;
        }
        match value {
            Value::Object(inner) => {
                let named = key != event;
                if named {
                    path.push(key.replace('_', " "));
                }
                collect(inner, event, path, figures);
                if named {
                    path.pop();
                }
            }
            Value::Number(number) if key != event => {
                let mut words = path.clone();
                words.push(key.replace('_', " "));
                figures.extend(number.as_f64().map(|number| (words.join(" "), number)));
            }
            _ => {}
        }
    }
}

fn thin(curve: &mut Curve) {
    let step = curve.points.len().div_ceil(MAX_POINTS).max(1);
    let last = curve.points.last().copied();
    curve.points = curve.points.iter().copied().step_by(step).collect();
    if curve.points.last() != last.as_ref() {
        curve.points.extend(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"event":"begin","resume":false,"threads":2}
{"event":"session","seconds":0.5,"session":{"cloned":true,"error":0.02,"nodes":123,"seconds":0.4,"test":{"drawn":1,"lost":0,"loops":0,"won":1}}}
{"event":"session","seconds":0.9,"session":{"cloned":false,"error":0.01,"nodes":120,"seconds":0.4,"test":{"drawn":2,"lost":0,"loops":2,"won":0}}}
{"event":"done","checksum":"00ff","summary":"better"}
{"event":"sess"#;

    fn points<'a>(summary_of_log: &'a LogSummary, name: &str) -> &'a [[f64; 2]] {
        &summary_of_log.curves.iter().find(|curve| curve.name == name).unwrap().points
    }

    #[test]
    fn figures_become_curves_whatever_they_are_of() {
        let summary_of_log = read(LOG);
        assert_eq!(points(&summary_of_log, "error"), [[1.0, 0.02], [2.0, 0.01]]);
        assert_eq!(points(&summary_of_log, "test won"), [[1.0, 1.0], [2.0, 0.0]]);
        assert!(summary_of_log.curves.iter().all(|curve| curve.x_label == "session"));
        assert!(summary_of_log.curves.iter().all(|curve| !curve.name.contains("seconds")));
        assert_eq!((summary_of_log.summary.as_deref(), summary_of_log.steps), (Some("better"), 2));
        let epochs = read("{\"event\":\"epoch\",\"epoch\":7,\"errors\":{\"train\":0.5}}\n");
        assert_eq!(points(&epochs, "errors train"), [[7.0, 0.5]]);
    }

    #[test]
    fn long_curves_are_thinned_and_keep_their_end() {
        let line = |step| format!("{{\"event\":\"step\",\"step\":{step},\"error\":0.5}}\n");
        let summary_of_log = read(&(1..=4_500).map(line).collect::<String>());
        let points = points(&summary_of_log, "error");
        assert!(points.len() <= MAX_POINTS + 1, "{}", points.len());
        assert_eq!(points.last(), Some(&[4_500.0, 0.5]));
    }

    #[test]
    fn any_text_is_a_log() {
        assert_eq!(read("nonsense\n[1]\n{\"event\":3}\n\u{0}"), LogSummary::default());
    }
}
