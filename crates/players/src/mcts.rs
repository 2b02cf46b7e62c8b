//! `mcts`: Monte-Carlo tree search with random games or the game's evaluation at the leaves.

use crate::{
    Recipe, Recording, Resources, Roster, Traced, TracedChoice,
    settings::{self, switch, text, whole},
};
use ludus_core::{
    Choice, HasEval, History, Kind, LeafEvaluator, Limits, OptionSpec, Options, Player,
    PlayerError, Position, TextError, Watch,
};
use ludus_search::mcts::{
    Biased, Either, Evaluated, FinalChoice, Growth, Mcts, Rave, Rollouts, Schedule, Selection,
    Settings, Widening,
};

const OPTIONS: &[OptionSpec] = &[
    PLAYOUTS,
    TIME,
    number("c", "0.7", 0.0, 100.0, "how much untried moves are tried: c of UCT"),
    OptionSpec {
        name: "expand",
        kind: Kind::Integer { min: 0, max: 1_000_000 },
        default: "1",
        about: "visits a position needs before the tree grows there",
    },
    OptionSpec {
        name: "final",
        kind: Kind::Choice(&["visits", "value", "lcb", "total"]),
        default: "visits",
        about: "what decides: visits, mean value, its lower bound, the sum of results",
    },
    LEAF,
    PLIES,
    OptionSpec {
        name: "rave",
        kind: Kind::Choice(&["off", "fuego", "gelly-silver"]),
        default: "off",
        about: "count moves played later as if played first, and how fast that fades",
    },
    number("winit", "1", 0.001, 1e6, "first weight of rave=fuego"),
    number("wfinal", "5000", 1.0, 1e9, "what the weight of rave=fuego grows to"),
    number("ravebias", "0.016", 0.0, 1.0, "error of the values of rave=gelly-silver"),
    OptionSpec {
        name: "raveskip",
        kind: Kind::Integer { min: 0, max: 1_000_000 },
        default: "20",
        about: "one descent in so many goes without rave; 0 for none",
    },
    number("fpu", "0", 0.0, 2.0, "chance of winning of a move nobody tried; 0 tries each once"),
    number("widening", "0", 0.0, 1e6, "look at 1 + widening x sqrt(visits) moves; 0 for all"),
    number("bias", "0", -10.0, 10.0, "how much the evaluation of a position adds to its value"),
    switch("solver", "on", "carry proven results up the tree"),
    switch("reuse", "on", "keep the tree from move to move"),
    switch("early", "on", "stop when the choice cannot change any more"),
    OptionSpec {
        name: "memory",
        kind: Kind::Bytes,
        default: "256MB",
        about: "size of the tree; once full it grows no more, simulations go on",
    },
];

pub(crate) const PLAYOUTS: OptionSpec =
    whole("playouts", i64::MAX, "simulations a move; 0 leaves it to the limits, else 10,000");
pub(crate) const TIME: OptionSpec = text("time", "", "time a move, such as 500ms");
pub(crate) const LEAF: OptionSpec = OptionSpec {
    name: "leaf",
    kind: Kind::Choice(&["playout", "eval", "mixed"]),
    default: "playout",
    about: "what judges a position: a random game, the evaluation, the evaluation after random plies",
};
pub(crate) const PLIES: OptionSpec = OptionSpec {
    name: "plies",
    kind: Kind::Integer { min: 0, max: 1000 },
    default: "6",
    about: "random plies of leaf=mixed",
};

pub(crate) const fn number(
    name: &'static str,
    default: &'static str,
    min: f64,
    max: f64,
    about: &'static str,
) -> OptionSpec {
    OptionSpec { name, kind: Kind::Number { min, max }, default, about }
}

pub fn recipe<P: Roster>() -> Recipe<P> {
    Recipe {
        id: "mcts",
        about: "Monte-Carlo tree search (UCT, RAVE)",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build::<P>(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build::<P>(options, resources)?))),
    }
}

/// What the options of `mcts` ask for.
fn search_settings<P: Roster>(options: &Options) -> Settings {
    let number = |name| options.number(name) as f32;
    let schedule = match options.text("rave") {
        "fuego" => Some(Schedule::Fuego { initial: number("winit"), last: number("wfinal") }),
        "gelly-silver" => Some(Schedule::GellySilver { bias: number("ravebias") }),
        _ => None,
    };
    let skip = options.integer("raveskip") as u32;
    Settings {
        selection: Selection::Ucb(number("c")),
        expand: options.integer("expand") as u32,
        choice: match options.text("final") {
            "value" => FinalChoice::Value,
            "lcb" => FinalChoice::LowerBound,
            "total" => FinalChoice::Total,
            _ => FinalChoice::Visits,
        },
        rave: schedule.map(|schedule| Rave {
            schedule,
            skip,
            first_only: false,
            nearness: 0.0,
            priors: true,
        }),
        first_play: Some(number("fpu")).filter(|&value| value > 0.0),
        widening: match number("widening") {
            0.0 => Widening::All,
            factor => Widening::Root(factor),
        },
        bias: number("bias"),
        solver: options.switch("solver"),
        reuse: options.switch("reuse"),
        early: options.switch("early"),
        memory: options.bytes("memory"),
        scale: scale::<P>(),
    }
}

/// The score that is worth 0.71 on the scale from -1 to 1: three of the game's units.
pub(crate) fn scale<P: Roster>() -> f32 {
    3.0 * P::engine_settings().pruning.unit as f32
}

/// The guide every game has.
pub(crate) type CommonGuide<P> = Biased<
    Either<Rollouts<<P as Position>::Move>, Evaluated<<P as HasEval>::Hand>>,
    <P as HasEval>::Hand,
>;

/// The guide that `leaf` and `plies` ask for; `recorded` playouts tell their moves.
pub(crate) fn guide<P: Roster>(options: &Options, recorded: bool) -> CommonGuide<P> {
    let scale = scale::<P>();
    let plies = if options.text("leaf") == "mixed" { options.integer("plies") as u32 } else { 0 };
    let leaf = match options.text("leaf") {
        "playout" if recorded => Either::One(Rollouts::recorded()),
        "playout" => Either::One(Rollouts::new()),
        _ => Either::Other(Evaluated::new(P::hand(), scale, plies)),
    };
    Biased::new(leaf, P::hand(), scale)
}

fn build<P: Roster>(
    options: &Options,
    resources: &Resources,
) -> Result<MctsPlayer<P, CommonGuide<P>>, TextError> {
    let settings = search_settings::<P>(options);
    let guide = || guide::<P>(options, settings.rave.is_some());
    let mcts = Mcts::new(settings, resources.threads, resources.seed, guide);
    Ok(MctsPlayer::new("mcts", own_limits(options)?, mcts))
}

/// The limits in the options: `playouts` and `time`.
pub(crate) fn own_limits(options: &Options) -> Result<Limits, TextError> {
    Ok(Limits {
        nodes: settings::number(options, "playouts"),
        time: settings::time(options, "time")?,
        ..Limits::default()
    })
}

/// A player that makes the moves a Monte-Carlo search finds. Games with guides of their own build
/// theirs of it too.
pub struct MctsPlayer<P: Position, G> {
    name: &'static str,
    limits: Limits,
    mcts: Mcts<P, G>,
}

impl<P: Roster, G: LeafEvaluator<P>> MctsPlayer<P, G> {
    /// Plays by `mcts`; its own `limits` go before the caller's.
    pub fn new(name: &'static str, limits: Limits, mcts: Mcts<P, G>) -> MctsPlayer<P, G> {
        MctsPlayer { name, limits, mcts }
    }

    /// The search, for what its guides have counted.
    pub fn mcts(&self) -> &Mcts<P, G> {
        &self.mcts
    }
}

fn refuse_the_end<P: Position>(game: &History<P>) -> Result<(), PlayerError> {
    match game.last().outcome() {
        Some(_) => Err(PlayerError::failed("the game is over")),
        None => Ok(()),
    }
}

impl<P: Roster, G: LeafEvaluator<P>> Player<P> for MctsPlayer<P, G> {
    fn name(&self) -> &str {
        self.name
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        refuse_the_end(game)?;
        let report = self.mcts.search(game, &settings::before(&self.limits, limits), watch);
        Ok(Choice::play(report.line[0], report))
    }

    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        refuse_the_end(game)?;
        let limits = settings::before(&self.limits, limits);
        let report = self.mcts.search_lines(game, &limits, lines, watch);
        Ok(Choice::play(report.line[0], report))
    }

    fn new_game(&mut self, seed: u64) {
        self.mcts.new_game(seed);
    }
}

impl<P: Roster, G: LeafEvaluator<P>> Traced<P> for MctsPlayer<P, G> {
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError> {
        refuse_the_end(game)?;
        let mut growth = Growth::new(size);
        let limits = settings::before(&self.limits, limits);
        let report = self.mcts.trace(game, &limits, watch, &mut growth);
        Ok((Choice::play(report.line[0], report), Recording::Growth(growth)))
    }
}
