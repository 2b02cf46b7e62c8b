//! Handcrafted evaluations that are linear in their weights, so that weights can be tuned.
//!
//! The game traverses a position once and reports its term counts to a [`TermSink`]. The same code
//! serves the search (which sums weights), the tuner (which needs the counts) and
//! [`explain`](HandcraftedEval::explain) (which needs both, by group).

use crate::{
    Evaluator, HandcraftedEval, Position, Score, TextError,
    eval::{EvalPart, PartWeight, Weight},
};
use std::{marker::PhantomData, sync::Arc};

/// Terms that belong together, such as the 64 squares of a knight.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, unique in the evaluation, without brackets.
    pub name: &'static str,
    /// Number of terms.
    pub terms: usize,
}

/// Receiver of the term counts of a position.
pub trait TermSink {
    /// Term `term` occurs `count` times more for the first side than for the second.
    fn add(&mut self, term: usize, count: i32);
}

/// The terms of an evaluation that is linear in its weights.
///
/// The score is the weighted sum of the term counts at the position's phase, passed through
/// [`scale_drawish`](LinearEval::scale_drawish).
pub trait LinearEval: Copy + Send + Sync + 'static {
    /// The positions of the game.
    type Position: Position;

    /// All terms, numbered through the groups in this order.
    const GROUPS: &'static [Group];

    /// Reports every term that is not zero, first side minus second side. A term may be reported in
    /// several parts.
    fn count_terms(position: &Self::Position, sink: &mut impl TermSink);

    /// The game phase, from 0 (opening) to [`MAX_PHASE`](crate::eval::MAX_PHASE) (ending).
    fn phase(position: &Self::Position) -> i32;

    /// Scales the sum down in drawish positions, where an advantage is hard to win with; symmetric and
    /// monotonic.
    fn scale_drawish(_position: &Self::Position, sum: i32) -> i32 {
        sum
    }
}

/// The weights of a linear evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Indexed by term.
    pub terms: Vec<Weight>,
}

impl Weights {
    /// All zero.
    pub fn zero(groups: &[Group]) -> Weights {
        let count = groups.iter().map(|group| group.terms).sum();
        Weights { terms: vec![Weight::flat(0); count] }
    }

    /// Reads what [`text`](Weights::text) wrote: for every group `[name]` and its weights, each as
    /// `opening/ending`, or one number for both; `30*0` is thirty zeros. `#` starts a comment.
    pub fn parse(text: &str, groups: &[Group]) -> Result<Weights, TextError> {
        let mut reader = Reader { groups, terms: Vec::new(), group: None };
        for (index, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or("").trim();
            reader.line(content).map_err(|(found, expected)| TextError {
                line: index + 1,
                column: 1,
                ..TextError::whole("weights", &found, expected)
            })?;
        }
        reader
            .finish()
            .map_err(|(found, expected)| TextError::whole("weights", &found, expected))?;
        Ok(Weights { terms: reader.terms })
    }

    /// The weights as text, eight to a line, long runs of one weight shortened.
    pub fn text(&self, groups: &[Group]) -> String {
        let mut text = String::new();
        let mut terms = self.terms.as_slice();
        for group in groups {
            let (own, rest) = terms.split_at(group.terms);
            terms = rest;
            text += &format!("[{}]\n", group.name);
            for cells in cells(own).chunks(8) {
                text += &format!("{}\n", cells.join(" "));
            }
        }
        text
    }
}

/// Weights as text, runs of more than eight abbreviated.
fn cells(weights: &[Weight]) -> Vec<String> {
    let mut cells = Vec::new();
    for run in weights.chunk_by(|left, right| left == right) {
        if run.len() > 8 {
            cells.push(format!("{}*{}", run.len(), run[0]));
        } else {
            cells.extend(run.iter().map(ToString::to_string));
        }
    }
    cells
}

/// Found text and expected text.
type Mismatch = (String, String);

struct Reader<'a> {
    groups: &'a [Group],
    terms: Vec<Weight>,
    /// The index of the group being read, and the number of terms up to its end.
    group: Option<(usize, usize)>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) -> Result<(), Mismatch> {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return self.open(name);
        }
        for cell in line.split_whitespace() {
            let Some((_, end)) = self.group else {
                return Err((cell.to_owned(), "the name of a group in brackets first".to_owned()));
            };
            let (count, weight) = cell.split_once('*').unwrap_or(("1", cell));
            let (Ok(count), Ok(weight)) = (count.parse::<usize>(), weight.parse::<Weight>()) else {
                let expected = "opening/ending, two whole numbers such as 12/-3";
                return Err((cell.to_owned(), expected.to_owned()));
            };
            if count > end - self.terms.len() {
                return Err((cell.to_owned(), "no more weights in this group".to_owned()));
            }
            self.terms.extend(std::iter::repeat_n(weight, count));
        }
        Ok(())
    }

    fn open(&mut self, name: &str) -> Result<(), Mismatch> {
        self.finish_group()?;
        let next = self.group.map_or(0, |(index, _)| index + 1);
        match self.groups.get(next) {
            Some(group) if group.name == name => {
                self.group = Some((next, self.terms.len() + group.terms));
                Ok(())
            }
            Some(group) => Err((format!("[{name}]"), format!("[{}]", group.name))),
            None => Err((format!("[{name}]"), "no more groups".to_owned())),
        }
    }

    fn finish_group(&self) -> Result<(), Mismatch> {
        match self.group {
            Some((index, end)) if self.terms.len() < end => {
                let Group { name, terms } = self.groups[index];
                let found = terms - (end - self.terms.len());
                Err((format!("[{name}] with {found} weights"), format!("{terms} of them")))
            }
            _ => Ok(()),
        }
    }

    fn finish(&self) -> Result<(), Mismatch> {
        self.finish_group()?;
        let next = self.group.map_or(0, |(index, _)| index + 1);
        self.groups.get(next).map_or(Ok(()), |group| {
            Err(("end of text".to_owned(), format!("the group [{}]", group.name)))
        })
    }
}

/// A linear evaluation with its weights, as used by searches.
pub struct LinearEvaluator<K> {
    /// [`pack`]ed weight of each term.
    packed: Arc<[i64]>,
    terms: PhantomData<K>,
}

impl<K> Clone for LinearEvaluator<K> {
    fn clone(&self) -> LinearEvaluator<K> {
        LinearEvaluator { packed: Arc::clone(&self.packed), terms: PhantomData }
    }
}

/// Packs both parts of a weight into one word, so that one multiplication or addition serves both:
/// the opening part in the lower half, the ending part in the upper.
#[inline]
pub fn pack(weight: Weight) -> i64 {
    (i64::from(weight.ending) << 32) + i64::from(weight.opening)
}

/// The two parts of a sum of [`pack`]ed weights.
#[inline]
pub fn unpack(sum: i64) -> Weight {
    let opening = sum as i32;
    Weight { opening, ending: ((sum - i64::from(opening)) >> 32) as i32 }
}

impl<K: LinearEval> LinearEvaluator<K> {
    /// The evaluation with these weights, one for each term.
    pub fn new(weights: &Weights) -> LinearEvaluator<K> {
        let count: usize = K::GROUPS.iter().map(|group| group.terms).sum();
        assert_eq!(weights.terms.len(), count, "one weight for each term");
        LinearEvaluator {
            packed: weights.terms.iter().map(|&weight| pack(weight)).collect(),
            terms: PhantomData,
        }
    }
}

/// An evaluation parameterised by weights.
pub trait WithWeights {
    /// The evaluation with these weights, one for each term.
    fn with_weights(weights: &Weights) -> Self;

    /// The weights of this evaluation.
    fn weights(&self) -> Weights;
}

impl<K: LinearEval> WithWeights for LinearEvaluator<K> {
    fn with_weights(weights: &Weights) -> LinearEvaluator<K> {
        LinearEvaluator::new(weights)
    }

    fn weights(&self) -> Weights {
        Weights { terms: self.packed.iter().map(|&weight| unpack(weight)).collect() }
    }
}

struct Sum<'a> {
    packed: &'a [i64],
    sum: i64,
}

impl TermSink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.sum += self.packed[term] * i64::from(count);
    }
}

impl<K: LinearEval> Evaluator<K::Position> for LinearEvaluator<K> {
    #[inline]
    fn evaluate(&mut self, position: &K::Position) -> Score {
        let mut sum = Sum { packed: &self.packed, sum: 0 };
        K::count_terms(position, &mut sum);
        let value = K::scale_drawish(position, unpack(sum.sum).at(K::phase(position)));
        Score::evaluation(value * position.turn().sign())
    }
}

/// Term counts of one position, for the tuner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermCounts(pub Vec<(usize, i32)>);

impl TermSink for TermCounts {
    fn add(&mut self, term: usize, count: i32) {
        self.0.push((term, count));
    }
}

impl TermCounts {
    /// The terms of `position` that are not zero, each once and in order.
    pub fn of<K: LinearEval>(position: &K::Position) -> TermCounts {
        let mut counts = TermCounts::default();
        K::count_terms(position, &mut counts);
        counts.0.sort_unstable_by_key(|&(term, _)| term);
        counts.0.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        counts.0.retain(|&(_, count)| count != 0);
        counts
    }
}

impl<K: LinearEval> HandcraftedEval<K::Position> for LinearEvaluator<K> {
    fn phase(&self, position: &K::Position) -> i32 {
        K::phase(position)
    }

    fn explain(&self, position: &K::Position) -> Vec<EvalPart> {
        let counts = TermCounts::of::<K>(position);
        let phase = K::phase(position);
        let mut first = 0;
        let mut parts =
            vec![EvalPart { name: "sum", level: 0, weight: PartWeight::Times(1), value: 0 }];
        let mut total = 0;
        for group in K::GROUPS {
            let terms = first..first + group.terms;
            first = terms.end;
            let own = || counts.0.iter().filter(|(term, _)| terms.contains(term));
            if own().next().is_none() {
                continue;
            }
            let sum: i64 = own().map(|&(term, count)| self.packed[term] * i64::from(count)).sum();
            total += sum;
            let value = unpack(sum).at(phase);
            parts.push(EvalPart {
                name: group.name,
                level: 1,
                weight: PartWeight::Times(1),
                value,
            });
        }
        parts[0].value = K::scale_drawish(position, unpack(total).at(phase));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: &[Group] =
        &[Group { name: "men", terms: 1 }, Group { name: "squares", terms: 9 }];

    #[test]
    fn weights_survive_their_text() {
        let mut weights = Weights::zero(GROUPS);
        assert_eq!(weights.text(GROUPS), "[men]\n0/0\n[squares]\n9*0/0\n");
        for _ in 0..2 {
            assert_eq!(Weights::parse(&weights.text(GROUPS), GROUPS), Ok(weights.clone()));
            for (index, weight) in weights.terms.iter_mut().enumerate() {
                *weight = Weight::tapered(index as i32 * 7 - 20, 5 - index as i32 * 3);
            }
        }
    }

    #[test]
    fn errors_in_weights_are_located() {
        let error = |text: &str| Weights::parse(text, GROUPS).unwrap_err().to_string();
        for (text, part) in [
            ("100", "the name of a group in brackets first"),
            ("[men]\n2*100", "no more weights in this group"),
            ("[men]\n100 5", "no more weights in this group"),
            ("[men]\n100/x", "line 2"),
            ("[men]\n[squares]", "1 of them"),
            ("[squares]", "expected [men]"),
            ("[men]\n1/2\n", "the group [squares]"),
            ("[men]\n99999/2\n", "two whole numbers"),
        ] {
            assert!(error(text).contains(part), "{text:?}: {}", error(text));
        }
    }

    #[test]
    fn a_packed_sum_keeps_both_halves() {
        for weight in [Weight::tapered(-5, 7), Weight::tapered(5, -7), Weight::tapered(-1, -1)] {
            for count in [-3, 0, 4] {
                let sum = pack(weight) * count;
                let expected =
                    Weight::tapered(weight.opening * count as i32, weight.ending * count as i32);
                assert_eq!(unpack(sum), expected);
            }
        }
    }
}
