//! Layout of the terms: one block of the same groups for each rule set with weights of its own, so
//! that one rule set can be tuned without touching the others.

use super::patterns;
use ludus_core::linear::Group;
use ludus_games::draughts::Rules;

/// Groups of one rule set.
const COUNT: usize = 8;

/// Terms of each group on a board with `width` dark squares in a row, in the order of the names.
const fn sizes(width: usize) -> [usize; COUNT] {
    let tables = patterns::tables(width) * patterns::ENTRIES;
    [MATERIAL, STRUCTURE, 1 << width, MAX_RUNAWAY_ROWS, MOBILITY, KINGS, TURN, tables]
}

const MATERIAL: usize = 3;
const STRUCTURE: usize = 4;
/// A man this many rows or fewer from being crowned can count as a runaway.
pub(super) const MAX_RUNAWAY_ROWS: usize = 3;
const MOBILITY: usize = 3;
const KINGS: usize = 4;
const TURN: usize = 4;

macro_rules! names {
    ($rules:literal) => {
        [
            concat!($rules, " material"),
            concat!($rules, " men's structure"),
            concat!($rules, " home row"),
            concat!($rules, " runaways"),
            concat!($rules, " mobility"),
            concat!($rules, " kings' places"),
            concat!($rules, " turn"),
            concat!($rules, " patterns"),
        ]
    };
}

/// The rule sets with weights of their own, in the order of the file of weights.
const BLOCKS: [Rules; 4] = [Rules::English, Rules::Brazilian, Rules::Russian, Rules::International];

const NAMES: [[&str; COUNT]; BLOCKS.len()] =
    [names!("english"), names!("brazilian"), names!("russian"), names!("international")];

/// The rule set in [`BLOCKS`] whose weights `rules` uses: itself, or the one that is most like it.
const fn with_weights(rules: Rules) -> Rules {
    match rules {
        Rules::English | Rules::Italian => Rules::English,
        Rules::Brazilian | Rules::Spanish => Rules::Brazilian,
        Rules::Russian | Rules::Czech | Rules::Pool => Rules::Russian,
        Rules::International => Rules::International,
    }
}

/// The block of a rule set.
const fn block(rules: Rules) -> usize {
    let weights = with_weights(rules);
    let mut block = 0;
    while BLOCKS[block] as usize != weights as usize {
        block += 1;
    }
    assert!(BLOCKS[block].width() == rules.width(), "a block of the same board");
    block
}

pub(super) const GROUPS: [Group; BLOCKS.len() * COUNT] = {
    let mut groups = [Group { name: "", terms: 0 }; BLOCKS.len() * COUNT];
    let mut index = 0;
    while index < groups.len() {
        let rules = BLOCKS[index / COUNT];
        let group = index % COUNT;
        let terms = sizes(rules.width() as usize)[group];
        groups[index] = Group { name: NAMES[index / COUNT][group], terms };
        index += 1;
    }
    groups
};

/// The first term of each group of one rule set.
pub(super) struct TermLayout {
    /// Men · kings · having a king at all.
    pub(super) material: usize,
    /// Rows that men have advanced · men in the centre · men with a piece behind, for each of the
    /// two squares there · on the large board, men that one half has more than the other.
    pub(super) structure: usize,
    /// Every set of men in the own first row, as a number whose lowest bit is the square at the
    /// right hand of the player.
    pub(super) home: usize,
    /// A man without an enemy ahead, by rows to go less one.
    pub(super) runaways: usize,
    /// Steps of men · steps of kings · kings without one.
    pub(super) mobility: usize,
    /// Kings in the centre · at the edge · in a double corner · a king on the long diagonal.
    pub(super) kings: usize,
    /// Being to move · having the opposition · the side to move can capture · pieces of the side to
    /// move that can be captured (counted against it by their weight).
    pub(super) turn: usize,
    /// Pattern tables.
    pub(super) patterns: usize,
}

impl TermLayout {
    pub(super) const fn of(rules: Rules) -> TermLayout {
        let mut starts = [0; COUNT];
        let mut start = 0;
        let mut index = 0;
        while index < (block(rules) + 1) * COUNT {
            starts[index % COUNT] = start;
            start += GROUPS[index].terms;
            index += 1;
        }
        let [material, structure, home, runaways, mobility, kings, turn, patterns] = starts;
        TermLayout { material, structure, home, runaways, mobility, kings, turn, patterns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    impl TermLayout {
        /// Every term of a rule set.
        pub(in super::super) fn terms(&self, rules: Rules) -> Range<usize> {
            let tables = patterns::tables(rules.width() as usize);
            self.material..self.patterns + tables * patterns::ENTRIES
        }
    }

    #[test]
    fn blocks_follow_each_other() {
        let mut end = 0;
        for rules in BLOCKS {
            let term_layout = TermLayout::of(rules);
            assert_eq!(term_layout.material, end);
            assert_eq!(term_layout.patterns - term_layout.material, 21 + (1 << rules.width()));
            end = term_layout.terms(rules).end;
        }
        assert_eq!(end, GROUPS.iter().map(|group| group.terms).sum::<usize>());
        let names: std::collections::HashSet<_> = GROUPS.iter().map(|group| group.name).collect();
        assert_eq!(names.len(), GROUPS.len());
    }

    #[test]
    fn rule_sets_without_weights_borrow_a_block() {
        let borrowed = |rules| TermLayout::of(rules).material;
        for (rules, from) in [
            (Rules::Italian, Rules::English),
            (Rules::Spanish, Rules::Brazilian),
            (Rules::Czech, Rules::Russian),
            (Rules::Pool, Rules::Russian),
        ] {
            assert_eq!(borrowed(rules), borrowed(from));
        }
    }
}
