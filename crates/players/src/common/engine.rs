//! `engine`: our strongest alpha-beta search with the game's evaluation, at ten levels.

use crate::{
    PlayerRecipe, Resources, Roster, Traced, TracedChoice,
    common::{
        endgame_database,
        textbook::{SCHEME, table_of},
    },
    roster::Handcrafted,
    settings::{self, integer, switch, text},
};
use ludus_core::{
    Choice, EndgameSolver, Evaluator, HasEval, History, Limits, NnueInputs, OptionKind, OptionSpec,
    Options, Player, PlayerError, Random, Report, Score, SearchControl, TextError,
};
use ludus_models::nnue::{CorrectedEval, Net, NnueEvaluator, Shape};
use ludus_search::{
    Recording, Search, SearchOutput,
    alphabeta::{EndgameOracle, Ponder, Pruning, SearchParams, SearchSettings, Searcher, Trace},
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The options of every engine: `$evals` are its evaluations, the default first, and `$own` what only it has.
macro_rules! options {
    ($evals:expr $(, $own:expr)?) => {
        &[
            LEVEL,
            OptionSpec {
                name: "eval",
                kind: OptionKind::Choice($evals),
                default: $evals[0],
                about: "the evaluation of positions",
            },
            text(
                "weights",
                "",
                "a file of weights or a network to evaluate by instead, as `ludus train` writes them",
            ),
            integer("depth", 100, "plies to search; 0 for no limit"),
            integer("nodes", i64::MAX, "positions to search; 0 for no limit"),
            text("time", "", "time a move, such as 500ms"),
            OptionSpec {
                name: "table",
                kind: OptionKind::Bytes,
                default: "64MB",
                about: "size of the transposition table; 0 for none",
            },
            OptionSpec { default: "aged", ..SCHEME },
            switch("ponder", "off", "think on the opponent's time"),
            switch("null", "on", "null-move pruning"),
            switch("reductions", "on", "late-move reductions"),
            switch("futility", "on", "futility pruning and razoring near the horizon"),
            switch("late", "on", "late-move pruning near the horizon"),
            switch("exchange", "on", "SEE pruning: skip moves that lose material in the exchange"),
            switch("singular", "on", "singular extensions: search the only good move deeper"),
            switch("extensions", "on", "extensions: search forced replies deeper"),
            switch("quiescence", "on", "quiescence search: play out captures at the horizon"),
            SET,
            $($own,)?
        ]
    };
}

/// Options of the player in a game with a handcrafted evaluation only.
pub const OPTIONS: &[OptionSpec] = options!(&["hand"]);

/// Options of the player in a game with a network.
pub const NET_OPTIONS: &[OptionSpec] = options!(&["net", "hand"]);

/// Options of the player in a game with a network and endgame tables.
pub const TABLE_OPTIONS: &[OptionSpec] = options!(&["net", "hand"], endgame_database::OPTION);

/// The option that changes search parameters, for tuning.
const SET: OptionSpec = text(
    "set",
    "",
    "search parameters to change, such as lmr_base:0.6+rfp_margin:90; an unknown name lists all",
);

/// The strongest level.
pub const TOP_LEVEL: u32 = 10;

/// The option for the playing strength, in every game.
pub const LEVEL: OptionSpec = OptionSpec {
    name: "level",
    kind: OptionKind::Integer { min: 1, max: TOP_LEVEL as i64 },
    default: "10",
    about: "playing strength, from 1 (beginner) to 10 (full)",
};

/// Time for a move when nothing limits the search.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A game with a network.
pub trait Networked: Roster<Knowledge: NnueInputs<Position = Self>> {
    /// The built-in network.
    fn net() -> Arc<Net>;
}

const ABOUT: &str = "our strongest search, at levels from beginner to full strength";

/// The engine of a game with a handcrafted evaluation only.
pub fn recipe<P: Roster>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "engine",
        about: ABOUT,
        options: OPTIONS,
        build: |options, resources| {
            Ok(Box::new(engine(handcrafted::<P>(options)?, options, resources)?))
        },
        build_traced: Some(|options, resources| {
            Ok(Box::new(engine(handcrafted::<P>(options)?, options, resources)?))
        }),
    }
}

/// The engine of a game with a network.
pub fn recipe_with_net<P: Networked>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "engine",
        about: ABOUT,
        options: NET_OPTIONS,
        build: |options, resources| match net::<P>(options)? {
            Some(net) => Ok(Box::new(engine(net, options, resources)?)),
            None => Ok(Box::new(engine(handcrafted::<P>(options)?, options, resources)?)),
        },
        build_traced: Some(|options, resources| match net::<P>(options)? {
            Some(net) => Ok(Box::new(engine(net, options, resources)?)),
            None => Ok(Box::new(engine(handcrafted::<P>(options)?, options, resources)?)),
        }),
    }
}

/// The engine of a game with a network and endgame tables.
pub fn recipe_with_net_and_tables<P: Networked>() -> PlayerRecipe<P> {
    PlayerRecipe { options: TABLE_OPTIONS, ..recipe_with_net() }
}

/// The engine with `evaluator` and the endgame database of the game.
fn engine<P: Roster, E: Evaluator<P> + Clone + 'static>(
    evaluator: E,
    options: &Options,
    resources: &Resources,
) -> Result<Engine<P, E>, PlayerError> {
    let oracle = P::endgame_oracle(options, resources)?;
    Ok(Engine::new(evaluator, options, resources)?.with_oracle(oracle))
}

/// The handcrafted evaluation, with the weights of a file if one is given.
fn handcrafted<P: Roster>(options: &Options) -> Result<Handcrafted<P>, PlayerError> {
    match weights_file(options)? {
        None => Ok(P::Knowledge::handcrafted()),
        Some(bytes) => Ok(P::eval_from_weights(&String::from_utf8_lossy(&bytes))?),
    }
}

/// The handcrafted evaluation of a game, corrected by a network.
type NetworkEval<P> = CorrectedEval<<P as Roster>::Knowledge, Handcrafted<P>>;

/// The network to evaluate by: the built-in one, or that of the file if it holds one; `None` if the
/// handcrafted evaluation is asked for.
fn net<P: Networked>(options: &Options) -> Result<Option<NetworkEval<P>>, PlayerError> {
    let net = match weights_file(options)? {
        None if options.text("eval") == "hand" => return Ok(None),
        None => P::net(),
        Some(bytes) if !Net::is_one(&bytes) => return Ok(None),
        Some(bytes) => {
            let name = options.text("weights");
            Arc::new(Net::from_bytes(&bytes, name, Shape::of::<P::Knowledge>())?)
        }
    };
    Ok(Some(CorrectedEval { base: P::Knowledge::handcrafted(), net: NnueEvaluator::new(net) }))
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

/// The engine with the settings of `options` and any evaluation, such as one that is being tuned.
pub fn with_evaluator<P: Roster, E: Evaluator<P> + Clone + 'static>(
    evaluator: E,
    options: &Options,
    resources: &Resources,
) -> Result<Box<dyn Player<P>>, TextError> {
    Ok(Box::new(Engine::new(evaluator, options, resources)?))
}

struct Engine<P: Roster, E> {
    settings: SearchSettings,
    searcher: Searcher<P, E, P::Knowledge>,
    oracle: Option<Arc<dyn EndgameOracle<P>>>,
    evaluator: E,
    limits: Limits,
    level: u32,
    ponders: bool,
    ponder: Option<Ponder>,
    endgame_solver: Option<Box<dyn EndgameSolver<P>>>,
    random: Random,
}

/// The handicap of a level below the top.
struct WeakLevel {
    /// Positions to search for a move.
    nodes: u64,
    /// Noise added to the scores of moves, in hundredths of the game's unit.
    noise: i32,
}

impl WeakLevel {
    /// Stronger people see a few moves further ahead and misjudge positions less. Each level searches
    /// about three times as many positions as the one below; the last two in one search, which sees
    /// much more than the same nodes divided among the moves.
    fn of(level: u32) -> Option<WeakLevel> {
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
        Some(WeakLevel { nodes, noise })
    }
}

/// The limits less the time `spent`.
fn reduced_limits(mut limits: Limits, spent: Duration) -> Limits {
    limits.time = limits.time.map(|time| time.saturating_sub(spent));
    if let Some(clock) = &mut limits.clock {
        clock.remaining = clock.remaining.saturating_sub(spent);
    }
    limits
}

/// The search parameters, changed by the option `set`.
fn tuned(mut params: SearchParams, options: &Options) -> Result<SearchParams, TextError> {
    for item in options.text(SET.name).split('+').filter(|item| !item.is_empty()) {
        let change =
            item.split_once(':').and_then(|(name, value)| Some((name, value.parse().ok()?)));
        let (name, value) = change
            .ok_or_else(|| TextError::whole("search parameter to change", item, "NAME:NUMBER"))?;
        params.set(name, value)?;
    }
    Ok(params)
}

/// The settings of the game, changed by the options.
fn adjusted(settings: SearchSettings, options: &Options) -> Result<SearchSettings, TextError> {
    let rules = settings.pruning;
    Ok(SearchSettings {
        extensions: settings.extensions && options.switch("extensions"),
        quiescence: settings.quiescence && options.switch("quiescence"),
        pruning: Pruning {
            null_move: rules.null_move && options.switch("null"),
            late_move_reductions: rules.late_move_reductions && options.switch("reductions"),
            futility: rules.futility && options.switch("futility"),
            late_move_pruning: rules.late_move_pruning && options.switch("late"),
            see_pruning: rules.see_pruning && options.switch("exchange"),
            singular_extensions: rules.singular_extensions && options.switch("singular"),
        },
        params: tuned(settings.params, options)?,
        ..settings
    })
}

impl<P: Roster, E: Evaluator<P> + Clone + 'static> Engine<P, E> {
    fn new(
        evaluator: E,
        options: &Options,
        resources: &Resources,
    ) -> Result<Engine<P, E>, TextError> {
        let settings = adjusted(P::engine_settings(), options)?;
        let level = options.integer("level") as u32;
        let threads = if WeakLevel::of(level).is_some() { 1 } else { resources.threads };
        Ok(Engine {
            settings,
            searcher: Searcher::new(
                settings,
                table_of(options)?,
                &evaluator,
                P::Knowledge::default(),
                threads,
            ),
            oracle: None,
            evaluator,
            limits: settings::limits(options)?,
            level,
            ponders: options.switch("ponder"),
            ponder: None,
            endgame_solver: P::endgame_solver().filter(|_| WeakLevel::of(level).is_none()),
            random: Random::new(resources.seed).split("engine"),
        })
    }

    /// The same engine with an endgame database, which weak levels do not use.
    fn with_oracle(mut self, oracle: Option<Arc<dyn EndgameOracle<P>>>) -> Engine<P, E> {
        self.oracle = oracle.filter(|_| WeakLevel::of(self.level).is_none());
        self.searcher = self.searcher.with_oracle(self.oracle.clone());
        self
    }

    fn limits_of_move(&self, limits: &Limits) -> Limits {
        let mut limits = settings::merge_limits(&self.limits, limits);
        if limits == Limits::default() {
            limits.time = Some(DEFAULT_TIME);
        }
        limits
    }

    /// The move of a weak level: every move is scored by a small search of its own plus noise, and the best
    /// is played. A move that wins the game at once is never overlooked.
    fn choose_at_weak_level(
        &mut self,
        game: &History<P>,
        level: &WeakLevel,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(level.nodes);
        let limits = Limits { nodes: Some(nodes), ..*limits };
        if level.noise == 0 {
            return self.searcher.search(game, &limits, control);
        }
        let mut moves = Vec::new();
        game.last().legal_moves(&mut moves);
        let share = Limits { nodes: Some((nodes / moves.len() as u64).max(1)), ..limits };
        let mut report = Report::default();
        let mut best = i32::MIN;
        let mut next = game.clone();
        for &mv in &moves {
            next.push(mv);
            let (score, visited, line) = self.score_reached(&next, &share, control);
            next.pop();
            report.nodes += visited;
            let noise = level.noise * self.settings.params.margin_scale / 100;
            // The sum of three uniform draws: small errors are common, large ones rare.
            let error: i32 =
                (0..3).map(|_| self.random.below(2 * noise as usize + 1) as i32 - noise).sum();
            let perceived = if score.win_in() == Some(1) { i32::MAX } else { score.0 + error };
            if perceived > best {
                best = perceived;
                report.score = Some(score);
                report.line = std::iter::once(mv).chain(line).collect();
            }
            report.moves.push(ludus_core::MoveReport { mv, score: Some(score), visits: visited });
        }
        report.depth = 1;
        report.leaves = report.nodes;
        report
    }

    /// The solver's proven result, or else the result of a search in the time left.
    fn solve_or_search(
        &mut self,
        game: &History<P>,
        mut limits: Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        if let Some(endgame_solver) = &mut self.endgame_solver {
            let started = Instant::now();
            if let Some(report) = endgame_solver.solve(game, &limits, control) {
                return report;
            }
            limits = reduced_limits(limits, started.elapsed());
        }
        self.searcher.search(game, &limits, control)
    }

    /// The score of the last position of `game` for the side that has just moved.
    fn score_reached(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> (Score, u64, Vec<P::Move>) {
        if let Some((outcome, _)) = P::ending(game) {
            return (-Score::terminal(outcome, game.last().turn(), 1), 1, Vec::new());
        }
        let quiet = &mut SearchControl { stop: control.stop, on_report: &mut |_| {} };
        let report = self.searcher.search(game, limits, quiet);
        let score = report.score.unwrap_or_else(|| self.evaluator.evaluate(game.last()));
        let one_ply = score.win_in().map_or(0, i32::signum);
        (Score(-score.0 + one_ply), report.nodes.max(1), report.line)
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
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.ponder = None;
        if game.last().outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        let limits = self.limits_of_move(limits);
        let report = match WeakLevel::of(self.level) {
            Some(level) => self.choose_at_weak_level(game, &level, &limits, control),
            None => self.solve_or_search(game, limits, control),
        };
        let mv = report.line[0];
        if self.ponders
            && let Some(table) = self.searcher.table()
        {
            let mut next = game.clone();
            next.push(mv);
            if P::ending(&next).is_none() {
                let searcher = Searcher::sharing(
                    self.settings,
                    table,
                    &self.evaluator,
                    P::Knowledge::default(),
                )
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
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.ponder = None;
        if game.last().outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        if self.level < TOP_LEVEL && lines > 1 {
            let level = self.level.to_string();
            let expected = format!("level {TOP_LEVEL}, the only one with several lines");
            return Err(TextError::whole("level of the engine", &level, expected).into());
        }
        let mut of_move = self.limits_of_move(limits);
        if let Some(endgame_solver) = &mut self.endgame_solver {
            let started = Instant::now();
            if let Some(mut report) = endgame_solver.solve_moves(game, &of_move, control) {
                report.lines.truncate(lines);
                return Ok(Choice::play(report.line[0], report));
            }
            of_move = reduced_limits(of_move, started.elapsed());
        }
        if lines == 1 {
            return self.choose(game, limits, control);
        }
        let report = self.searcher.run(game, &of_move, SearchOutput::Lines(lines), control);
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
        control: &mut SearchControl<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError> {
        if game.last().outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        if self.level < TOP_LEVEL {
            // A weak level runs a search for every move, so there is no single tree.
            let level = self.level.to_string();
            let expected = format!("level {TOP_LEVEL}, the only one with a single tree to trace");
            return Err(TextError::whole("level of the engine", &level, expected).into());
        }
        let mut trace = Trace::new(size);
        let report = self.searcher.run(
            game,
            &self.limits_of_move(limits),
            SearchOutput::Trace(&mut trace),
            control,
        );
        Ok((Choice::play(report.line[0], report), Recording::Visits(trace)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(spec: &str) -> Result<SearchParams, TextError> {
        tuned(SearchParams::DEFAULT, &Options::parse(spec, OPTIONS)?)
    }

    #[test]
    fn search_parameters_are_set_by_name() {
        assert_eq!(params("engine"), Ok(SearchParams::DEFAULT));
        let expected = SearchParams { lmr_base: 0.6, rfp_margin: 90, ..SearchParams::DEFAULT };
        assert_eq!(params("engine:set=lmr_base:0.6+rfp_margin:90"), Ok(expected));
        for (spec, part) in [
            ("engine:set=lmr_base", "NAME:NUMBER"),
            ("engine:set=lmr_base:much", "NAME:NUMBER"),
            ("engine:set=lmr:1", "lmr_base, lmr_divisor"),
            ("engine:set=rfp_margin:-1", "a whole number from 0"),
        ] {
            let error = params(spec).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
