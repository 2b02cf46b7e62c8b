//! `random`: a random legal move.

use crate::{PlayerRecipe, Roster};
use ludus_core::{
    Choice, History, Limits, Player, PlayerError, Position, Random, Report, SearchControl,
};

pub fn recipe<P: Roster>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "random",
        about: "a random legal move, all equally likely",
        options: &[],
        build_traced: None,
        build: |_, resources| {
            let random = generator("random", resources.seed);
            Ok(Box::new(RandomPlayer { random }))
        },
    }
}

/// The random generator of a player that draws by itself.
pub(super) fn generator(player: &str, seed: u64) -> Random {
    Random::new(seed).split(player)
}

/// A random one of `moves`, all equally likely.
pub(super) fn pick<M: Copy>(random: &mut Random, moves: &[M]) -> Result<M, PlayerError> {
    random.pick(moves).ok_or_else(|| PlayerError::failed("the game is over"))
}

struct RandomPlayer {
    random: Random,
}

impl<P: Position> Player<P> for RandomPlayer {
    fn name(&self) -> &str {
        "random"
    }

    fn new_game(&mut self, seed: u64) {
        self.random = generator("random", seed);
    }

    fn choose(
        &mut self,
        game: &History<P>,
        _: &Limits,
        _: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let mut moves = Vec::new();
        game.last().legal_moves(&mut moves);
        let mv = pick(&mut self.random, &moves)?;
        Ok(Choice::play(mv, Report { line: vec![mv], ..Report::default() }))
    }
}
