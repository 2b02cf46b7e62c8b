//! The games whose evaluations can be tuned, with their types erased.

use crate::{
    Kind, TrainingError, Tunable,
    evolution::EvolutionRunner,
    genetic::GeneticRunner,
    go_net::GoNetRunner,
    habits::HabitsRunner,
    moves::MovesRunner,
    mp::MpRunner,
    net::NetRunner,
    run::{Job, Outcome, Progress, Runner},
    td::TdRunner,
};
use ludus_core::{Notation, Options, TextError, options::split_name};
use ludus_games::{chess::Chess, draughts::Draughts, go::Go, reversi::Reversi};
use ludus_players::engine::Networked;
use std::{marker::PhantomData, sync::atomic::AtomicBool};

/// Every game that can be tuned. Adding one adds one entry here.
pub const TUNABLE: &[&dyn Bench] =
    &[&NetWorkbench::<Chess>::NEW, &DraughtsBench, &GoBench, &Workbench::<Reversi>::NEW];

/// A game that can be tuned, whose type nobody needs to know.
pub trait Bench: Sync {
    /// The name on the command line.
    fn id(&self) -> &'static str;

    /// Reads the options of the game.
    fn options(&self, text: &str) -> Result<Options, TextError>;

    /// Checks what of a recipe only the game can: the player, the fixed groups, the start.
    fn check(&self, job: &Job) -> Result<(), TrainingError>;

    /// Does all that the recipe asks for, or the rest of it.
    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError>;
}

/// The one implementation of [`Bench`].
pub struct Workbench<P>(PhantomData<fn() -> P>);

impl<P: Tunable> Workbench<P> {
    /// The bench of the game `P`.
    pub const NEW: Workbench<P> = Workbench(PhantomData);
}

impl<P: Tunable> Bench for Workbench<P> {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        Options::parse(text, P::OPTIONS)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        Runner::<P>::new(job).map(drop)
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        Runner::<P>::new(job)?.run(stop, progress)
    }
}

/// The bench of a game that has a network as well.
pub struct NetWorkbench<P>(PhantomData<fn() -> P>);

impl<P: Tunable + Networked> NetWorkbench<P> {
    /// The bench of the game `P`.
    pub const NEW: NetWorkbench<P> = NetWorkbench(PhantomData);
}

impl<P: Tunable + Networked> Bench for NetWorkbench<P> {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        Options::parse(text, P::OPTIONS)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        match job.recipe.kind {
            Kind::Net => NetRunner::<P>::new(job).map(drop),
            _ => Workbench::<P>::NEW.check(job),
        }
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        match job.recipe.kind {
            Kind::Net => NetRunner::<P>::new(job)?.run(stop, progress),
            _ => Workbench::<P>::NEW.run(job, stop, progress),
        }
    }
}

/// The bench of draughts, whose players learn in ways of their own.
pub struct DraughtsBench;

impl DraughtsBench {
    const COMMON: NetWorkbench<Draughts> = NetWorkbench::NEW;
}

impl Bench for DraughtsBench {
    fn id(&self) -> &'static str {
        DraughtsBench::COMMON.id()
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        DraughtsBench::COMMON.options(text)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        match job.recipe.kind {
            Kind::Td => TdRunner::new(job).map(drop),
            Kind::Mp => MpRunner::new(job).map(drop),
            Kind::Genetic => GeneticRunner::new(job).map(drop),
            Kind::Evolution => EvolutionRunner::new(job).map(drop),
            _ => DraughtsBench::COMMON.check(job),
        }
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        match job.recipe.kind {
            Kind::Td => TdRunner::new(job)?.run(stop, progress),
            Kind::Mp => MpRunner::new(job)?.run(stop, progress),
            Kind::Genetic => GeneticRunner::new(job)?.run(stop, progress),
            Kind::Evolution => EvolutionRunner::new(job)?.run(stop, progress),
            _ => DraughtsBench::COMMON.run(job, stop, progress),
        }
    }
}

/// The bench of Go, which learns what moves are worth and how to play out, not positions.
pub struct GoBench;

impl Bench for GoBench {
    fn id(&self) -> &'static str {
        Go::ID
    }

    fn options(&self, text: &str) -> Result<Options, TextError> {
        Options::parse(text, Go::OPTIONS)
    }

    fn check(&self, job: &Job) -> Result<(), TrainingError> {
        match job.recipe.kind {
            Kind::Moves => MovesRunner::new(job).map(drop),
            Kind::Habits => HabitsRunner::new(job).map(drop),
            Kind::GoNet => GoNetRunner::new(job).map(drop),
            other => Err(no_such_kind(other)),
        }
    }

    fn run(
        &self,
        job: &Job,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        match job.recipe.kind {
            Kind::Moves => MovesRunner::new(job)?.run(stop, progress),
            Kind::Habits => HabitsRunner::new(job)?.run(stop, progress),
            Kind::GoNet => GoNetRunner::new(job)?.run(stop, progress),
            other => Err(no_such_kind(other)),
        }
    }
}

fn no_such_kind(kind: Kind) -> TrainingError {
    TextError::whole(
        "kind",
        kind.name(),
        "moves, habits or go-net, the kinds of training that Go has",
    )
    .into()
}

/// Reads `game:options` and finds the bench of the game.
///
/// # Errors
/// If the game cannot be tuned or its options are wrong.
pub fn find_bench(text: &str) -> Result<(&'static dyn Bench, Options), TextError> {
    let (name, _) = split_name(text);
    let Some(&bench) = TUNABLE.iter().find(|bench| bench.id() == name) else {
        let names: Vec<&str> = TUNABLE.iter().map(|bench| bench.id()).collect();
        let expected = format!("one of the games that can be tuned: {}", names.join(", "));
        return Err(TextError::whole("game", name, expected));
    };
    Ok((bench, bench.options(text)?))
}
