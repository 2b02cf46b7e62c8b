//! Leaf evaluators for every game: random playouts, the static evaluation, and mixtures of both.

use ludus_core::{Evaluator, LeafEvaluator, NodeStats, Playout, Position, Prior, Random, Score};

/// Random playouts to the end of the game.
#[derive(Clone, Debug)]
pub struct Rollouts<M> {
    buffer: Vec<M>,
    recorded: bool,
}

impl<M> Rollouts<M> {
    /// Playouts as fast as the game can make them.
    pub fn new() -> Rollouts<M> {
        Rollouts { buffer: Vec::new(), recorded: false }
    }

    /// Playouts whose moves are recorded, as RAVE needs them.
    pub fn recorded() -> Rollouts<M> {
        Rollouts { buffer: Vec::new(), recorded: true }
    }
}

impl<M> Default for Rollouts<M> {
    fn default() -> Rollouts<M> {
        Rollouts::new()
    }
}

impl<P: Position> LeafEvaluator<P> for Rollouts<P::Move> {
    #[inline]
    fn simulate(
        &mut self,
        position: &P,
        random: &mut Random,
        playout: &mut Playout<P::Move>,
    ) -> f32 {
        let outcome = if self.recorded {
            position.recorded_rollout(random, &mut self.buffer, &mut playout.moves)
        } else {
            position.rollout(random, &mut self.buffer)
        };
        outcome.value(position.turn())
    }
}

/// A score on the scale from -1 to 1: `x / sqrt(1 + x^2)`, where `x` is the score in units of
/// `scale` hundredths. Nothing but a division and a root, so it is the same on every machine.
#[inline]
pub fn squash(score: Score, scale: f32) -> f32 {
    let x = score.0 as f32 / scale;
    x / (1.0 + x * x).sqrt()
}

/// The score that [`squash`] makes `value` of, within the range of evaluations.
#[inline]
pub fn stretch(value: f32, scale: f32) -> Score {
    let value = value.clamp(-0.9999, 0.9999);
    Score::evaluation((scale * value / (1.0 - value * value).sqrt()).round() as i32)
}

/// Truncated playouts: the static evaluation after some random plies, or at once.
#[derive(Clone, Debug)]
pub struct TruncatedRollouts<E> {
    evaluator: E,
    scale: f32,
    plies: u32,
}

impl<E> TruncatedRollouts<E> {
    /// `evaluator` after `plies` random plies, on the scale from -1 to 1 by [`squash`].
    pub fn new(evaluator: E, scale: f32, plies: u32) -> TruncatedRollouts<E> {
        TruncatedRollouts { evaluator, scale, plies }
    }
}

impl<P: Position, E: Evaluator<P>> LeafEvaluator<P> for TruncatedRollouts<E> {
    fn simulate(
        &mut self,
        position: &P,
        random: &mut Random,
        playout: &mut Playout<P::Move>,
    ) -> f32 {
        if self.plies == 0 {
            return squash(self.evaluator.evaluate(position), self.scale);
        }
        let turn = position.turn();
        let mut position = position.clone();
        let mut moves = Vec::new();
        for _ in 0..self.plies {
            moves.clear();
            position.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            if position.rule_draw().is_some() {
                return 0.0;
            }
            playout.moves.push(mv);
            position.play(mv);
        }
        if let Some(outcome) = position.outcome() {
            return outcome.value(turn);
        }
        let value = squash(self.evaluator.evaluate(&position), self.scale);
        if position.turn() == turn { value } else { -value }
    }
}

/// Progressive bias: another leaf evaluator, with the static evaluation as the bias of the moves, "UCT +
/// c·e(position)".
#[derive(Clone, Debug)]
pub struct ProgressiveBias<G, E> {
    inner: G,
    evaluator: E,
    scale: f32,
}

impl<G, E> ProgressiveBias<G, E> {
    /// `inner` with the bias of `evaluator`.
    pub fn new(inner: G, evaluator: E, scale: f32) -> ProgressiveBias<G, E> {
        ProgressiveBias { inner, evaluator, scale }
    }
}

impl<P: Position, G: LeafEvaluator<P>, E: Evaluator<P>> LeafEvaluator<P> for ProgressiveBias<G, E> {
    const OBSERVES: bool = G::OBSERVES;

    fn simulate(
        &mut self,
        position: &P,
        random: &mut Random,
        playout: &mut Playout<P::Move>,
    ) -> f32 {
        self.inner.simulate(position, random, playout)
    }

    fn moves(&mut self, position: &P, out: &mut Vec<P::Move>) {
        self.inner.moves(position, out);
    }

    fn priors(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<Prior>) {
        self.inner.priors(position, moves, out);
    }

    fn biases(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<f32>) {
        for &mv in moves {
            let next = position.after(mv);
            out.push(match next.outcome() {
                Some(outcome) => outcome.value(position.turn()),
                None => -squash(self.evaluator.evaluate(&next), self.scale),
            });
        }
    }

    fn observe(&mut self, position: &P, stats: NodeStats) -> Option<f32> {
        self.inner.observe(position, stats)
    }
}

/// One of two leaf evaluators, chosen when the search is made.
#[derive(Clone, Debug)]
pub enum EitherLeaf<A, B> {
    /// The first.
    One(A),
    /// The second.
    Other(B),
}

impl<P: Position, A: LeafEvaluator<P>, B: LeafEvaluator<P>> LeafEvaluator<P> for EitherLeaf<A, B> {
    const OBSERVES: bool = A::OBSERVES || B::OBSERVES;

    #[inline]
    fn simulate(
        &mut self,
        position: &P,
        random: &mut Random,
        playout: &mut Playout<P::Move>,
    ) -> f32 {
        match self {
            EitherLeaf::One(evaluator) => evaluator.simulate(position, random, playout),
            EitherLeaf::Other(evaluator) => evaluator.simulate(position, random, playout),
        }
    }

    fn moves(&mut self, position: &P, out: &mut Vec<P::Move>) {
        match self {
            EitherLeaf::One(evaluator) => evaluator.moves(position, out),
            EitherLeaf::Other(evaluator) => evaluator.moves(position, out),
        }
    }

    fn priors(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<Prior>) {
        match self {
            EitherLeaf::One(evaluator) => evaluator.priors(position, moves, out),
            EitherLeaf::Other(evaluator) => evaluator.priors(position, moves, out),
        }
    }

    fn biases(&mut self, position: &P, moves: &[P::Move], out: &mut Vec<f32>) {
        match self {
            EitherLeaf::One(evaluator) => evaluator.biases(position, moves, out),
            EitherLeaf::Other(evaluator) => evaluator.biases(position, moves, out),
        }
    }

    fn observe(&mut self, position: &P, stats: NodeStats) -> Option<f32> {
        match self {
            EitherLeaf::One(evaluator) => evaluator.observe(position, stats),
            EitherLeaf::Other(evaluator) => evaluator.observe(position, stats),
        }
    }
}
