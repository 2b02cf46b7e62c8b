//! `study-minimax`: alpha-beta to a fixed depth as in a 2021 study of chess algorithms, and `study-minimax-cnn`, the same
//! with its convolutional network as evaluation.

use super::{
    study_models,
    study_values::{CnnValues, EvalValues},
};
use crate::{
    PlayerRecipe, Resources,
    common::search_player::{PlayerSearch, SearchPlayer},
    settings::{switch, text},
};
use ludus_core::{
    History, Limits, OptionKind, OptionSpec, Options, PlayerError, Report, SearchControl,
};
use ludus_games::chess::{Chess, Move};
use ludus_knowledge::chess::StudyEval;
use ludus_search::{
    Search, SearchOutput,
    alphabeta::Trace,
    plain::{AlphaBeta, AlphaBetaSettings, Values},
};

const DEPTH: OptionSpec = OptionSpec {
    name: "depth",
    kind: OptionKind::Integer { min: 1, max: 100 },
    default: "4",
    about: "plies to search; limits can lower it",
};
const ORDERING: OptionSpec = switch(
    "ordering",
    "on",
    "order the moves of every node by the value of the position after them",
);
const PRUNING: OptionSpec = switch("pruning", "on", "alpha-beta cutoffs; off is plain minimax");
pub(super) const SCALE: OptionSpec = OptionSpec {
    name: "scale",
    kind: OptionKind::Integer { min: 1, max: 100 },
    default: "1",
    about: "factor of the material in the study's evaluation; 10 restores the scale its tables were made for",
};
pub(super) const WEIGHTS: OptionSpec =
    text("weights", "", "file of trained weights; empty for the built-in ones");
pub(super) const TURN: OptionSpec =
    switch("turn", "off", "a network that also sees the side to move");

const OPTIONS: &[OptionSpec] = &[
    DEPTH,
    ORDERING,
    PRUNING,
    text("eval", "study", "evaluation: study, cnn, or the file of a network"),
    SCALE,
];
const CNN_OPTIONS: &[OptionSpec] = &[DEPTH, ORDERING, PRUNING, WEIGHTS, TURN];

pub const ID: &str = "study-minimax";
pub const CNN_ID: &str = "study-minimax-cnn";

/// The evaluations of the study, whichever is chosen.
type StudyValues = Box<dyn Values<Chess>>;

pub fn recipe() -> PlayerRecipe<Chess> {
    PlayerRecipe {
        id: ID,
        about: "study of 2021: alpha-beta four plies deep, moves ordered by evaluation",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build(options, resources)?))),
    }
}

pub fn cnn_recipe() -> PlayerRecipe<Chess> {
    PlayerRecipe {
        id: CNN_ID,
        about: "study of 2021: the same alpha-beta with a convolutional network as evaluation",
        options: CNN_OPTIONS,
        build: |options, resources| Ok(Box::new(build_cnn(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build_cnn(options, resources)?))),
    }
}

fn build(options: &Options, _: &Resources) -> Result<SearchPlayer<StudyMinimax>, PlayerError> {
    let values: StudyValues = match options.text("eval") {
        "study" => Box::new(EvalValues(StudyEval::with_scale(options.integer("scale") as i32))),
        "cnn" => {
            let model = study_models::cnn(ID, "", false)?;
            Box::new(CnnValues::new(&model))
        }
        file => Box::new(CnnValues::new(&study_models::cnn_of_file("eval", file)?)),
    };
    Ok(player(ID, options, values))
}

fn build_cnn(options: &Options, _: &Resources) -> Result<SearchPlayer<StudyMinimax>, PlayerError> {
    let model = study_models::cnn(CNN_ID, options.text("weights"), options.switch("turn"))?;
    Ok(player(CNN_ID, options, Box::new(CnnValues::new(&model))))
}

fn player(id: &'static str, options: &Options, values: StudyValues) -> SearchPlayer<StudyMinimax> {
    let settings = AlphaBetaSettings {
        depth: options.integer("depth") as u32,
        ordering: options.switch("ordering"),
        pruning: options.switch("pruning"),
    };
    SearchPlayer::new(id, Limits::default(), StudyMinimax { settings, values })
}

/// The search, which keeps nothing between moves.
struct StudyMinimax {
    settings: AlphaBetaSettings,
    values: StudyValues,
}

impl Search<Chess> for StudyMinimax {
    type Trace = Trace<Move>;

    fn new_game(&mut self, _seed: u64) {
        self.values.clear();
    }

    fn run(
        &mut self,
        game: &History<Chess>,
        limits: &Limits,
        output: SearchOutput<'_, Trace<Move>>,
        control: &mut SearchControl<'_, Move>,
    ) -> Report<Move> {
        let (lines, trace) = output.split();
        let depth =
            limits.depth.map_or(self.settings.depth, |most| most.clamp(1, self.settings.depth));
        let settings = AlphaBetaSettings { depth, ..self.settings };
        self.values.clear();
        let mut search = AlphaBeta::new(settings, &mut self.values, limits, control.stop);
        if let Some(trace) = trace {
            search = search.with_trace(trace);
        }
        let report = search.search(game.last(), lines);
        (control.on_report)(&report);
        report
    }
}

impl PlayerSearch<Chess> for StudyMinimax {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::study_models::tests::random_files;
    use ludus_core::{Notation, Player, Position, Random, Score, Side};
    use ludus_knowledge::chess::study_ending;
    use std::sync::atomic::AtomicBool;

    fn report(spec: &str, position: &Chess, limits: Limits) -> Report<Move> {
        let mut player = crate::build_player::<Chess>(spec, &Resources::default()).unwrap();
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let game = History::new(position.clone());
        Player::choose(&mut *player, &game, &limits, &mut control).unwrap().report
    }

    fn chess(fen: &str) -> Chess {
        Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), fen).unwrap()
    }

    fn random_positions(count: usize, seed: u64) -> Vec<Chess> {
        let mut random = Random::new(seed);
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut position = Chess::default();
            for _ in 0..random.below(70) {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
            if study_ending(&position).is_none() {
                positions.push(position);
            }
        }
        positions
    }

    /// Algorithm 1 of the source, with the first best move.
    fn minimax(position: &Chess, depth: u32, evaluation: &StudyEval) -> (i32, Option<Move>) {
        if depth == 0 || study_ending(position).is_some() {
            return (evaluation.value(position), None);
        }
        let sign = position.turn().sign();
        let (mut moves, mut best) = (Vec::new(), (i32::MIN, None));
        position.legal_moves(&mut moves);
        for mv in moves {
            let value = sign * minimax(&position.after(mv), depth - 1, evaluation).0;
            if value > best.0 {
                best = (value, Some(mv));
            }
        }
        (sign * best.0, best.1)
    }

    #[test]
    fn pruning_finds_the_value_and_the_first_best_move_of_minimax() {
        let evaluation = StudyEval::default();
        let mut nodes = [0; 4];
        for position in random_positions(25, 7) {
            let (value, mv) = minimax(&position, 3, &evaluation);
            let options = [
                "depth=3,ordering=off,pruning=off",
                "depth=3,ordering=off",
                "depth=3,pruning=off",
                "depth=3",
            ];
            let reports = options.map(|options| {
                report(&format!("study-minimax:{options}"), &position, Limits::default())
            });
            for (report, nodes) in reports.iter().zip(&mut nodes) {
                let score = report.score.unwrap();
                if score.win_in().is_some() {
                    assert_eq!(value.abs(), 100_000, "{}", position.text());
                } else {
                    assert_eq!(score.0, value * position.turn().sign(), "{}", position.text());
                }
                *nodes += report.nodes;
            }
            assert_eq!(
                (reports[0].line.first(), reports[1].line.first()),
                (mv.as_ref(), mv.as_ref())
            );
            assert_eq!(reports[2].line, reports[3].line);
        }
        assert_eq!(nodes[0], nodes[2]);
        assert!(nodes[1] < nodes[0] && nodes[3] < nodes[1], "{nodes:?}");
    }

    /// A mate in one stands before a mate in two of the same value because ordering puts it first.
    #[test]
    fn mates_are_found_and_the_mate_in_one_comes_first() {
        let one = chess("6k1/5ppp/8/8/8/8/1Q3PPP/3R2K1 w - - 0 1");
        let found = report("study-minimax", &one, Limits::default());
        assert_eq!((found.score, found.line.len()), (Some(Score(Score::WIN.0 - 1)), 1));
        let two = chess("7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
        let found = report("study-minimax", &two, Limits::default());
        let line: Vec<String> = found.line.iter().map(|&mv| two.move_text(mv)).collect();
        assert_eq!(found.score, Some(Score(Score::WIN.0 - 3)), "{line:?}");
    }

    #[test]
    fn limits_are_honoured() {
        let start = Chess::default();
        let few = report("study-minimax", &start, Limits { nodes: Some(100), ..Limits::default() });
        assert_eq!((few.nodes, few.depth, few.line.len()), (100, 0, 1));
        let shallow = Limits { depth: Some(2), ..Limits::default() };
        let shallow = report("study-minimax", &start, shallow);
        assert_eq!((shallow.depth, shallow.line.len()), (2, 2));
        let stop = AtomicBool::new(true);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let mut player =
            crate::build_player::<Chess>("study-minimax", &Resources::default()).unwrap();
        let game = History::new(start);
        let stopped = player.choose(&game, &Limits::default(), &mut control).unwrap();
        assert_eq!(stopped.report.depth, 0);
    }

    #[test]
    fn scaled_material_plays_otherwise() {
        // A knight on its best square or a pawn: only scaled material takes the pawn.
        let differ = random_positions(40, 3).iter().any(|position| {
            let one = report("study-minimax:depth=1", position, Limits::default());
            let ten = report("study-minimax:depth=1,scale=10", position, Limits::default());
            one.line != ten.line
        });
        assert!(differ);
    }

    #[test]
    fn the_network_is_searched_like_the_evaluation() {
        let folder = tempfile::tempdir().unwrap();
        let [net, _] = random_files(&folder, false);
        for position in random_positions(4, 11) {
            let by = |player: &str, options: &str, weights: &str| {
                let spec = format!("{player}:depth=2{options},{weights}={}", net.display());
                report(&spec, &position, Limits::default())
            };
            let pruned = by("study-minimax-cnn", "", "weights");
            let whole = by("study-minimax-cnn", ",pruning=off", "weights");
            assert_eq!((pruned.score, &pruned.line), (whole.score, &whole.line));
            let lookups = pruned.table.unwrap();
            assert_eq!(lookups.stores + lookups.hits, lookups.probes);
            let named = by("study-minimax", "", "eval");
            assert_eq!((named.score, named.line), (pruned.score, pruned.line));
            assert!(position.turn() == Side::First || pruned.score.is_some());
        }
    }
}
