//! `engine`: the strongest search we have, with the game's evaluation, at ten levels.

use crate::{
    Recipe, Recording, Resources, Roster, Traced, TracedChoice, database,
    endgame_solver::EndgameSolver,
    settings::{self, switch, text, whole},
    textbook::{SCHEME, table_of},
};
use ludus_core::{
    Choice, Evaluator, History, Kind, Limits, NnueInputs, OptionSpec, Options, Player, PlayerError,
    Position, Random, Report, Score, TextError, Watch,
};
use ludus_models::nnue::{Corrected, Net, NetEvaluator, Shape};
use ludus_search::alphabeta::{Oracle, Ponder, Pruning, Searcher, Settings, Trace};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Every option of the player in a game with no other judge than the hand evaluation.
pub const OPTIONS: &[OptionSpec] = &options("hand", &["hand"]);

/// Every option of the player in a game with a network.
pub const NET_OPTIONS: &[OptionSpec] = &options("net", &["net", "hand"]);

/// Every option of the player in a game with a network and tables of endings.
pub const TABLE_OPTIONS: &[OptionSpec] = &and(options("net", &["net", "hand"]), database::OPTION);

const fn and(options: [OptionSpec; 17], another: OptionSpec) -> [OptionSpec; 18] {
    let mut all = [another; 18];
    let mut index = 0;
    while index < options.len() {
        all[index] = options[index];
        index += 1;
    }
    all
}

const fn options(eval: &'static str, evals: &'static [&'static str]) -> [OptionSpec; 17] {
    [
        LEVEL,
        OptionSpec {
            name: "eval",
            kind: Kind::Choice(evals),
            default: eval,
            about: "what judges the positions",
        },
        text(
            "weights",
            "",
            "a file of weights or a network to judge by instead, such as `ludus train` writes",
        ),
        whole("depth", 100, "plies to look ahead; 0 for no limit"),
        whole("nodes", i64::MAX, "positions to look at; 0 for no limit"),
        text("time", "", "time a move, such as 500ms"),
        OptionSpec {
            name: "table",
            kind: Kind::Bytes,
            default: "64MB",
            about: "size of the transposition table; 0 for none",
        },
        OptionSpec { default: "aged", ..SCHEME },
        switch("ponder", "off", "think on the opponent's time"),
        switch("null", "on", "prune where even passing is good enough"),
        switch("reductions", "on", "search late moves less deeply first"),
        switch("futility", "on", "prune far outside the window near the horizon"),
        switch("late", "on", "leave out late quiet moves near the horizon"),
        switch("exchange", "on", "leave out moves that lose material in the exchange"),
        switch("singular", "on", "search the only good move deeper"),
        switch("extensions", "on", "search forced replies deeper"),
        switch("quiescence", "on", "play captures out at the horizon"),
    ]
}

/// The strongest level.
pub const TOP_LEVEL: u32 = 10;

/// How strong an engine plays, whatever the game.
pub const LEVEL: OptionSpec = OptionSpec {
    name: "level",
    kind: Kind::Integer { min: 1, max: TOP_LEVEL as i64 },
    default: "10",
    about: "strength: 1 for a beginner, 10 for all it can",
};

/// Time for a move when nothing limits the search.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A game with a network.
pub trait Networked: Roster + NnueInputs {
    /// The network it comes with.
    fn net() -> Arc<Net>;
}

const ABOUT: &str = "our strongest search, at levels from beginner to all it can";

/// The engine of a game that is judged by hand.
pub fn recipe<P: Roster>() -> Recipe<P> {
    Recipe {
        id: "engine",
        about: ABOUT,
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(engine(hand::<P>(options)?, options, resources)?)),
        build_traced: Some(|options, resources| {
            Ok(Box::new(engine(hand::<P>(options)?, options, resources)?))
        }),
    }
}

/// The engine of a game that has a network.
pub fn recipe_with_net<P: Networked>() -> Recipe<P> {
    Recipe {
        id: "engine",
        about: ABOUT,
        options: NET_OPTIONS,
        build: |options, resources| match net::<P>(options)? {
            Some(net) => Ok(Box::new(engine(net, options, resources)?)),
            None => Ok(Box::new(engine(hand::<P>(options)?, options, resources)?)),
        },
        build_traced: Some(|options, resources| match net::<P>(options)? {
            Some(net) => Ok(Box::new(engine(net, options, resources)?)),
            None => Ok(Box::new(engine(hand::<P>(options)?, options, resources)?)),
        }),
    }
}

/// The engine of a game that has a network and tables of endings.
pub fn recipe_with_net_and_tables<P: Networked>() -> Recipe<P> {
    Recipe { options: TABLE_OPTIONS, ..recipe_with_net() }
}

/// The engine that judges by `evaluator` and asks the game's oracle.
fn engine<P: Roster, E: Evaluator<P> + Clone + 'static>(
    evaluator: E,
    options: &Options,
    resources: &Resources,
) -> Result<Engine<P, E>, PlayerError> {
    let oracle = P::oracle(options, resources)?;
    Ok(Engine::new(evaluator, options, resources)?.with_oracle(oracle))
}

/// The game's own evaluation, or the same with the weights of a file.
fn hand<P: Roster>(options: &Options) -> Result<P::Hand, PlayerError> {
    match weights_file(options)? {
        None => Ok(P::hand()),
        Some(bytes) => Ok(P::hand_from(&String::from_utf8_lossy(&bytes))?),
    }
}

/// The network to judge by: the game's own, or that of the file if it holds one. `None` if it is to
/// be the hand evaluation.
fn net<P: Networked>(options: &Options) -> Result<Option<Corrected<P, P::Hand>>, PlayerError> {
    let net = match weights_file(options)? {
        None if options.text("eval") == "hand" => return Ok(None),
        None => P::net(),
        Some(bytes) if !Net::is_one(&bytes) => return Ok(None),
        Some(bytes) => {
            let name = options.text("weights");
            Arc::new(Net::from_bytes(&bytes, name, Shape::of::<P>())?)
        }
    };
    Ok(Some(Corrected { base: P::hand(), net: NetEvaluator::new(net) }))
}

fn weights_file(options: &Options) -> Result<Option<Vec<u8>>, TextError> {
    let file = options.text("weights");
    if file.is_empty() {
        return Ok(None);
    }
    std::fs::read(file).map(Some).map_err(|error| {
        let expected = format!("a file of weights that can be read ({error})");
        TextError::whole("weights of the engine", file, expected)
    })
}

/// The engine with the options' settings and any evaluation, such as one that is being tuned.
pub fn with_evaluator<P: Roster, E: Evaluator<P> + Clone + 'static>(
    evaluator: E,
    options: &Options,
    resources: &Resources,
) -> Result<Box<dyn Player<P>>, TextError> {
    Ok(Box::new(Engine::new(evaluator, options, resources)?))
}

struct Engine<P: Position, E> {
    settings: Settings,
    searcher: Searcher<P, E>,
    oracle: Option<Arc<dyn Oracle<P>>>,
    evaluator: E,
    limits: Limits,
    level: u32,
    ponders: bool,
    ponder: Option<Ponder>,
    endgame_solver: Option<Box<dyn EndgameSolver<P>>>,
    random: Random,
}

/// How a level below the top plays.
struct Weakness {
    /// Positions it looks at.
    nodes: u64,
    /// How far off it judges its moves, in hundredths of the game's unit.
    noise: i32,
}

impl Weakness {
    /// People of different strength see a few more moves ahead and misjudge less. Each level looks
    /// at about three times as many positions as the one below; the last two in one search, which
    /// sees much more than one shared out among the moves.
    fn of(level: u32) -> Option<Weakness> {
        let (nodes, noise) = match level {
            1 => (30, 160),
            2 => (100, 85),
            3 => (350, 48),
            4 => (1_000, 28),
            5 => (2_500, 17),
            6 => (10_000, 8),
            7 => (30_000, 4),
            8 => (14_000, 0),
            9 => (80_000, 0),
            _ => return None,
        };
        Some(Weakness { nodes, noise })
    }
}

/// What is left of the limits after so much time.
fn less(mut limits: Limits, spent: Duration) -> Limits {
    limits.time = limits.time.map(|time| time.saturating_sub(spent));
    if let Some(clock) = &mut limits.clock {
        clock.remaining = clock.remaining.saturating_sub(spent);
    }
    limits
}

/// The game's settings, changed as the options say.
fn adjusted(settings: Settings, options: &Options) -> Settings {
    let rules = settings.pruning;
    Settings {
        extensions: settings.extensions && options.switch("extensions"),
        quiescence: settings.quiescence && options.switch("quiescence"),
        pruning: Pruning {
            null_move: rules.null_move && options.switch("null"),
            reductions: rules.reductions && options.switch("reductions"),
            futility: rules.futility && options.switch("futility"),
            late_moves: rules.late_moves && options.switch("late"),
            exchange: rules.exchange && options.switch("exchange"),
            singular: rules.singular && options.switch("singular"),
            ..rules
        },
        ..settings
    }
}

impl<P: Roster, E: Evaluator<P> + Clone + 'static> Engine<P, E> {
    fn new(
        evaluator: E,
        options: &Options,
        resources: &Resources,
    ) -> Result<Engine<P, E>, TextError> {
        let settings = adjusted(P::engine_settings(), options);
        let level = options.integer("level") as u32;
        let threads = if Weakness::of(level).is_some() { 1 } else { resources.threads };
        Ok(Engine {
            settings,
            searcher: Searcher::new(settings, table_of(options), &evaluator, threads),
            oracle: None,
            evaluator,
            limits: settings::limits(options)?,
            level,
            ponders: options.switch("ponder"),
            ponder: None,
            endgame_solver: P::endgame_solver().filter(|_| Weakness::of(level).is_none()),
            random: Random::new(resources.seed).split("engine"),
        })
    }

    /// The same engine, asking `oracle` about endings; a weak level knows none by heart.
    fn with_oracle(mut self, oracle: Option<Arc<dyn Oracle<P>>>) -> Engine<P, E> {
        self.oracle = oracle.filter(|_| Weakness::of(self.level).is_none());
        self.searcher = self.searcher.with_oracle(self.oracle.clone());
        self
    }

    fn limits_of_move(&self, limits: &Limits) -> Limits {
        let mut limits = settings::before(&self.limits, limits);
        if limits == Limits::default() {
            limits.time = Some(DEFAULT_TIME);
        }
        limits
    }

    /// A weak level judges every move by a small search of its own, misjudges it a little and plays
    /// what looks best to it. A move that ends the game in its favour it never overlooks.
    fn choose_weakly(
        &mut self,
        game: &History<P>,
        weakness: &Weakness,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Report<P::Move> {
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(weakness.nodes);
        let limits = Limits { nodes: Some(nodes), ..*limits };
        if weakness.noise == 0 {
            return self.searcher.search(game, &limits, watch);
        }
        let mut moves = Vec::new();
        game.last().legal_moves(&mut moves);
        let share = Limits { nodes: Some((nodes / moves.len() as u64).max(1)), ..limits };
        let mut report = Report::default();
        let mut best = i32::MIN;
        let mut next = game.clone();
        for &mv in &moves {
            next.push(mv);
            let (score, visited, line) = self.judge(&next, &share, watch);
            next.pop();
            report.nodes += visited;
            let noise = weakness.noise * self.settings.pruning.unit / 100;
            // The sum of three even draws: small slips are common, large ones rare.
            let slip: i32 =
                (0..3).map(|_| self.random.below(2 * noise as usize + 1) as i32 - noise).sum();
            let felt = if score.win_in() == Some(1) { i32::MAX } else { score.0 + slip };
            if felt > best {
                best = felt;
                report.score = Some(score);
                report.line = std::iter::once(mv).chain(line).collect();
            }
            report.moves.push(ludus_core::MoveReport { mv, score: Some(score), visits: visited });
        }
        report.depth = 1;
        report.leaves = report.nodes;
        report
    }

    /// A proven result if one can be had, or else what a search in the time left finds.
    fn finish_or_search(
        &mut self,
        game: &History<P>,
        mut limits: Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Report<P::Move> {
        if let Some(endgame_solver) = &mut self.endgame_solver {
            let started = Instant::now();
            if let Some(report) = endgame_solver.finish(game, &limits, watch) {
                return report;
            }
            limits = less(limits, started.elapsed());
        }
        self.searcher.search(game, &limits, watch)
    }

    /// The value of the last position of `game` for the side that has just moved.
    fn judge(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> (Score, u64, Vec<P::Move>) {
        if let Some((outcome, _)) = P::ending(game) {
            return (-Score::terminal(outcome, game.last().turn(), 1), 1, Vec::new());
        }
        let quiet = &mut Watch { stop: watch.stop, on_report: &mut |_| {} };
        let report = self.searcher.search(game, limits, quiet);
        let score = report.score.unwrap_or_else(|| self.evaluator.evaluate(game.last()));
        let farther = score.win_in().map_or(0, i32::signum);
        (Score(-score.0 + farther), report.nodes.max(1), report.line)
    }
}

impl<P: Roster, E: Evaluator<P> + Clone + 'static> Player<P> for Engine<P, E> {
    fn name(&self) -> &str {
        "engine"
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.ponder = None;
        if game.last().outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        let limits = self.limits_of_move(limits);
        let report = match Weakness::of(self.level) {
            Some(weakness) => self.choose_weakly(game, &weakness, &limits, watch),
            None => self.finish_or_search(game, limits, watch),
        };
        let mv = report.line[0];
        if self.ponders
            && let Some(table) = self.searcher.table()
        {
            let mut next = game.clone();
            next.push(mv);
            if P::ending(&next).is_none() {
                let searcher = Searcher::sharing(self.settings, table, &self.evaluator)
                    .with_oracle(self.oracle.clone());
                self.ponder = Some(Ponder::start(searcher, next));
            }
        }
        Ok(Choice::play(mv, report))
    }

    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.ponder = None;
        if game.last().outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        if self.level < TOP_LEVEL && lines > 1 {
            let level = self.level.to_string();
            let expected = format!("level {TOP_LEVEL}, the only one that has several lines");
            return Err(TextError::whole("level of the engine", &level, expected).into());
        }
        let mut of_move = self.limits_of_move(limits);
        if let Some(endgame_solver) = &mut self.endgame_solver {
            let started = Instant::now();
            if let Some(mut report) = endgame_solver.judge_moves(game, &of_move, watch) {
                report.lines.truncate(lines);
                return Ok(Choice::play(report.line[0], report));
            }
            of_move = less(of_move, started.elapsed());
        }
        if lines == 1 {
            return self.choose(game, limits, watch);
        }
        let report = self.searcher.search_lines(game, &of_move, lines, watch);
        Ok(Choice::play(report.line[0], report))
    }

    fn new_game(&mut self, seed: u64) {
        self.ponder = None;
        self.searcher.new_game();
        if let Some(endgame_solver) = &mut self.endgame_solver {
            endgame_solver.new_game();
        }
        self.random = Random::new(seed).split("engine");
    }
}

impl<P: Roster, E: Evaluator<P> + Clone + 'static> Traced<P> for Engine<P, E> {
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError> {
        if game.last().outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        if self.level < TOP_LEVEL {
            // A weak level makes a search of its own for every move: there is no one tree.
            let level = self.level.to_string();
            let expected = format!("level {TOP_LEVEL}, the only one with one tree to trace");
            return Err(TextError::whole("level of the engine", &level, expected).into());
        }
        let mut trace = Trace::new(size);
        let report = self.searcher.trace(game, &self.limits_of_move(limits), watch, &mut trace);
        Ok((Choice::play(report.line[0], report), Recording::Visits(trace)))
    }
}
