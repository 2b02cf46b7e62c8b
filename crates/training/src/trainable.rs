//! Games that can be trained, with their types erased.

use crate::{
    TrainingError, TrainingKind, TunableEval,
    feature_selection::FeatureSelectionRunner,
    go_net::GoNetRunner,
    move_strengths::MoveStrengthsRunner,
    neuroevolution::NeuroevolutionRunner,
    nnue::NnueRunner,
    playout_weights::PlayoutWeightsRunner,
    run::{EvalRunner, Job, RunResult, TrainingProgress},
    specialists::SpecialistsRunner,
    td::TdRunner,
};
use ludus_core::{Notation, Options, TextError, options::split_name};
use ludus_games::{chess::Chess, draughts::Draughts, go::Go, reversi::Reversi};
use ludus_players::common::engine::Networked;
use std::{marker::PhantomData, sync::atomic::AtomicBool};

/// Every game that can be trained. Adding one adds one entry here.
pub const TRAINABLE_GAMES: &[&dyn Trainable] = &[
    &TrainableWithNet::<Chess>::NEW,
    &TrainableDraughts,
    &TrainableGo,
    &GenericTrainable::<Reversi>::NEW,
];

/// A game that can be trained, its types erased.
pub trait Trainable: Sync {
    /// Name on the command line.
    fn id(&self) -> &'static str;

    /// Parses the options of the game.
    fn options(&self, text: &str) -> Result<Options, TextError>;

    /// Checks what only the game can check of a recipe: the player, the fixed groups, the start.
    fn check(&self, job: &Job) -> Result<(), TrainingError>;

    /// Runs the recipe, or resumes it.
    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError>;
}

/// [`Trainable`] for games without a network.
pub struct GenericTrainable<P>(PhantomData<fn() -> P>);

impl<P: TunableEval> GenericTrainable<P> {
    /// Instance for the game `P`.
    pub const NEW: GenericTrainable<P> = GenericTrainable(PhantomData);
}

impl<P: TunableEval> Trainable for GenericTrainable<P> {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        Options::parse(text, P::OPTIONS)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        EvalRunner::<P>::new(job).map(drop)
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        EvalRunner::<P>::new(job)?.run(stop, progress)
    }
}

/// [`Trainable`] for games that also have an NNUE network.
pub struct TrainableWithNet<P>(PhantomData<fn() -> P>);

impl<P: TunableEval + Networked> TrainableWithNet<P> {
    /// Instance for the game `P`.
    pub const NEW: TrainableWithNet<P> = TrainableWithNet(PhantomData);
}

impl<P: TunableEval + Networked> Trainable for TrainableWithNet<P> {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        Options::parse(text, P::OPTIONS)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        match job.recipe.kind {
            TrainingKind::Nnue => NnueRunner::<P>::new(job).map(drop),
            _ => GenericTrainable::<P>::NEW.check(job),
        }
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        match job.recipe.kind {
            TrainingKind::Nnue => NnueRunner::<P>::new(job)?.run(stop, progress),
            _ => GenericTrainable::<P>::NEW.run(job, stop, progress),
        }
    }
}

/// [`Trainable`] for draughts, which adds the learners of its own.
pub struct TrainableDraughts;

impl TrainableDraughts {
    const COMMON: TrainableWithNet<Draughts> = TrainableWithNet::NEW;
}

impl Trainable for TrainableDraughts {
    fn id(&self) -> &'static str {
        TrainableDraughts::COMMON.id()
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        TrainableDraughts::COMMON.options(text)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        match job.recipe.kind {
            TrainingKind::Td => TdRunner::new(job).map(drop),
            TrainingKind::Specialists => SpecialistsRunner::new(job).map(drop),
            TrainingKind::FeatureSelection => FeatureSelectionRunner::new(job).map(drop),
            TrainingKind::Neuroevolution => NeuroevolutionRunner::new(job).map(drop),
            _ => TrainableDraughts::COMMON.check(job),
        }
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        match job.recipe.kind {
            TrainingKind::Td => TdRunner::new(job)?.run(stop, progress),
            TrainingKind::Specialists => SpecialistsRunner::new(job)?.run(stop, progress),
            TrainingKind::FeatureSelection => FeatureSelectionRunner::new(job)?.run(stop, progress),
            TrainingKind::Neuroevolution => NeuroevolutionRunner::new(job)?.run(stop, progress),
            _ => TrainableDraughts::COMMON.run(job, stop, progress),
        }
    }
}

/// [`Trainable`] for Go, which trains move strengths, playout weights and a network.
pub struct TrainableGo;

impl Trainable for TrainableGo {
    fn id(&self) -> &'static str {
        Go::ID
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        Options::parse(text, Go::OPTIONS)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        match job.recipe.kind {
            TrainingKind::MoveStrengths => MoveStrengthsRunner::new(job).map(drop),
            TrainingKind::PlayoutWeights => PlayoutWeightsRunner::new(job).map(drop),
            TrainingKind::GoNet => GoNetRunner::new(job).map(drop),
            other => Err(unsupported_kind(other)),
        }
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        match job.recipe.kind {
            TrainingKind::MoveStrengths => MoveStrengthsRunner::new(job)?.run(stop, progress),
            TrainingKind::PlayoutWeights => PlayoutWeightsRunner::new(job)?.run(stop, progress),
            TrainingKind::GoNet => GoNetRunner::new(job)?.run(stop, progress),
            other => Err(unsupported_kind(other)),
        }
    }
}

fn unsupported_kind(kind: TrainingKind) -> TrainingError {
    TextError::whole(
        "kind",
        kind.name(),
        "moves, habits or go-net, the kinds of training that Go has",
    )
    .into()
}

/// Parses `game:options` and finds the game.
///
/// # Errors
/// If the game cannot be trained or its options are wrong.
pub fn find_trainable(text: &str) -> Result<(&'static dyn Trainable, Options), TextError> {
    let (name, _) = split_name(text);
    let Some(&trainable) = TRAINABLE_GAMES.iter().find(|trainable| trainable.id() == name) else {
        let names: Vec<&str> = TRAINABLE_GAMES.iter().map(|trainable| trainable.id()).collect();
        let expected = format!("one of the games that can be tuned: {}", names.join(", "));
        return Err(TextError::whole("game", name, expected));
    };
    Ok((trainable, trainable.options(text)?))
}
