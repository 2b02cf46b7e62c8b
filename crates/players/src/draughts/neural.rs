//! NeuroDraughts and its successors: a small network that evaluates boards by features, and an
//! alpha-beta search with it.

use crate::{
    PlayerRecipe, Resources,
    common::{search_player::SearchPlayer, textbook},
    draughts::by_side::{BySide, DEFAULT_DEPTH, SideSearches},
    settings::{self, integer, text},
};
use ludus_core::{
    Evaluator, History, Limits, OptionKind, OptionSpec, Options, PlayerError, Position, Random,
    Report, Score, SearchControl, Side, TextError, options::split_name,
};
use ludus_games::draughts::{Colour, Draughts, DraughtsMove};
use ludus_knowledge::draughts::{
    DraughtsKnowledge,
    features::{FEATURES, FeatureMap, PlayerView},
};
use ludus_models::Mlp;
use ludus_search::{
    Search, SearchOutput,
    alphabeta::{
        Budget, EndgameOracle, Minimax, ReplacementScheme, SearchSettings, Searcher, Trace, Windows,
    },
};
use std::sync::Arc;

/// A learned model: features of the board, and the network that evaluates them.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedModel {
    /// Indices into [`FEATURES`].
    pub features: Vec<usize>,
    /// The network; its inputs are the bits of the features.
    pub net: Mlp,
}

impl LearnedModel {
    /// A model with random weights.
    pub fn random(features: &[usize], random: &mut Random) -> LearnedModel {
        let inputs = FeatureMap::new(features).inputs();
        LearnedModel { features: features.to_vec(), net: Mlp::random(inputs, random) }
    }

    /// The model as text: a line with the names of its features, then its network.
    pub fn text(&self) -> String {
        let names: Vec<&str> = self.features.iter().map(|&place| FEATURES[place].name).collect();
        format!("features {}\n{}", names.join(" "), self.net.text())
    }

    /// Reads what [`text`](LearnedModel::text) wrote; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<LearnedModel, TextError> {
        let comments = text.lines().take_while(|line| line.starts_with('#')).count();
        let mut rest = text;
        for _ in 0..comments {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
        let (head, net) = rest.split_once('\n').unwrap_or((rest, ""));
        let fault = |found: &str, expected: String| TextError {
            line: comments + 1,
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
        let below = |error: TextError| TextError { line: error.line + comments + 1, ..error };
        let net = Mlp::parse(net).map_err(below)?;
        let inputs = FeatureMap::new(&features).inputs();
        if net.inputs() != inputs {
            let found = format!("a network of {} inputs", net.inputs());
            return Err(fault(&found, format!("one of {inputs}, the bits of the features")));
        }
        Ok(LearnedModel { features, net })
    }
}

/// Score of a predicted certain win, in hundredths.
const CERTAIN_WIN_SCORE: f32 = 10_000.0;

/// The evaluation of a learned model that plays one colour: it sees the board from that side.
#[derive(Clone)]
pub struct LearnedEval {
    map: Arc<FeatureMap>,
    net: Mlp,
    colour: Colour,
}

impl LearnedEval {
    /// The evaluation of `model` when it plays `side`.
    pub fn new(model: &LearnedModel, side: Side) -> LearnedEval {
        let colour = if side == Side::First { Colour::Black } else { Colour::White };
        LearnedEval {
            map: Arc::new(FeatureMap::new(&model.features)),
            net: model.net.clone(),
            colour,
        }
    }

    /// The inputs of the network for `position`.
    #[inline]
    pub fn inputs(&self, position: &Draughts) -> u128 {
        self.map.bits(&PlayerView::of(position, self.colour))
    }
}

impl Evaluator<Draughts> for LearnedEval {
    #[inline]
    fn evaluate(&mut self, position: &Draughts) -> Score {
        let prediction = self.net.value(self.inputs(position));
        let score = (prediction * CERTAIN_WIN_SCORE) as i32;
        let own = (position.turn() == Side::First) == (self.colour == Colour::Black);
        Score(if own { score } else { -score })
    }
}

/// The search of a kind of player.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SearchConfig {
    /// Its settings.
    pub settings: SearchSettings,
    /// Bytes of its transposition table; 0 for none.
    pub table_bytes: u64,
}

/// A search with a learned model that plays one side.
pub struct LearnedSearcher {
    eval: LearnedEval,
    /// `None` for plain minimax.
    searcher: Option<Box<Searcher<Draughts, LearnedEval, DraughtsKnowledge>>>,
    nodes: u64,
}

impl LearnedSearcher {
    /// A search that plays `side`, on `threads` threads.
    pub fn new(
        model: &LearnedModel,
        side: Side,
        config: &SearchConfig,
        threads: usize,
    ) -> LearnedSearcher {
        let eval = LearnedEval::new(model, side);
        let plain = config.settings.windows == Windows::Full && config.table_bytes == 0;
        let searcher = || {
            let table = textbook::new_table(config.table_bytes, ReplacementScheme::TwoLevel);
            Box::new(Searcher::new(config.settings, table, &eval, DraughtsKnowledge, threads))
        };
        LearnedSearcher { searcher: (!plain).then(searcher), eval, nodes: 0 }
    }

    /// The same with an endgame database, which plain minimax does not use.
    pub fn with_oracle(
        mut self,
        oracle: Option<Arc<dyn EndgameOracle<Draughts>>>,
    ) -> LearnedSearcher {
        self.searcher = self.searcher.map(|searcher| Box::new(searcher.with_oracle(oracle)));
        self
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Its evaluation.
    pub fn eval(&self) -> &LearnedEval {
        &self.eval
    }

    /// Replaces the network.
    pub fn set_net(&mut self, net: &Mlp) {
        self.eval.net.clone_from(net);
        if let Some(searcher) = &mut self.searcher {
            searcher.set_evaluator(&self.eval);
        }
    }
}

impl Search<Draughts> for LearnedSearcher {
    type Trace = Trace<DraughtsMove>;

    /// Forgets the game before; nothing here is random.
    fn new_game(&mut self, _seed: u64) {
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    fn run(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        output: SearchOutput<'_, Self::Trace>,
        control: &mut SearchControl<'_, DraughtsMove>,
    ) -> Report<DraughtsMove> {
        let report = match &mut self.searcher {
            Some(searcher) => searcher.run(game, limits, output, control),
            None => {
                let depth = limits.depth.unwrap_or(DEFAULT_DEPTH);
                let mut budget = Budget::new(limits, control.stop);
                let minimax = Minimax::new(&mut self.eval, &mut budget);
                match output {
                    SearchOutput::Lines(1) => minimax.search(game.last(), depth),
                    SearchOutput::Lines(lines) => {
                        let mut report = minimax.search(game.last(), depth);
                        report.rank_moves(lines);
                        report
                    }
                    SearchOutput::Trace(trace) => {
                        minimax.with_trace(trace).search(game.last(), depth)
                    }
                }
            }
        };
        self.nodes += report.nodes;
        report
    }
}

/// A kind of player: its features, its search, its built-in model.
pub struct NeuralFamily {
    /// Its name.
    pub id: &'static str,
    /// Indices into [`FEATURES`] of its features before training; empty if its model gives them.
    pub features: &'static [usize],
    /// The search its options ask for.
    pub search_config: fn(&Options) -> SearchConfig,
    /// Its built-in model, as text.
    pub model: &'static str,
    /// Its recipe.
    pub recipe: fn() -> PlayerRecipe<Draughts>,
}

impl NeuralFamily {
    /// Indices into [`FEATURES`] of its features before training.
    ///
    /// # Errors
    /// If its model, which gives them, cannot be read.
    pub fn initial_features(&self) -> Result<Vec<usize>, TextError> {
        match self.features {
            [] => Ok(LearnedModel::parse(self.model)?.features),
            features => Ok(features.to_vec()),
        }
    }
}

/// The option for the depth, which all kinds have.
pub const DEPTH: OptionSpec =
    integer("depth", 100, "plies to search; 0 leaves it to --depth, else 4");
/// The option for the nodes.
pub const NODES: OptionSpec = integer("nodes", i64::MAX, "positions to search; 0 for no limit");
/// The option for the time a move.
pub const TIME: OptionSpec = text("time", "", "time a move, such as 500ms");
/// The option for the weights.
pub const WEIGHTS: OptionSpec =
    text("weights", "", "a file of learned weights, from ludus train; empty for the built-in ones");

/// The option for the size of the transposition table.
pub const fn table(default: &'static str) -> OptionSpec {
    OptionSpec {
        name: "table",
        kind: OptionKind::Bytes,
        default,
        about: "size of the transposition table; 0 for none",
    }
}

/// Builds a player of a family.
///
/// # Errors
/// If its weights cannot be read.
pub fn build(
    family: &'static NeuralFamily,
    options: &Options,
    resources: &Resources,
) -> Result<Box<NeuralPlayer>, PlayerError> {
    build_with_oracle(family, options, resources, None)
}

/// The same with an endgame database.
///
/// # Errors
/// If its weights cannot be read.
pub(crate) fn build_with_oracle(
    family: &'static NeuralFamily,
    options: &Options,
    resources: &Resources,
    oracle: Option<Arc<dyn EndgameOracle<Draughts>>>,
) -> Result<Box<NeuralPlayer>, PlayerError> {
    let model = match options.text("weights") {
        "" => LearnedModel::parse(family.model)?,
        file => LearnedModel::parse(&settings::read("weights", file)?)?,
    };
    let search = BySide(NeuralModel {
        model,
        config: (family.search_config)(options),
        threads: resources.threads,
        oracle,
        searchers: [None, None],
    });
    Ok(Box::new(SearchPlayer::new(family.id, settings::limits(options)?, search)))
}

/// All families.
pub const FAMILIES: &[&NeuralFamily] = &[
    &crate::draughts::neurodraughts::FAMILY,
    &crate::draughts::ls_draughts::FAMILY,
    &crate::draughts::visiondraughts::FAMILY,
    &crate::draughts::iiga::FAMILY,
];

/// The family that `text` names, and its options.
///
/// # Errors
/// If it is no player of this kind, or its options are wrong.
pub fn family_of(text: &str) -> Result<(&'static NeuralFamily, Options), TextError> {
    let (name, _) = split_name(text);
    let Some(family) = FAMILIES.iter().find(|family| family.id == name) else {
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.id).collect();
        let expected = format!("a player that learns: {}", names.join(", "));
        return Err(TextError::whole("player", name, expected));
    };
    Ok((family, Options::parse(text, (family.recipe)().options)?))
}

/// A player whose network evaluates features of the board.
pub type NeuralPlayer = SearchPlayer<BySide<NeuralModel>>;

/// The model of such a player and its search for each side.
pub struct NeuralModel {
    model: LearnedModel,
    config: SearchConfig,
    threads: usize,
    oracle: Option<Arc<dyn EndgameOracle<Draughts>>>,
    searchers: [Option<LearnedSearcher>; 2],
}

impl SideSearches for NeuralModel {
    type SideSearch = LearnedSearcher;

    fn to_move(&mut self, game: &History<Draughts>) -> &mut LearnedSearcher {
        let side = game.last().turn();
        self.searchers[side.index()].get_or_insert_with(|| {
            let searcher = LearnedSearcher::new(&self.model, side, &self.config, self.threads);
            searcher.with_oracle(self.oracle.clone())
        })
    }

    fn forget(&mut self) {
        self.searchers = [None, None];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build_player;
    use ludus_games::draughts::Rules;
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
    fn models_survive_their_text_and_wrong_ones_are_named() {
        let model = LearnedModel::random(&[0, 5, 27], &mut Random::new(1));
        let text = model.text();
        assert_eq!(LearnedModel::parse(&text).unwrap(), model);
        assert_eq!(LearnedModel::parse(&format!("# a comment\n{text}")).unwrap(), model);
        for (from, to, line) in [
            ("Fork", "Spoon", 1),
            ("features ", "", 1),
            (" Fork", "", 1),
            ("\nmlp 11", "\nmlp x", 2),
        ] {
            let error = LearnedModel::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error.line, line, "{from} as {to}: {error}");
        }
    }

    #[test]
    fn both_colours_evaluate_alike() {
        let model = LearnedModel::random(FAMILIES[2].features, &mut Random::new(2));
        let mut evals = [Side::First, Side::Second].map(|side| LearnedEval::new(&model, side));
        let mut differ = 0;
        for position in walk(3) {
            let swapped = position.colour_flipped().expect("draughts can be turned round");
            let [first, second] = &mut evals;
            assert_eq!(first.evaluate(&position), second.evaluate(&swapped));
            differ += u32::from(first.evaluate(&position) != second.evaluate(&position));
        }
        assert!(differ > 10, "each colour sees the board from its own side");
    }

    #[test]
    fn pruning_does_not_change_the_moves() {
        let stop = AtomicBool::new(false);
        let choose = |spec: &str, position: &Draughts| {
            let mut player = build_player::<Draughts>(spec, &Resources::default()).unwrap();
            let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
            let game = History::new(*position);
            player.choose(&game, &Limits::default(), &mut control).unwrap().report
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
                let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
                let game = History::new(*position);
                player.new_game(1);
                player.choose(&game, &Limits::default(), &mut control).unwrap().report.nodes
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
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let game = History::new(Draughts::new(Rules::Russian));
        let error = player.choose(&game, &Limits::default(), &mut control).unwrap_err();
        assert!(error.to_string().contains("English"), "{error}");
    }
}
