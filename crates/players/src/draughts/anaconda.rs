//! `anaconda`: alpha-beta with a network on the pieces of every square, evolved by playing others of
//! its population (Chellapilla and Fogel 2001).

use crate::{
    PlayerRecipe, Resources,
    common::{search_player::SearchPlayer, textbook},
    draughts::{
        by_side::{BySide, SideSearches},
        neural::{DEPTH, NODES, TIME, WEIGHTS, table},
    },
    settings::{self, switch},
};
use ludus_core::{
    Evaluator, History, NnueInputs, OptionSpec, Options, PlayerError, Position, Score, Side,
    TextError,
};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_models::spatial::{self, INPUTS, Spatial};
use ludus_search::alphabeta::{ReplacementScheme, SearchSettings, Searcher};
use std::sync::Arc;

/// Its name.
pub const ID: &str = "anaconda";

const OPTIONS: &[OptionSpec] = &[
    DEPTH,
    NODES,
    TIME,
    WEIGHTS,
    table("16MB"),
    switch("quiescence", "on", "quiescence search: play out captures at the horizon"),
];

/// The evolved numbers: the weights of the network and the value of a king.
#[derive(Clone, Debug, PartialEq)]
pub struct EvolvedWeights {
    /// The value of a king; a man is worth 1.
    pub king: f32,
    /// The weights of the network.
    pub weights: Vec<f32>,
}

impl EvolvedWeights {
    /// The weights as text: a line with the value of a king, then a line for each unit of the network.
    pub fn text(&self) -> String {
        let mut text = format!("king {}\n", self.king);
        let mut rest = &self.weights[..];
        for count in spatial::units() {
            let (unit, others) = rest.split_at(count);
            let cells: Vec<String> = unit.iter().map(f32::to_string).collect();
            text += &(cells.join(" ") + "\n");
            rest = others;
        }
        text
    }

    /// Reads what [`text`](EvolvedWeights::text) wrote; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<EvolvedWeights, TextError> {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let mut lines = lines.filter(|(_, line)| !line.starts_with('#'));
        let end = text.lines().count() + 1;
        let mut next = || lines.next().unwrap_or((end, "end of text"));
        let fault = |line: usize, found: &str, expected: String| TextError {
            line,
            column: 1,
            ..TextError::whole("evolved network", found, expected)
        };
        let (line, head) = next();
        let king = head.strip_prefix("king ").and_then(|number| number.parse().ok());
        let king = king.filter(|king: &f32| king.is_finite());
        let king = king.ok_or_else(|| fault(line, head, "king and a number".to_owned()))?;
        let mut weights = Vec::with_capacity(spatial::WEIGHTS);
        for count in spatial::units() {
            let (number, line) = next();
            let unit: Vec<f32> =
                line.split_whitespace().map_while(|cell| cell.parse().ok()).collect();
            if unit.len() != count || unit.iter().any(|weight| !weight.is_finite()) {
                return Err(fault(number, line, format!("{count} numbers")));
            }
            weights.extend(unit);
        }
        match lines.next() {
            Some((number, line)) => Err(fault(number, line, "end of text".to_owned())),
            None => Ok(EvolvedWeights { king, weights }),
        }
    }
}

/// The evaluation of the network when it plays one side.
#[derive(Clone)]
pub struct SpatialEval {
    net: Arc<Spatial>,
    king: f32,
    side: Side,
}

/// Score of a man, one unit of the network's output; hundredths would be too coarse for close choices.
const MAN_SCORE: f32 = 1000.0;

impl SpatialEval {
    /// The evaluation of `weights` when it plays `side`.
    pub fn new(weights: &EvolvedWeights, side: Side) -> SpatialEval {
        SpatialEval { net: Spatial::new(&weights.weights).into(), king: weights.king, side }
    }

    /// The same for the other side.
    pub fn of_side(&self, side: Side) -> SpatialEval {
        SpatialEval { side, ..self.clone() }
    }

    /// The inputs as seen from the player's own edge of the board: 1 for an own man, -1 for an opposing one.
    fn inputs(&self, position: &Draughts) -> [f32; INPUTS] {
        let mut inputs = [0.0; INPUTS];
        let values = [1.0, self.king, -1.0, -self.king];
        for (set, mut squares) in DraughtsKnowledge::planes(position).into_iter().enumerate() {
            while squares != 0 {
                let square = squares.trailing_zeros() as usize;
                squares &= squares - 1;
                // One of four times 32: own men, own kings, opposing men, opposing kings.
                let input = DraughtsKnowledge::input(self.side, 0, set, square);
                inputs[input % INPUTS] = values[input / INPUTS];
            }
        }
        inputs
    }
}

impl Evaluator<Draughts> for SpatialEval {
    #[inline]
    fn evaluate(&mut self, position: &Draughts) -> Score {
        let score = Score::evaluation((self.net.sum(&self.inputs(position)) * MAN_SCORE) as i32);
        if position.turn() == self.side { score } else { -score }
    }
}

/// The search settings: alpha-beta, straight to the depth.
pub fn search_settings(options: &Options) -> SearchSettings {
    SearchSettings { quiescence: options.switch("quiescence"), ..SearchSettings::ALPHA_BETA }
}

/// The options of a text that names this player.
///
/// # Errors
/// If it names another or its options are wrong.
pub fn options_of(text: &str) -> Result<Options, TextError> {
    match ludus_core::options::split_name(text) {
        (ID, _) => Options::parse(text, OPTIONS),
        (name, _) => {
            let expected = format!("{ID}, the player that evolves");
            Err(TextError::whole("player", name, expected))
        }
    }
}

pub fn recipe() -> PlayerRecipe<Draughts> {
    PlayerRecipe {
        id: ID,
        about: "alpha-beta and a network evolved by playing others (Chellapilla and Fogel 2001)",
        options: OPTIONS,
        build: |options, resources| Ok(build(options, resources)?),
        build_traced: Some(|options, resources| Ok(build(options, resources)?)),
    }
}

fn build(
    options: &Options,
    resources: &Resources,
) -> Result<Box<SearchPlayer<BySide<EvolvedSearches>>>, PlayerError> {
    let weights = match options.text("weights") {
        "" => EvolvedWeights::parse(ludus_data::learners::ANACONDA)?,
        file => EvolvedWeights::parse(&settings::read("weights", file)?)?,
    };
    let search = BySide(EvolvedSearches {
        eval: SpatialEval::new(&weights, Side::First),
        // Iterative deepening, so that a limit of time or nodes leaves a finished search.
        settings: SearchSettings { step: 2, ..search_settings(options) },
        table_bytes: options.bytes("table"),
        threads: resources.threads,
        searchers: [None, None],
    });
    Ok(Box::new(SearchPlayer::new(ID, settings::limits(options)?, search)))
}

/// The evolved evaluation, and the search for each side it has played.
struct EvolvedSearches {
    eval: SpatialEval,
    settings: SearchSettings,
    table_bytes: u64,
    threads: usize,
    searchers: [Option<Searcher<Draughts, SpatialEval, DraughtsKnowledge>>; 2],
}

impl SideSearches for EvolvedSearches {
    type SideSearch = Searcher<Draughts, SpatialEval, DraughtsKnowledge>;

    fn to_move(&mut self, game: &History<Draughts>) -> &mut Self::SideSearch {
        let side = game.last().turn();
        self.searchers[side.index()].get_or_insert_with(|| {
            let table = textbook::new_table(self.table_bytes, ReplacementScheme::TwoLevel);
            let eval = self.eval.of_side(side);
            Searcher::new(self.settings, table, &eval, DraughtsKnowledge, self.threads)
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
    use ludus_core::{Limits, Notation, Random, SearchControl};
    use ludus_games::draughts::Rules;
    use std::sync::atomic::AtomicBool;

    fn random_weights(seed: u64) -> EvolvedWeights {
        let mut random = Random::new(seed);
        let weights = (0..spatial::WEIGHTS).map(|_| random.normal() as f32 * 0.2).collect();
        EvolvedWeights { king: 1.7, weights }
    }

    #[test]
    fn weights_survive_their_text_and_wrong_ones_are_named() {
        let evolved = random_weights(1);
        let text = evolved.text();
        assert_eq!(EvolvedWeights::parse(&text).unwrap(), evolved);
        assert_eq!(EvolvedWeights::parse(&format!("# a comment\n{text}")).unwrap(), evolved);
        let last = text.lines().count();
        for (broken, line) in [
            (text.replacen("king", "queen", 1), 1),
            (text.replacen("1.7\n", "1.7\nx ", 1), 2),
            (text.clone() + "1 2\n", last + 1),
            (text.trim_end().rsplit_once('\n').unwrap().0.to_owned(), last),
            (String::new(), 1),
        ] {
            let error = EvolvedWeights::parse(&broken).unwrap_err();
            assert_eq!(error.line, line, "{error}");
        }
    }

    #[test]
    fn it_sees_its_own_pieces_from_its_own_edge() {
        let options = Options::parse("draughts", Draughts::OPTIONS).unwrap();
        let position = Draughts::parse(&options, "B:B1,K6:W32,K20").unwrap();
        let eval = SpatialEval::new(&random_weights(2), Side::First);
        let on = |side| {
            let inputs = eval.of_side(side).inputs(&position);
            let on = (0..INPUTS).filter(move |&it| inputs[it] != 0.0);
            on.map(|it| (it + 1, inputs[it])).collect::<Vec<_>>()
        };
        assert_eq!(on(Side::First), [(1, 1.0), (6, 1.7), (20, -1.7), (32, -1.0)]);
        assert_eq!(on(Side::Second), [(1, 1.0), (13, 1.7), (27, -1.7), (32, -1.0)]);
    }

    #[test]
    fn both_sides_evaluate_alike() {
        let mut first = SpatialEval::new(&random_weights(3), Side::First);
        let mut second = first.of_side(Side::Second);
        let mut random = Random::new(4);
        let mut position = Draughts::new(Rules::English);
        let mut moves = Vec::new();
        for _ in 0..60 {
            let swapped = position.colour_flipped().expect("draughts can be turned round");
            assert_eq!(first.evaluate(&position), second.evaluate(&swapped));
            moves.clear();
            position.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            position.play(mv);
        }
    }

    #[test]
    fn other_rules_are_refused() {
        let mut player = build_player::<Draughts>(ID, &Resources::default()).unwrap();
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let game = History::new(Draughts::new(Rules::Russian));
        let error = player.choose(&game, &Limits::default(), &mut control).unwrap_err();
        assert!(error.to_string().contains("English"), "{error}");
    }
}
