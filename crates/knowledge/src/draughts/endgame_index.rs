//! Endgame indexing of English draughts.
//!
//! Positions are seen by the side to move, as if it were Black. A slice is given by four counts:
//! own men, own kings, enemy men, enemy kings. Within a slice the men of both sides are numbered as
//! subsets of the 28 squares a man can stand on (numbers with two men on one square stand for no
//! position), kings as subsets of the squares that are still free.

use super::DraughtsKnowledge;
use ludus_core::endgame_index::{EndgameIndex, EndgameSlot};
use ludus_games::draughts::{
    Colour, Draughts, Rules,
    board::{BoardGeometry, Eight},
};
use std::{ops::Range, sync::OnceLock};

const SQUARES: u32 = 32;
/// Squares a man can stand on: all but its crowning row.
const MAN_SQUARES: u32 = 28;
/// Squares of the row no enemy man can stand on, at the low end.
const ROW_SQUARES: u32 = 4;
const MAX_INDEXED_PIECES: usize = 7;

/// Own men, own kings, enemy men, enemy kings.
type PieceCounts = [usize; 4];

/// The squares of each kind, one bit a square without gaps.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct PieceSets {
    own_men: u32,
    own_kings: u32,
    other_men: u32,
    other_kings: u32,
}

const fn slice_of(counts: PieceCounts) -> usize {
    counts[0] | counts[1] << 3 | counts[2] << 6 | counts[3] << 9
}

const fn counts_of(slice: usize) -> PieceCounts {
    [slice & 7, slice >> 3 & 7, slice >> 6 & 7, slice >> 9 & 7]
}

/// `BINOMIAL[k][n]`: subsets of size k of n things.
const BINOMIAL: [[u64; SQUARES as usize + 1]; MAX_INDEXED_PIECES + 1] = {
    let mut table = [[0; SQUARES as usize + 1]; MAX_INDEXED_PIECES + 1];
    let mut n = 0;
    while n <= SQUARES as usize {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_INDEXED_PIECES && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Combinatorial rank of a set among all sets of its size, by rising value.
#[inline]
fn rank(mut set: u32) -> u64 {
    let (mut sum, mut size) = (0, 0);
    while set != 0 {
        size += 1;
        sum += BINOMIAL[size & MAX_INDEXED_PIECES][set.trailing_zeros() as usize];
        set &= set - 1;
    }
    sum
}

/// All sets of `size` squares of 32 by rising value: the inverse of [`rank`].
#[inline]
fn sets_of_size(size: usize) -> &'static [u32] {
    static SETS: [OnceLock<Vec<u32>>; MAX_INDEXED_PIECES + 1] =
        [const { OnceLock::new() }; MAX_INDEXED_PIECES + 1];
    SETS[size].get_or_init(|| {
        let mut sets = Vec::with_capacity(BINOMIAL[size][SQUARES as usize] as usize);
        let mut set = (1u64 << size) - 1;
        while set < 1 << SQUARES {
            sets.push(set as u32);
            if set == 0 {
                break;
            }
            // The next greater number with as many bits.
            let low = set & set.wrapping_neg();
            let ripple = set + low;
            set = ripple | (((set ^ ripple) >> 2) / low);
        }
        sets
    })
}

/// Parallel bit extract: the bits of `set` within `mask`, moved together.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
fn pext(set: u64, mask: u64) -> u32 {
    // SAFETY: this function is only compiled where every processor it may run on has BMI2.
    (unsafe { std::arch::x86_64::_pext_u64(set, mask) }) as u32
}

/// Parallel bit deposit: the bits of `set` moved apart to those of `mask`.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
fn pdep(set: u32, mask: u64) -> u64 {
    // SAFETY: as above.
    unsafe { std::arch::x86_64::_pdep_u64(u64::from(set), mask) }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use portable::{pdep, pext};

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
mod portable {
    pub fn pext(set: u64, mut mask: u64) -> u32 {
        let (mut gathered, mut bit) = (0, 1u32);
        while mask != 0 {
            if set & mask & mask.wrapping_neg() != 0 {
                gathered |= bit;
            }
            bit = bit.wrapping_shl(1);
            mask &= mask - 1;
        }
        gathered
    }

    pub fn pdep(set: u32, mut mask: u64) -> u64 {
        let (mut scattered, mut rest) = (0, set);
        while mask != 0 && rest != 0 {
            if rest & 1 != 0 {
                scattered |= mask & mask.wrapping_neg();
            }
            rest >>= 1;
            mask &= mask - 1;
        }
        scattered
    }
}

impl PieceSets {
    /// The squares as the side to move sees them.
    #[inline]
    fn of(position: &Draughts) -> PieceSets {
        let dense = |set: u64| {
            let set = pext(set, Eight::SQUARES);
            if position.colour() == Colour::Black { set } else { set.reverse_bits() }
        };
        let (own, other, kings) =
            (dense(position.own()), dense(position.other()), dense(position.kings()));
        PieceSets {
            own_men: own & !kings,
            own_kings: own & kings,
            other_men: other & !kings,
            other_kings: other & kings,
        }
    }

    /// The position with Black to move.
    #[inline]
    fn position(&self) -> Draughts {
        let sparse = |set: u32| pdep(set, Eight::SQUARES);
        let black = sparse(self.own_men | self.own_kings);
        let white = sparse(self.other_men | self.other_kings);
        let kings = sparse(self.own_kings | self.other_kings);
        Draughts::with(Rules::English, Colour::Black, [black, white], kings)
    }

    #[inline]
    fn counts(&self) -> PieceCounts {
        [self.own_men, self.own_kings, self.other_men, self.other_kings]
            .map(|set| set.count_ones() as usize)
    }

    #[inline]
    fn index(&self, counts: PieceCounts) -> u64 {
        let [_, other_men, own_kings, other_kings] = radices(counts);
        let free = u64::from(!(self.own_men | self.other_men));
        let still_free = free & !u64::from(self.own_kings);
        let men = rank(self.own_men) * other_men + rank(self.other_men >> ROW_SQUARES);
        let own = rank(pext(self.own_kings.into(), free));
        let other = rank(pext(self.other_kings.into(), still_free));
        (men * own_kings + own) * other_kings + other
    }

    /// Own men, other men, own kings from the numbers of their sets; `None` if two share a square.
    #[inline]
    fn without_other_kings(counts: PieceCounts, digits: [u64; 3]) -> Option<PieceSets> {
        let [own_men, other_men, own_kings] = digits.map(|digit| digit as usize);
        let own_men = sets_of_size(counts[0])[own_men];
        let other_men = sets_of_size(counts[2])[other_men] << ROW_SQUARES;
        let free = u64::from(!(own_men | other_men));
        let own_kings = pdep(sets_of_size(counts[1])[own_kings], free) as u32;
        (own_men & other_men == 0).then_some(PieceSets {
            own_men,
            own_kings,
            other_men,
            other_kings: 0,
        })
    }

    /// The same with the other side's kings on these of the squares still free.
    #[inline]
    fn with_other_kings(self, set: u32) -> PieceSets {
        let free = u64::from(!(self.own_men | self.other_men | self.own_kings));
        PieceSets { other_kings: pdep(set, free) as u32, ..self }
    }
}

/// Radices of the index: numbers of sets of own men, other men, own kings, other kings, the last
/// changing fastest.
#[inline]
fn radices([own_men, own_kings, other_men, other_kings]: PieceCounts) -> [u64; 4] {
    let free = SQUARES as usize - own_men - other_men;
    [
        BINOMIAL[own_men][MAN_SQUARES as usize],
        BINOMIAL[other_men][MAN_SQUARES as usize],
        BINOMIAL[own_kings][free],
        BINOMIAL[other_kings][free - own_kings],
    ]
}

/// The three slower digits of an index, and the fastest.
#[inline]
fn digits(counts: PieceCounts, index: u64) -> ([u64; 3], u64) {
    let [_, other_men, own_kings, other_kings] = radices(counts);
    let (rest, fastest) = (index / other_kings, index % other_kings);
    let (men, kings) = (rest / own_kings, rest % own_kings);
    ([men / other_men, men % other_men, kings], fastest)
}

/// Number of boards with these counts.
fn board_count_of([own_men, own_kings, other_men, other_kings]: PieceCounts) -> u64 {
    let choose = |k: usize, n: usize| BINOMIAL[k][n];
    let both = (MAN_SQUARES - ROW_SQUARES) as usize;
    let mut men = 0;
    // Men of either side on the row that only they can stand on.
    for own_apart in 0..=own_men.min(ROW_SQUARES as usize) {
        for other_apart in 0..=other_men.min(ROW_SQUARES as usize) {
            let (own, other) = (own_men - own_apart, other_men - other_apart);
            men += choose(own_apart, ROW_SQUARES as usize)
                * choose(own, both)
                * choose(other_apart, ROW_SQUARES as usize)
                * choose(other, both - own);
        }
    }
    let free = SQUARES as usize - own_men - other_men;
    men * choose(own_kings, free) * choose(other_kings, free - own_kings)
}

/// All counts with `pieces` pieces in all.
fn all_counts(pieces: usize) -> impl Iterator<Item = PieceCounts> {
    (0..=pieces).flat_map(move |own_men| {
        (0..=pieces - own_men).flat_map(move |own_kings| {
            let rest = pieces - own_men - own_kings;
            (0..=rest).map(move |other_men| [own_men, own_kings, other_men, rest - other_men])
        })
    })
}

fn sides_swapped([own_men, own_kings, other_men, other_kings]: PieceCounts) -> PieceCounts {
    [other_men, other_kings, own_men, own_kings]
}

impl EndgameIndex for DraughtsKnowledge {
    type Position = Draughts;

    const SLICES: usize = 1 << 12;
    const MAX_PIECES: usize = MAX_INDEXED_PIECES;

    /// A slice with its mirror image; slices with fewer men first, since crowning leads there.
    fn groups(pieces: usize) -> Vec<Vec<usize>> {
        let both_sides =
            |counts: &PieceCounts| counts[0] + counts[1] > 0 && counts[2] + counts[3] > 0;
        let mut of_one: Vec<PieceCounts> = all_counts(pieces)
            .filter(both_sides)
            .filter(|&counts| counts <= sides_swapped(counts))
            .collect();
        of_one.sort_by_key(|counts| (counts[0] + counts[2], *counts));
        let group = |counts: PieceCounts| {
            let mut group = vec![slice_of(counts), slice_of(sides_swapped(counts))];
            group.dedup();
            group
        };
        of_one.into_iter().map(group).collect()
    }

    /// Slices with the other side to move, with or without a new king.
    fn next_slices(slice: usize) -> Vec<usize> {
        let counts = counts_of(slice);
        let mut slices = vec![slice_of(sides_swapped(counts))];
        let [men, kings, other_men, other_kings] = counts;
        if men > 0 {
            slices.push(slice_of([other_men, other_kings, men - 1, kings + 1]));
        }
        slices.retain(|&next| next != slice);
        slices
    }

    fn slice_size(slice: usize) -> u64 {
        radices(counts_of(slice)).into_iter().product()
    }

    fn position_count(slice: usize) -> u64 {
        board_count_of(counts_of(slice))
    }

    fn board_count(pieces: usize) -> u64 {
        all_counts(pieces).map(board_count_of).sum()
    }

    fn slice_name(slice: usize) -> String {
        let [own_men, own_kings, other_men, other_kings] = counts_of(slice);
        format!("{own_men}m{own_kings}k-{other_men}m{other_kings}k")
    }

    fn slice_pieces(slice: usize) -> usize {
        counts_of(slice).into_iter().sum()
    }

    #[inline]
    fn pieces(position: &Draughts) -> usize {
        (position.own() | position.other()).count_ones() as usize
    }

    #[inline]
    fn is_tabulated(position: &Draughts) -> bool {
        position.rules() == Rules::English
    }

    #[inline]
    fn endgame_slot(position: &Draughts) -> Option<EndgameSlot> {
        let both_sides = position.own() != 0 && position.other() != 0;
        if !Self::is_tabulated(position)
            || !both_sides
            || Self::pieces(position) > MAX_INDEXED_PIECES
        {
            return None;
        }
        let sets = PieceSets::of(position);
        let counts = sets.counts();
        Some(EndgameSlot { slice: slice_of(counts), index: sets.index(counts) })
    }

    #[inline]
    fn position_at(EndgameSlot { slice, index }: EndgameSlot) -> Option<Draughts> {
        let counts = counts_of(slice);
        let (slow, fast) = digits(counts, index);
        let most = PieceSets::without_other_kings(counts, slow)?;
        Some(most.with_other_kings(sets_of_size(counts[3])[fast as usize]).position())
    }

    fn for_each_position(slice: usize, part: Range<u64>, mut each: impl FnMut(u64, &Draughts)) {
        let counts = counts_of(slice);
        let [.., own_kings, other_kings] = radices(counts);
        let fastest = &sets_of_size(counts[3])[..other_kings as usize];
        let mut index = part.start;
        while index < part.end {
            let (slow, fast) = digits(counts, index);
            let Some(most) = PieceSets::without_other_kings(counts, slow) else {
                // Skip every placement of kings: men share a square.
                let same_men = own_kings * other_kings;
                index = (index / same_men + 1) * same_men;
                continue;
            };
            let end = part.end.min(index - fast + other_kings);
            for (&set, index) in fastest[fast as usize..].iter().zip(index..end) {
                each(index, &most.with_other_kings(set).position());
            }
            index = end;
        }
    }

    #[inline]
    fn is_converting(position: &Draughts) -> bool {
        position.can_capture()
    }

    /// Unmoves: quiet steps of the side not to move, taken back.
    fn for_each_predecessor(position: &Draughts, mut each: impl FnMut(EndgameSlot)) {
        let counts = sides_swapped(PieceSets::of(position).counts());
        let slice = slice_of(counts);
        let empty = Eight::SQUARES & !(position.own() | position.other());
        let mut take_back = |pieces: u64, directions: &[u32]| {
            for &direction in directions {
                let mut from = pieces.rotate_left(direction) & empty;
                while from != 0 {
                    let square = from & from.wrapping_neg();
                    from ^= square;
                    let moved = square.rotate_right(direction);
                    let other = position.other() ^ moved ^ square;
                    let is_king = position.kings() & moved != 0;
                    let kings =
                        if is_king { position.kings() ^ moved ^ square } else { position.kings() };
                    let mut pieces = [position.own(); 2];
                    pieces[!position.colour() as usize] = other;
                    let (rules, colour) = (position.rules(), !position.colour());
                    let before = Draughts::with(rules, colour, pieces, kings);
                    each(EndgameSlot { slice, index: PieceSets::of(&before).index(counts) });
                }
            }
        };
        let [down, up] = [&Eight::DIRECTIONS[..2], &Eight::DIRECTIONS[2..]];
        // The men that have just moved go up if they are White's, and came from below.
        let men_back = if position.colour() == Colour::Black { down } else { up };
        take_back(position.other() & !position.kings(), men_back);
        take_back(position.other() & position.kings(), &Eight::DIRECTIONS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Position, Random};

    #[test]
    fn boards_are_as_many_as_published() {
        // Schaeffer and others, "Checkers is solved", and their table of database sizes.
        let published =
            [120, 6_972, 261_224, 7_092_774, 148_688_232, 2_503_611_964, 34_779_531_480];
        for (index, boards) in published.into_iter().enumerate() {
            assert_eq!(DraughtsKnowledge::board_count(index + 1), boards, "{} pieces", index + 1);
        }
    }

    #[test]
    fn every_number_is_its_positions_cell() {
        for pieces in 2..=3 {
            for slice in DraughtsKnowledge::groups(pieces).into_iter().flatten() {
                let mut found = 0;
                let numbers = DraughtsKnowledge::slice_size(slice);
                DraughtsKnowledge::for_each_position(slice, 0..numbers, |index, position| {
                    let slot = EndgameSlot { slice, index };
                    assert_eq!(DraughtsKnowledge::endgame_slot(position), Some(slot));
                    assert_eq!(DraughtsKnowledge::position_at(slot), Some(*position));
                    found += 1;
                });
                assert_eq!(
                    found,
                    DraughtsKnowledge::position_count(slice),
                    "{}",
                    DraughtsKnowledge::slice_name(slice)
                );
            }
        }
    }

    #[test]
    fn parts_of_a_slice_make_up_the_whole() {
        let slice = slice_of([1, 1, 1, 1]);
        let numbers = DraughtsKnowledge::slice_size(slice);
        let all = |parts: &[Range<u64>]| {
            let mut found = Vec::new();
            for part in parts {
                DraughtsKnowledge::for_each_position(slice, part.clone(), |index, _| {
                    found.push(index);
                });
            }
            found
        };
        let parts = [0..1, 1..77, 77..50_000, 50_000..numbers];
        assert_eq!(all(&parts), all(std::slice::from_ref(&(0..numbers))));
    }

    #[test]
    fn gathering_by_hand_agrees_with_the_processor() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let (set, mask) = (random.bits(), random.bits() & random.bits() >> 16);
            assert_eq!(portable::pext(set, mask), pext(set, mask));
            assert_eq!(portable::pdep(set as u32, mask), pdep(set as u32, mask));
        }
    }

    #[test]
    fn a_step_is_taken_back_to_where_it_came_from() {
        let mut random = Random::new(2);
        let slices: Vec<usize> = DraughtsKnowledge::groups(5).into_iter().flatten().collect();
        let mut steps = 0;
        while steps < 2000 {
            let slice = random.pick(&slices).unwrap();
            let index = random.below(DraughtsKnowledge::slice_size(slice) as usize) as u64;
            let Some(position) = DraughtsKnowledge::position_at(EndgameSlot { slice, index })
            else {
                continue;
            };
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for mv in moves {
                let after = position.after(mv);
                if mv.captured() != 0 || after.kings().count_ones() != position.kings().count_ones()
                {
                    continue;
                }
                let mut found = false;
                DraughtsKnowledge::for_each_predecessor(&after, |slot| {
                    found |= Some(slot) == DraughtsKnowledge::endgame_slot(&position);
                });
                assert!(found, "{position:?} {mv:?}");
                steps += 1;
            }
        }
    }
}
