//! Curves of a run, from what it wrote into its log.

use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Points of a curve; of longer ones every second, third … point is shown.
const MOST_POINTS: usize = 1_000;
/// What says how long things took or how many they were, but not how good.
const NOT_SHOWN: &[&str] = &["event", "seconds", "nodes", "number", "threads"];
/// Lines that are no steps of the run.
const NO_STEPS: &[&str] = &["begin", "done", "samples", "games"];

/// A figure that changed in the course of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Curve {
    /// Such as `error` or `test won`.
    pub name: String,
    /// What is counted from left to right, such as `session`.
    pub x_label: String,
    pub points: Vec<[f64; 2]>,
}

/// What a log tells.
#[derive(Debug, Default, PartialEq)]
pub struct Story {
    pub curves: Vec<Curve>,
    /// What the run says of its result, once it is done.
    pub summary: Option<String>,
    pub checksum: Option<String>,
    /// Steps of the last kind that were made.
    pub steps: u64,
}

/// Reads a log. A line that is not whole yet, or not ours, is passed over.
pub fn read(log: &str) -> Story {
    let mut story = Story::default();
    // By event and name, in the order in which they come up.
    let mut curves: Vec<Curve> = Vec::new();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for line in log.lines() {
        let Ok(Value::Object(entry)) = serde_json::from_str(line) else { continue };
        let Some(event) = entry.get("event").and_then(Value::as_str) else { continue };
        let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        if event == "done" {
            story.summary = text("summary");
            story.checksum = text("checksum");
        }
        if NO_STEPS.contains(&event) {
            continue;
        }
        let count = counts.entry(event.to_owned()).or_default();
        *count += 1;
        story.steps = *count;
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
    story.curves = curves;
    story
}

/// The figures in an entry, named by the way that leads to them.
fn collect(
    entry: &Map<String, Value>,
    event: &str,
    way: &mut Vec<String>,
    figures: &mut Vec<(String, f64)>,
) {
    for (key, value) in entry {
        if NOT_SHOWN.contains(&key.as_str()) {
            continue;
        }
        match value {
            Value::Object(inner) => {
                let named = key != event;
                if named {
                    way.push(key.replace('_', " "));
                }
                collect(inner, event, way, figures);
                if named {
                    way.pop();
                }
            }
            Value::Number(number) if key != event => {
                let mut words = way.clone();
                words.push(key.replace('_', " "));
                figures.extend(number.as_f64().map(|number| (words.join(" "), number)));
            }
            _ => {}
        }
    }
}

fn thin(curve: &mut Curve) {
    let step = curve.points.len().div_ceil(MOST_POINTS).max(1);
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

    fn points<'a>(story: &'a Story, name: &str) -> &'a [[f64; 2]] {
        &story.curves.iter().find(|curve| curve.name == name).unwrap().points
    }

    #[test]
    fn figures_become_curves_whatever_they_are_of() {
        let story = read(LOG);
        assert_eq!(points(&story, "error"), [[1.0, 0.02], [2.0, 0.01]]);
        assert_eq!(points(&story, "test won"), [[1.0, 1.0], [2.0, 0.0]]);
        assert!(story.curves.iter().all(|curve| curve.x_label == "session"));
        assert!(story.curves.iter().all(|curve| !curve.name.contains("seconds")));
        assert_eq!((story.summary.as_deref(), story.steps), (Some("better"), 2));
        let epochs = read("{\"event\":\"epoch\",\"epoch\":7,\"errors\":{\"train\":0.5}}\n");
        assert_eq!(points(&epochs, "errors train"), [[7.0, 0.5]]);
    }

    #[test]
    fn long_curves_are_thinned_and_keep_their_end() {
        let line = |step| format!("{{\"event\":\"step\",\"step\":{step},\"error\":0.5}}\n");
        let story = read(&(1..=4_500).map(line).collect::<String>());
        let points = points(&story, "error");
        assert!(points.len() <= MOST_POINTS + 1, "{}", points.len());
        assert_eq!(points.last(), Some(&[4_500.0, 0.5]));
    }

    #[test]
    fn any_text_is_a_log() {
        assert_eq!(read("nonsense\n[1]\n{\"event\":3}\n\u{0}"), Story::default());
    }
}
