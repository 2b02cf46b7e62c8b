//! Rankings of players, as relations between those that play each other.

use crate::reproduce::experiment::wrong;
use ludus_core::TextError;
use std::fmt;

/// Claim about two players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Player that is named first.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// Kind of the claim.
    pub kind: RelationKind,
}

/// Kind of a claim about two players.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// The first is better.
    Better,
    /// The first is not worse.
    NotWorse,
    /// Neither is better.
    Equal,
}

impl RelationKind {
    fn of(symbol: &str) -> Option<RelationKind> {
        [RelationKind::Better, RelationKind::NotWorse, RelationKind::Equal]
            .into_iter()
            .find(|kind| kind.symbol() == symbol)
    }

    fn symbol(self) -> &'static str {
        match self {
            RelationKind::Better => ">",
            RelationKind::NotWorse => ">=",
            RelationKind::Equal => "~",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.first, self.kind.symbol(), self.second)
    }
}

/// Parses a ranking such as `A > B >= C > D, E ~ F`: every player of a place is compared with every
/// player of the next.
pub(super) fn parse(text: &str) -> Result<Vec<Relation>, TextError> {
    let error = || wrong(text, "players and > >= ~ between them, such as A > B, C ~ D");
    let mut places: Vec<Vec<String>> = vec![Vec::new()];
    let mut kinds = Vec::new();
    for word in text.replace(',', " ").split_whitespace() {
        if let Some(kind) = RelationKind::of(word) {
            kinds.push(kind);
            places.push(Vec::new());
        } else if let Some(place) = places.last_mut() {
            place.push(word.to_owned());
        }
    }
    if kinds.is_empty() || places.iter().any(Vec::is_empty) {
        return Err(error());
    }
    let mut relations = Vec::new();
    for (place, &kind) in places.windows(2).zip(&kinds) {
        for first in &place[0] {
            for second in &place[1] {
                relations.push(Relation { first: first.clone(), second: second.clone(), kind });
            }
        }
    }
    Ok(relations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_compares_neighbouring_places() {
        let texts = |text| -> Vec<String> {
            parse(text).unwrap().iter().map(Relation::to_string).collect()
        };
        assert_eq!(texts("A > B"), ["A > B"]);
        assert_eq!(
            texts("A >= B+C > D, E ~ F(16)"),
            ["A >= B+C", "B+C > D", "B+C > E", "D ~ F(16)", "E ~ F(16)"]
        );
        for text in ["", "A", "A >", "> A", "A > > B"] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains("between them"), "{error}");
        }
    }
}
