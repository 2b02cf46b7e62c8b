//! Positions in the form the trainer wants: which men stand where, and what was right.

use ludus_core::{NnueInputs, Side};

/// Squares a set has room for.
const BITS: usize = u64::BITS as usize;

/// Many positions with what their judgement should have been. A man takes two bytes, the rest of
/// a position twenty-four at most.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The number of each man's set and square, position by position.
    men: Vec<u16>,
    /// Where the men of each position end.
    ends: Vec<u64>,
    facts: Vec<Fact>,
    /// For each side and aspect: the input of every set and square.
    views: Vec<Vec<u16>>,
}

#[derive(Copy, Clone, Debug)]
struct Fact {
    goal: f32,
    base: f32,
    stage: u8,
    own_view: u8,
    other_view: u8,
}

/// One position.
#[derive(Copy, Clone, Debug)]
pub struct Sample<'a> {
    men: &'a [u16],
    /// The inputs of the side to move and of the other side.
    views: [&'a [u16]; 2],
    /// The part of the game.
    pub stage: usize,
    /// The result to be expected for the side to move, from 0 to 1.
    pub goal: f32,
    /// What is to be corrected, in units of output.
    pub base: f32,
}

impl Sample<'_> {
    /// The inputs that are on, as the side to move (0) or the other side (1) sees them.
    #[inline]
    pub fn inputs(&self, view: usize) -> impl Iterator<Item = usize> + '_ {
        let view = self.views[view];
        self.men.iter().map(move |&man| view[man as usize] as usize)
    }
}

impl Samples {
    /// No positions of the game yet.
    pub fn new<P: NnueInputs>() -> Samples {
        let sets = P::EMPTY.as_ref().len();
        let view = |side, aspect| -> Vec<u16> {
            let input = |man: usize| P::input(side, aspect, man / BITS, man % BITS) as u16;
            (0..sets * BITS).map(input).collect()
        };
        let views = [Side::First, Side::Second]
            .into_iter()
            .flat_map(|side| (0..P::ASPECTS).map(move |aspect| view(side, aspect)))
            .collect();
        Samples { men: Vec::new(), ends: Vec::new(), facts: Vec::new(), views }
    }

    /// Adds a position; `goal` is the result to be expected for the side to move, `base` what the
    /// evaluation to be corrected says to it in units of output: 0 if there is none.
    pub fn push<P: NnueInputs>(&mut self, position: &P, goal: f32, base: f32) {
        for (set, &squares) in position.sets().as_ref().iter().enumerate() {
            let mut rest = squares;
            while rest != 0 {
                self.men.push((set * BITS) as u16 + rest.trailing_zeros() as u16);
                rest &= rest - 1;
            }
        }
        self.ends.push(self.men.len() as u64);
        let view = |side: Side| (side as usize * P::ASPECTS + position.aspect(side)) as u8;
        self.facts.push(Fact {
            goal,
            base,
            stage: position.stage() as u8,
            own_view: view(position.turn()),
            other_view: view(!position.turn()),
        });
    }

    /// Adds all of `other`, positions of the same game, behind what is there.
    pub fn append(&mut self, other: &Samples) {
        let base = self.men.len() as u64;
        self.men.extend_from_slice(&other.men);
        self.ends.extend(other.ends.iter().map(|end| base + end));
        self.facts.extend_from_slice(&other.facts);
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Position number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Sample<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let Fact { goal, base, stage, own_view, other_view } = self.facts[index];
        Sample {
            men: &self.men[start as usize..self.ends[index] as usize],
            views: [own_view, other_view].map(|view| self.views[view as usize].as_slice()),
            stage: stage.into(),
            goal,
            base,
        }
    }
}
