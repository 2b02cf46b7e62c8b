//! The position and the rules.

use ludus_core::{EndReason, Outcome, Position, Side, position::mix};

/// The most coins of a game.
pub(super) const MAX_COINS: usize = 200;

/// The most different sizes: 1 + 2 + … + 20 would exceed [`MAX_COINS`].
const MAX_SIZES: usize = 19;

/// The smallest pile with a legal split.
const SMALLEST_SPLIT: u8 = 3;

/// A move: one pile of `pile` coins becomes piles of `smaller` and `pile - smaller` coins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Coins in the pile that is split.
    pub pile: u8,
    /// Coins in the smaller part, fewer than half of them.
    pub smaller: u8,
}

impl Split {
    /// Coins in the larger part.
    #[inline]
    pub fn larger(self) -> u8 {
        self.pile - self.smaller
    }
}

/// Piles of one size.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Piles {
    /// Coins of each.
    pub size: u8,
    /// Number of piles.
    pub count: u8,
}

/// A position: the piles by size. The side to move follows from their number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SplitNim {
    /// Sizes strictly falling, then zeros.
    piles: [Piles; MAX_SIZES],
    /// Different sizes.
    sizes: u8,
    /// Piles of any size.
    total: u8,
}

impl SplitNim {
    /// The start of the game with `coins` coins, from 1 to 200.
    ///
    /// # Panics
    /// If there are more coins, or none.
    pub fn new(coins: u8) -> SplitNim {
        assert!((1..=MAX_COINS).contains(&coins.into()), "{coins} coins");
        let mut position = SplitNim::empty();
        position.add(coins);
        position
    }

    /// No piles at all: not yet a position.
    pub(super) fn empty() -> SplitNim {
        SplitNim { piles: [Piles::default(); MAX_SIZES], sizes: 0, total: 0 }
    }

    /// The piles by size, the largest first.
    #[inline]
    pub(super) fn piles(&self) -> &[Piles] {
        &self.piles[..usize::from(self.sizes)]
    }

    /// The piles that can be split, by size, the largest first.
    pub fn splittable(&self) -> impl Iterator<Item = Piles> {
        self.piles().iter().copied().take_while(|piles| piles.size >= SMALLEST_SPLIT)
    }

    /// The size of every pile, the largest first.
    pub fn each_pile(&self) -> impl Iterator<Item = u8> {
        self.piles().iter().flat_map(|piles| std::iter::repeat_n(piles.size, piles.count.into()))
    }

    /// All coins of the game.
    pub fn coins(&self) -> usize {
        self.each_pile().map(usize::from).sum()
    }

    /// Adds a pile. The caller keeps the sum within [`MAX_COINS`].
    pub(super) fn add(&mut self, size: u8) {
        let index = self.index(size);
        if self.piles().get(index).is_none_or(|piles| piles.size != size) {
            self.piles[index..].rotate_right(1);
            self.piles[index] = Piles { size, count: 0 };
            self.sizes += 1;
        }
        self.piles[index].count += 1;
        self.total += 1;
    }

    fn remove(&mut self, size: u8) {
        let index = self.index(size);
        debug_assert!(self.piles[index].size == size, "no pile of {size}");
        self.piles[index].count -= 1;
        if self.piles[index].count == 0 {
            self.piles[index] = Piles::default();
            self.piles[index..].rotate_left(1);
            self.sizes -= 1;
        }
        self.total -= 1;
    }

    /// The index of `size` among the sizes, or its insertion index.
    #[inline]
    fn index(&self, size: u8) -> usize {
        self.piles().iter().take_while(|piles| piles.size > size).count()
    }

    fn hash(&self, seed: u64) -> u64 {
        self.piles().iter().fold(seed, |hash, piles| {
            mix(hash ^ (u64::from(piles.size) << 8 | u64::from(piles.count)))
        })
    }
}

impl Position for SplitNim {
    type Move = Split;

    #[inline]
    fn turn(&self) -> Side {
        if self.total % 2 == 1 { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, out: &mut Vec<Split>) {
        for Piles { size, .. } in self.splittable() {
            out.extend((1..=(size - 1) / 2).map(|smaller| Split { pile: size, smaller }));
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.splittable().map(|piles| usize::from((piles.size - 1) / 2)).sum()
    }

    #[inline]
    fn play(&mut self, split: Split) {
        debug_assert!(split.smaller > 0 && split.smaller < split.larger(), "{split:?}");
        self.remove(split.pile);
        self.add(split.larger());
        self.add(split.smaller);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.splittable().next().is_none().then_some(Outcome::Win(!self.turn()))
    }

    /// The number of piles, and with it the turn, follows from the sizes and counts.
    #[inline]
    fn key(&self) -> u64 {
        self.hash(0)
    }

    #[inline]
    fn verification_key(&self) -> u32 {
        (self.hash(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }

    fn terminal_reason(&self) -> EndReason {
        EndReason::NoMoves
    }

    /// A pile and its smaller part.
    fn move_count(&self) -> usize {
        (MAX_COINS + 1) * (MAX_COINS + 1)
    }

    fn move_index(&self, split: Split) -> usize {
        usize::from(split.pile) * (MAX_COINS + 1) + usize::from(split.smaller)
    }
}
