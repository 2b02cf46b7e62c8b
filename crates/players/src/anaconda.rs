//! `anaconda`: alpha-beta and a network that sees pieces on squares, evolved by playing others of its
//! kind (Chellapilla and Fogel 2001).

use crate::{
    Recipe, Recording, Resources, Traced, TracedChoice,
    neural::{self, DEPTH, NODES, SearchOutput, TIME, WEIGHTS, table},
    settings::{self, switch},
    textbook,
};
use ludus_core::{
    Choice, Evaluator, History, Limits, NnueInputs, OptionSpec, Options, Player, PlayerError,
    Position, Report, Score, Side, TextError, Watch,
};
use ludus_games::draughts::{Draughts, Move};
use ludus_models::spatial::{self, INPUTS, Spatial};
use ludus_search::alphabeta::{Searcher, Settings, Trace};
use std::sync::Arc;

/// Its name.
pub const ID: &str = "anaconda";

const OPTIONS: &[OptionSpec] = &[
    DEPTH,
    NODES,
    TIME,
    WEIGHTS,
    table("16MB"),
    switch("quiescence", "on", "play captures out at the horizon"),
];

const BRAIN: &str = include_str!("../../../data/learners/anaconda.txt");

/// What has evolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Brain {
    /// What a king is worth; a man is worth 1.
    pub king: f32,
    /// The weights of the network.
    pub weights: Vec<f32>,
}

impl Brain {
    /// The brain as text: a line with the king's worth, then a line for each unit of the network.
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

    /// Reads what [`text`](Brain::text) wrote; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<Brain, TextError> {
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
            None => Ok(Brain { king, weights }),
        }
    }
}

/// Judges as the player of one side does.
#[derive(Clone)]
pub struct Instinct {
    net: Arc<Spatial>,
    king: f32,
    side: Side,
}

/// What one unit of the network's sum, a man, scores; hundredths would blur close choices.
const MAN: f32 = 1000.0;

impl Instinct {
    /// The judgement of `brain` when it plays `side`.
    pub fn new(brain: &Brain, side: Side) -> Instinct {
        Instinct { net: Spatial::new(&brain.weights).into(), king: brain.king, side }
    }

    /// The same for the other side.
    pub fn of_side(&self, side: Side) -> Instinct {
        Instinct { side, ..self.clone() }
    }

    /// What the player sees from its own edge of the board: 1 for each own man, less for others'.
    fn inputs(&self, position: &Draughts) -> [f32; INPUTS] {
        let mut inputs = [0.0; INPUTS];
        let values = [1.0, self.king, -1.0, -self.king];
        for (set, mut squares) in position.sets().into_iter().enumerate() {
            while squares != 0 {
                let square = squares.trailing_zeros() as usize;
                squares &= squares - 1;
                // A number below four times 32: own men, own kings, others' men, others' kings.
                let input = Draughts::input(self.side, 0, set, square);
                inputs[input % INPUTS] = values[input / INPUTS];
            }
        }
        inputs
    }
}

impl Evaluator<Draughts> for Instinct {
    #[inline]
    fn evaluate(&mut self, position: &Draughts) -> Score {
        let score = Score::evaluation((self.net.sum(&self.inputs(position)) * MAN) as i32);
        if position.turn() == self.side { score } else { -score }
    }
}

/// How it searches: alpha-beta, straight to the depth wanted.
pub fn thinking(options: &Options) -> Settings {
    Settings { quiescence: options.switch("quiescence"), ..Settings::ALPHA_BETA }
}

/// Reads the options of a text that names this player.
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

pub fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: ID,
        about: "alpha-beta and a network that evolved by playing others (Chellapilla, Fogel 2001)",
        options: OPTIONS,
        build: |options, resources| Ok(build(options, resources)?),
        build_traced: Some(|options, resources| Ok(build(options, resources)?)),
    }
}

fn build(options: &Options, resources: &Resources) -> Result<Box<Anaconda>, PlayerError> {
    let brain = match options.text("weights") {
        "" => Brain::parse(BRAIN)?,
        file => Brain::parse(&settings::read("weights", file)?)?,
    };
    Ok(Box::new(Anaconda {
        instinct: Instinct::new(&brain, Side::First),
        // Deepening, so that a limit of time or nodes leaves a finished search.
        thinking: Settings { step: 2, ..thinking(options) },
        table: options.bytes("table"),
        limits: settings::limits(options)?,
        threads: resources.threads,
        searchers: [None, None],
    }))
}

/// The player.
struct Anaconda {
    instinct: Instinct,
    thinking: Settings,
    table: u64,
    limits: Limits,
    threads: usize,
    /// For each side it has played.
    searchers: [Option<Searcher<Draughts, Instinct>>; 2],
}

impl Anaconda {
    fn search(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        output: SearchOutput<'_>,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = neural::limits_of_a_move(game, &self.limits, limits)?;
        let side = game.last().turn();
        let searcher = self.searchers[side.index()].get_or_insert_with(|| {
            let table = textbook::new_table(self.table, "two-level");
            Searcher::new(self.thinking, table, &self.instinct.of_side(side), self.threads)
        });
        let report: Report<Move> = match output {
            SearchOutput::Lines(lines) => searcher.search_lines(game, &limits, lines, watch),
            SearchOutput::Trace(trace) => searcher.trace(game, &limits, watch, trace),
        };
        let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
        (watch.on_report)(&report);
        Ok(Choice::play(mv, report))
    }
}

impl Player<Draughts> for Anaconda {
    fn name(&self) -> &str {
        ID
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
        self.searchers = [None, None];
    }
}

impl Traced<Draughts> for Anaconda {
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
    use ludus_core::{HasEval, Notation, Random};
    use ludus_games::draughts::Rules;
    use std::sync::atomic::AtomicBool;

    fn random_brain(seed: u64) -> Brain {
        let mut random = Random::new(seed);
        let weights = (0..spatial::WEIGHTS).map(|_| random.normal() as f32 * 0.2).collect();
        Brain { king: 1.7, weights }
    }

    #[test]
    fn a_brain_survives_its_text_and_wrong_ones_are_named() {
        let brain = random_brain(1);
        let text = brain.text();
        assert_eq!(Brain::parse(&text).unwrap(), brain);
        assert_eq!(Brain::parse(&format!("# a remark\n{text}")).unwrap(), brain);
        let last = text.lines().count();
        for (broken, line) in [
            (text.replacen("king", "queen", 1), 1),
            (text.replacen("1.7\n", "1.7\nx ", 1), 2),
            (text.clone() + "1 2\n", last + 1),
            (text.trim_end().rsplit_once('\n').unwrap().0.to_owned(), last),
            (String::new(), 1),
        ] {
            let error = Brain::parse(&broken).unwrap_err();
            assert_eq!(error.line, line, "{error}");
        }
    }

    #[test]
    fn it_sees_its_own_pieces_from_its_own_edge() {
        let options = Options::parse("draughts", Draughts::OPTIONS).unwrap();
        let position = Draughts::parse(&options, "B:B1,K6:W32,K20").unwrap();
        let instinct = Instinct::new(&random_brain(2), Side::First);
        let on = |side| {
            let inputs = instinct.of_side(side).inputs(&position);
            let on = (0..INPUTS).filter(move |&it| inputs[it] != 0.0);
            on.map(|it| (it + 1, inputs[it])).collect::<Vec<_>>()
        };
        assert_eq!(on(Side::First), [(1, 1.0), (6, 1.7), (20, -1.7), (32, -1.0)]);
        assert_eq!(on(Side::Second), [(1, 1.0), (13, 1.7), (27, -1.7), (32, -1.0)]);
    }

    #[test]
    fn both_sides_judge_alike() {
        let mut first = Instinct::new(&random_brain(3), Side::First);
        let mut second = first.of_side(Side::Second);
        let mut random = Random::new(4);
        let mut position = Draughts::new(Rules::English);
        let mut moves = Vec::new();
        for _ in 0..60 {
            let swapped = position.swapped().expect("draughts can be turned round");
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
        let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
        let game = History::new(Draughts::new(Rules::Russian));
        let error = player.choose(&game, &Limits::default(), &mut watch).unwrap_err();
        assert!(error.to_string().contains("English"), "{error}");
    }
}
