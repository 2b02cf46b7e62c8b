//! What NeuroDraughts and its heirs share: a small network that judges boards by features, and a
//! search that asks it.

use crate::{
    Recipe, Recording, Resources, Traced, TracedChoice,
    settings::{self, text, whole},
    textbook,
};
use ludus_core::{
    Choice, Evaluator, History, Kind, Limits, OptionSpec, Options, Player, PlayerError, Position,
    Random, Report, Score, Side, TextError, Watch, options::split_name,
};
use ludus_games::draughts::{
    Colour, Draughts, Move, Rules,
    features::{FEATURES, FeatureMap, View},
};
use ludus_models::Mlp;
use ludus_search::alphabeta::{Budget, Minimax, Oracle, Searcher, Settings, Trace, Windows};
use std::sync::Arc;

/// What a player has learned: the features it looks at, and the network that weighs them.
#[derive(Clone, Debug, PartialEq)]
pub struct Mind {
    /// Places in [`FEATURES`].
    pub features: Vec<usize>,
    /// As many inputs as the features have bits.
    pub net: Mlp,
}

impl Mind {
    /// One that has learned nothing yet.
    pub fn random(features: &[usize], random: &mut Random) -> Mind {
        let inputs = FeatureMap::new(features).inputs();
        Mind { features: features.to_vec(), net: Mlp::random(inputs, random) }
    }

    /// The mind as text: a line with the names of its features, then its network.
    pub fn text(&self) -> String {
        let names: Vec<&str> = self.features.iter().map(|&place| FEATURES[place].name).collect();
        format!("features {}\n{}", names.join(" "), self.net.text())
    }

    /// Reads what [`text`](Mind::text) wrote; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<Mind, TextError> {
        let remarks = text.lines().take_while(|line| line.starts_with('#')).count();
        let mut rest = text;
        for _ in 0..remarks {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
        let (head, net) = rest.split_once('\n').unwrap_or((rest, ""));
        let fault = |found: &str, expected: String| TextError {
            line: remarks + 1,
            column: 1,
            ..TextError::whole("features", found, expected)
        };
        let Some(names) = head.strip_prefix("features ") else {
            return Err(fault(head, "features and the names of some".to_owned()));
        };
        let place = |name: &str| {
            let place = FEATURES.iter().position(|feature| feature.name == name);
            place.ok_or_else(|| {
                let names = FEATURES.map(|feature| feature.name);
                fault(name, format!("one of {}", names.join(", ")))
            })
        };
        let features = names.split_whitespace().map(place).collect::<Result<Vec<usize>, _>>()?;
        let below = |error: TextError| TextError { line: error.line + remarks + 1, ..error };
        let net = Mlp::parse(net).map_err(below)?;
        let inputs = FeatureMap::new(&features).inputs();
        if net.inputs() != inputs {
            let found = format!("a network of {} inputs", net.inputs());
            return Err(fault(&found, format!("one of {inputs}, the bits of the features")));
        }
        Ok(Mind { features, net })
    }
}

/// What a prediction of certain victory scores, in hundredths.
const SURE: f32 = 10_000.0;

/// Judges as the player of one colour does: by what its network predicts of the board it sees.
#[derive(Clone)]
pub struct Judge {
    map: Arc<FeatureMap>,
    net: Mlp,
    colour: Colour,
}

impl Judge {
    /// The judgement of `mind` when it plays `side`.
    pub fn new(mind: &Mind, side: Side) -> Judge {
        let colour = if side == Side::First { Colour::Black } else { Colour::White };
        Judge { map: Arc::new(FeatureMap::new(&mind.features)), net: mind.net.clone(), colour }
    }

    /// The inputs of the network for what the player sees.
    #[inline]
    pub fn inputs(&self, position: &Draughts) -> u128 {
        self.map.bits(&View::of(position, self.colour))
    }
}

impl Evaluator<Draughts> for Judge {
    #[inline]
    fn evaluate(&mut self, position: &Draughts) -> Score {
        let prediction = self.net.value(self.inputs(position));
        let score = (prediction * SURE) as i32;
        let own = (position.turn() == Side::First) == (self.colour == Colour::Black);
        Score(if own { score } else { -score })
    }
}

/// How a kind of player searches.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Thinking {
    /// What kind of search.
    pub settings: Settings,
    /// Bytes of its table; 0 for none.
    pub table: u64,
}

/// A mind that searches, playing one side.
pub struct Thinker {
    judge: Judge,
    /// `None` for plain minimax.
    searcher: Option<Box<Searcher<Draughts, Judge>>>,
    nodes: u64,
}

impl Thinker {
    /// One that plays `side`, with `threads` threads.
    pub fn new(mind: &Mind, side: Side, thinking: &Thinking, threads: usize) -> Thinker {
        let judge = Judge::new(mind, side);
        let plain = thinking.settings.windows == Windows::Full && thinking.table == 0;
        let searcher = || {
            let table = textbook::new_table(thinking.table, "two-level");
            Box::new(Searcher::new(thinking.settings, table, &judge, threads))
        };
        Thinker { searcher: (!plain).then(searcher), judge, nodes: 0 }
    }

    /// The same, asking `oracle` about endings; plain minimax asks nobody.
    pub fn with_oracle(mut self, oracle: Option<Arc<dyn Oracle<Draughts>>>) -> Thinker {
        self.searcher = self.searcher.map(|searcher| Box::new(searcher.with_oracle(oracle)));
        self
    }

    /// Positions it has looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What it sees.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Judges by this network from now on.
    pub fn judge_by(&mut self, net: &Mlp) {
        self.judge.net.clone_from(net);
        if let Some(searcher) = &mut self.searcher {
            searcher.judge_by(&self.judge);
        }
    }

    /// Looks for the best move of the last position of `game`; `trace` records how.
    pub fn think(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        trace: Option<&mut Trace<Move>>,
    ) -> Report<Move> {
        let output = trace.map_or(SearchOutput::Lines(1), SearchOutput::Trace);
        self.search(game, limits, watch, output)
    }

    /// The same, telling as much as wanted.
    pub(crate) fn search(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        output: SearchOutput<'_>,
    ) -> Report<Move> {
        let report = match (&mut self.searcher, output) {
            (Some(searcher), SearchOutput::Lines(lines)) => {
                searcher.search_lines(game, limits, lines, watch)
            }
            (Some(searcher), SearchOutput::Trace(trace)) => {
                searcher.trace(game, limits, watch, trace)
            }
            (None, output) => {
                let depth = limits.depth.unwrap_or(DEFAULT_DEPTH);
                let mut budget = Budget::new(limits, watch.stop);
                let minimax = Minimax::new(&mut self.judge, &mut budget);
                match output {
                    SearchOutput::Lines(1) => minimax.search(game.last(), depth),
                    SearchOutput::Lines(lines) => {
                        let mut report = minimax.search(game.last(), depth);
                        report.rank_moves(lines);
                        report
                    }
                    SearchOutput::Trace(trace) => {
                        minimax.recorded_by(trace).search(game.last(), depth)
                    }
                }
            }
        };
        self.nodes += report.nodes;
        report
    }
}

/// What a search is to tell besides its move.
pub(crate) enum SearchOutput<'t> {
    /// So many lines.
    Lines(usize),
    /// Every node, here.
    Trace(&'t mut Trace<Move>),
}

/// Plies to look ahead if nothing else is said: what the players were trained with (the source is
/// silent).
pub const DEFAULT_DEPTH: u32 = 4;

/// A kind of player: what it sees, how it searches, what it has learned.
pub struct Family {
    /// Its name.
    pub id: &'static str,
    /// Places in [`FEATURES`] of what it sees when it begins to learn; empty if its mind tells.
    pub features: &'static [usize],
    /// How it searches, as its options say.
    pub thinking: fn(&Options) -> Thinking,
    /// What it has learned.
    pub mind: &'static str,
    /// How to build it.
    pub recipe: fn() -> Recipe<Draughts>,
}

impl Family {
    /// Places in [`FEATURES`] of what it sees when it begins to learn.
    ///
    /// # Errors
    /// If its mind, asked because nothing else tells, cannot be read.
    pub fn sight(&self) -> Result<Vec<usize>, TextError> {
        match self.features {
            [] => Ok(Mind::parse(self.mind)?.features),
            features => Ok(features.to_vec()),
        }
    }
}

/// Options of all kinds.
pub const DEPTH: OptionSpec =
    whole("depth", 100, "plies to look ahead; 0 leaves it to --depth, else 4");
/// See [`DEPTH`].
pub const NODES: OptionSpec = whole("nodes", i64::MAX, "positions to look at; 0 for no limit");
/// See [`DEPTH`].
pub const TIME: OptionSpec = text("time", "", "time a move, such as 500ms");
/// See [`DEPTH`].
pub const WEIGHTS: OptionSpec =
    text("weights", "", "a file of what was learned, from ludus train; empty for what is built in");

/// The option for the size of the table.
pub const fn table(default: &'static str) -> OptionSpec {
    OptionSpec {
        name: "table",
        kind: Kind::Bytes,
        default,
        about: "size of the transposition table; 0 for none",
    }
}

/// Builds a player of a family.
///
/// # Errors
/// If its weights cannot be read.
pub fn build(
    family: &'static Family,
    options: &Options,
    resources: &Resources,
) -> Result<Box<NeuralPlayer>, PlayerError> {
    let mind = match options.text("weights") {
        "" => Mind::parse(family.mind)?,
        file => Mind::parse(&settings::read("weights", file)?)?,
    };
    Ok(Box::new(NeuralPlayer {
        id: family.id,
        mind,
        thinking: (family.thinking)(options),
        limits: settings::limits(options)?,
        threads: resources.threads,
        oracle: None,
        thinkers: [None, None],
    }))
}

/// All players of this kind.
pub const FAMILIES: &[&Family] = &[
    &crate::neurodraughts::FAMILY,
    &crate::ls_draughts::FAMILY,
    &crate::visiondraughts::FAMILY,
    &crate::iiga::FAMILY,
];

/// The family a player's text names, and its options.
///
/// # Errors
/// If it is no player of this kind, or its options are wrong.
pub fn family_of(text: &str) -> Result<(&'static Family, Options), TextError> {
    let (name, _) = split_name(text);
    let Some(family) = FAMILIES.iter().find(|family| family.id == name) else {
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.id).collect();
        let expected = format!("a player that learns: {}", names.join(", "));
        return Err(TextError::whole("player", name, expected));
    };
    Ok((family, Options::parse(text, (family.recipe)().options)?))
}

/// A player that judges by a network on features.
pub struct NeuralPlayer {
    id: &'static str,
    mind: Mind,
    thinking: Thinking,
    limits: Limits,
    threads: usize,
    oracle: Option<Arc<dyn Oracle<Draughts>>>,
    /// For each side it has played.
    thinkers: [Option<Thinker>; 2],
}

impl NeuralPlayer {
    /// The same player, asking `oracle` about endings.
    pub fn with_oracle(self, oracle: Option<Arc<dyn Oracle<Draughts>>>) -> NeuralPlayer {
        NeuralPlayer { oracle, ..self }
    }

    fn search(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        output: SearchOutput<'_>,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = limits_of_a_move(game, &self.limits, limits)?;
        let side = game.last().turn();
        let thinker = self.thinkers[side.index()].get_or_insert_with(|| {
            let thinker = Thinker::new(&self.mind, side, &self.thinking, self.threads);
            thinker.with_oracle(self.oracle.clone())
        });
        choose(thinker, game, &limits, watch, output)
    }
}

/// The player's own limits, the caller's where it has none, or the default ones.
///
/// # Errors
/// If the board has other rules than the features are made for.
pub(crate) fn limits_of_a_move(
    game: &History<Draughts>,
    own: &Limits,
    caller: &Limits,
) -> Result<Limits, PlayerError> {
    let rules = game.last().rules();
    if rules != Rules::English {
        let expected = "English draughts, the only one it knows";
        return Err(TextError::whole("rules", rules.name(), expected).into());
    }
    let mut limits = settings::before(own, caller);
    if limits == Limits::default() {
        limits.depth = Some(DEFAULT_DEPTH);
    }
    Ok(limits)
}

/// Lets a thinker choose the move.
pub(crate) fn choose(
    thinker: &mut Thinker,
    game: &History<Draughts>,
    limits: &Limits,
    watch: &mut Watch<'_, Move>,
    output: SearchOutput<'_>,
) -> Result<Choice<Move>, PlayerError> {
    let report = thinker.search(game, limits, watch, output);
    let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
    (watch.on_report)(&report);
    Ok(Choice::play(mv, report))
}

impl Player<Draughts> for NeuralPlayer {
    fn name(&self) -> &str {
        self.id
    }

    fn choose(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        self.search(game, limits, watch, SearchOutput::Lines(1))
    }

    fn analyze(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        self.search(game, limits, watch, SearchOutput::Lines(lines))
    }

    fn new_game(&mut self, _seed: u64) {
        self.thinkers = [None, None];
    }
}

impl Traced<Draughts> for NeuralPlayer {
    fn choose_traced(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        size: usize,
    ) -> Result<TracedChoice<Move>, PlayerError> {
        let mut trace = Trace::new(size);
        let choice = self.search(game, limits, watch, SearchOutput::Trace(&mut trace))?;
        Ok((choice, Recording::Visits(trace)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build_player;
    use ludus_core::HasEval;
    use std::sync::atomic::AtomicBool;

    /// Positions of a random game.
    fn walk(seed: u64) -> Vec<Draughts> {
        let mut random = Random::new(seed);
        let mut positions = vec![Draughts::new(Rules::English)];
        let mut moves = Vec::new();
        while positions.len() < 60 {
            let last = positions.last().expect("there is a first");
            moves.clear();
            last.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            positions.push(last.after(mv));
        }
        positions
    }

    #[test]
    fn a_mind_survives_its_text_and_wrong_ones_are_named() {
        let mind = Mind::random(&[0, 5, 27], &mut Random::new(1));
        let text = mind.text();
        assert_eq!(Mind::parse(&text).unwrap(), mind);
        assert_eq!(Mind::parse(&format!("# a remark\n{text}")).unwrap(), mind);
        for (from, to, line) in [
            ("Fork", "Spoon", 1),
            ("features ", "", 1),
            (" Fork", "", 1),
            ("\nmlp 11", "\nmlp x", 2),
        ] {
            let error = Mind::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error.line, line, "{from} as {to}: {error}");
        }
    }

    #[test]
    fn both_colours_judge_alike() {
        let mind = Mind::random(FAMILIES[2].features, &mut Random::new(2));
        let mut judges = [Side::First, Side::Second].map(|side| Judge::new(&mind, side));
        let mut differ = 0;
        for position in walk(3) {
            let swapped = position.swapped().expect("draughts can be turned round");
            let [first, second] = &mut judges;
            assert_eq!(first.evaluate(&position), second.evaluate(&swapped));
            differ += u32::from(first.evaluate(&position) != second.evaluate(&position));
        }
        assert!(differ > 10, "one colour sees another board than the other");
    }

    #[test]
    fn pruning_does_not_change_the_moves() {
        let stop = AtomicBool::new(false);
        let choose = |spec: &str, position: &Draughts| {
            let mut player = build_player::<Draughts>(spec, &Resources::default()).unwrap();
            let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
            let game = History::new(*position);
            player.choose(&game, &Limits::default(), &mut watch).unwrap().report
        };
        let mut spared = 0;
        for position in walk(4).iter().filter(|position| position.outcome().is_none()) {
            let plain = choose("neurodraughts:depth=3", position);
            let pruned = choose("neurodraughts:depth=3,pruning=on", position);
            assert_eq!((plain.line[0], plain.score), (pruned.line[0], pruned.score));
            spared += plain.nodes - pruned.nodes;
        }
        assert!(spared > 1000, "{spared}");
    }

    #[test]
    fn the_table_spares_positions() {
        let stop = AtomicBool::new(false);
        let nodes = |spec: &str| -> u64 {
            let mut player = build_player::<Draughts>(spec, &Resources::default()).unwrap();
            let mut search = |position: &Draughts| {
                let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
                let game = History::new(*position);
                player.new_game(1);
                player.choose(&game, &Limits::default(), &mut watch).unwrap().report.nodes
            };
            let open = walk(5).into_iter().filter(|position| position.outcome().is_none());
            open.take(20).map(|position| search(&position)).sum()
        };
        let [off, on] =
            ["0", "1MB"].map(|table| nodes(&format!("visiondraughts:depth=8,table={table}")));
        assert!(on < off * 2 / 3, "{on} of {off}");
    }

    #[test]
    fn other_rules_are_refused() {
        let mut player = build_player::<Draughts>("iiga", &Resources::default()).unwrap();
        let stop = AtomicBool::new(false);
        let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
        let game = History::new(Draughts::new(Rules::Russian));
        let error = player.choose(&game, &Limits::default(), &mut watch).unwrap_err();
        assert!(error.to_string().contains("English"), "{error}");
    }
}
