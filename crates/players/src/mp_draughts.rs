//! `mp-draughts`: IIGA while there are many pieces; then one of the specialists, chosen by a
//! self-organising map, plays to the end (Duarte 2009).

use crate::{
    Recipe, Recording, Resources, Traced, TracedChoice, iiga,
    neural::{self, DEPTH, Mind, NODES, SearchOutput, TIME, Thinker, Thinking, WEIGHTS},
    settings,
};
use ludus_core::{
    Choice, History, Kind, Limits, OptionSpec, Options, Player, PlayerError, Position, Side,
    TextError, Watch, endgame_index::EndgameIndex,
};
use ludus_games::draughts::{
    Draughts, Move,
    features::{self, FEATURES, View},
};
use ludus_models::Som;
use ludus_search::alphabeta::Trace;

/// Its name.
pub const ID: &str = "mp-draughts";
/// With so many pieces or fewer, the specialists play.
pub const ENDING: usize = 12;

const MINDS: &str = include_str!("../../../data/learners/mp-draughts.txt");

const SWITCH: OptionSpec = OptionSpec {
    name: "switch",
    kind: Kind::Choice(&["first", "every"]),
    default: "first",
    about: "choose a specialist once, at the first own turn with 12 pieces or fewer, or at every",
};

const OPTIONS: &[OptionSpec] =
    &[DEPTH, NODES, TIME, WEIGHTS, neural::table("16MB"), iiga::ORDERING, SWITCH];

/// The counts of all features, as the side to move sees the board: so both colours choose the same
/// specialist for the same board turned round.
pub fn inputs(position: &Draughts) -> Vec<f32> {
    let view = View::of(position, position.colour());
    features::counts(&view).iter().map(|&count| count as f32).collect()
}

/// The map, and who plays the boards of each of its units.
#[derive(Clone, Debug, PartialEq)]
pub struct Specialists {
    /// Divides boards among the specialists by the counts of their features.
    pub map: Som,
    /// One for each unit of the map.
    pub minds: Vec<Mind>,
}

impl Specialists {
    /// Those that are built in.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn built_in() -> Result<Specialists, TextError> {
        Specialists::parse(MINDS)
    }

    /// The specialists as text: the map, then the minds, each after a line with its number.
    pub fn text(&self) -> String {
        let mut text = self.map.text();
        for (index, mind) in self.minds.iter().enumerate() {
            text += &format!("specialist {}\n{}", index + 1, mind.text());
        }
        text
    }

    /// Reads what [`text`](Specialists::text) wrote; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<Specialists, TextError> {
        let mut parts: Vec<(usize, String)> = vec![(0, String::new())];
        for (above, line) in text.lines().enumerate() {
            if line.starts_with("specialist ") {
                parts.push((above, String::new()));
            }
            let (first, part) = parts.last_mut().expect("there is a part");
            if line.starts_with('#') && part.is_empty() {
                *first = above + 1;
            } else {
                part.push_str(line);
                part.push('\n');
            }
        }
        let below =
            |above: usize| move |error: TextError| TextError { line: error.line + above, ..error };
        let (first, map) = &parts[0];
        let map = Som::parse(map).map_err(below(*first))?;
        let fault = |above: usize, found: &str, expected: String| TextError {
            line: above + 1,
            column: 1,
            ..TextError::whole("specialists", found, expected)
        };
        if map.inputs() != FEATURES.len() {
            let found = format!("a map of {} inputs", map.inputs());
            let expected = format!("one of {}, the features", FEATURES.len());
            return Err(fault(*first, &found, expected));
        }
        let minds = parts[1..].iter().enumerate().map(|(index, (above, part))| {
            let (head, mind) = part.split_once('\n').unwrap_or((part, ""));
            let expected = format!("specialist {}", index + 1);
            if head != expected {
                return Err(fault(*above, head, expected));
            }
            Mind::parse(mind).map_err(below(above + 1))
        });
        let minds = minds.collect::<Result<Vec<Mind>, _>>()?;
        if minds.len() != map.units.len() {
            let found = format!("{} specialists", minds.len());
            let expected = format!("{}, one for each unit of the map", map.units.len());
            return Err(fault(*first, &found, expected));
        }
        Ok(Specialists { map, minds })
    }
}

/// How one that trains specialists lets them search.
///
/// # Errors
/// If `text` names another player, or its options are wrong.
pub fn thinking_of(text: &str) -> Result<Thinking, TextError> {
    let (name, _) = ludus_core::options::split_name(text);
    if name != ID {
        return Err(TextError::whole("player", name, format!("{ID}, such as {ID}:table=64KB")));
    }
    Ok(iiga::thinking(&Options::parse(text, OPTIONS)?))
}

/// When a specialist is chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Switch {
    /// Once a game.
    First,
    /// At every move.
    Every,
}

impl Switch {
    /// The board that decides who plays the last position of `game`; `None` while IIGA plays.
    fn deciding(self, game: &History<Draughts>) -> Option<&Draughts> {
        let is_ending = |position: &&Draughts| EndgameIndex::pieces(*position) <= ENDING;
        let last = game.last();
        match self {
            Switch::Every => Some(last).filter(is_ending),
            Switch::First => {
                let own = game.positions().iter().filter(|position| position.turn() == last.turn());
                own.into_iter().find(is_ending)
            }
        }
    }
}

/// Who plays: a specialist, or IIGA.
type Phase = Option<usize>;

/// A player with a mind for each phase of the game.
pub struct MpPlayer {
    opening: Mind,
    specialists: Specialists,
    switch: Switch,
    thinking: Thinking,
    limits: Limits,
    threads: usize,
    /// For each side it plays, with the phase it is for.
    thinkers: [Option<(Phase, Thinker)>; 2],
}

impl MpPlayer {
    fn phase(&self, game: &History<Draughts>) -> Phase {
        let deciding = self.switch.deciding(game)?;
        Some(self.specialists.map.winner(&inputs(deciding)))
    }

    fn thinker(&mut self, side: Side, phase: Phase) -> &mut Thinker {
        let seat = &mut self.thinkers[side.index()];
        if seat.as_ref().is_none_or(|(seated, _)| *seated != phase) {
            *seat = None; // its table makes room for the next
        }
        let mind = phase.map_or(&self.opening, |index| &self.specialists.minds[index]);
        let thinker = || (phase, Thinker::new(mind, side, &self.thinking, self.threads));
        &mut seat.get_or_insert_with(thinker).1
    }

    fn search(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        output: SearchOutput<'_>,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = neural::limits_of_a_move(game, &self.limits, limits)?;
        let phase = self.phase(game);
        let thinker = self.thinker(game.last().turn(), phase);
        neural::choose(thinker, game, &limits, watch, output)
    }
}

impl Player<Draughts> for MpPlayer {
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
        self.thinkers = [None, None];
    }
}

impl Traced<Draughts> for MpPlayer {
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

fn build(options: &Options, resources: &Resources) -> Result<Box<MpPlayer>, PlayerError> {
    let specialists = match options.text("weights") {
        "" => Specialists::built_in()?,
        file => Specialists::parse(&settings::read("weights", file)?)?,
    };
    Ok(Box::new(MpPlayer {
        opening: Mind::parse(iiga::FAMILY.mind)?,
        specialists,
        switch: if options.text("switch") == "every" { Switch::Every } else { Switch::First },
        thinking: iiga::thinking(options),
        limits: settings::limits(options)?,
        threads: resources.threads,
        thinkers: [None, None],
    }))
}

pub fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: ID,
        about: "IIGA, and from 12 pieces on one of 25 specialists for endings (Duarte 2009)",
        options: OPTIONS,
        build: |options, resources| Ok(build(options, resources)?),
        build_traced: Some(|options, resources| Ok(build(options, resources)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{HasEval, Notation, Random};
    use ludus_games::draughts::Rules;
    use std::sync::atomic::AtomicBool;

    fn player(spec: &str) -> MpPlayer {
        let options = Options::parse(spec, OPTIONS).unwrap();
        *build(&options, &Resources::default()).unwrap()
    }

    fn board(text: &str) -> Draughts {
        Draughts::parse(&Options::parse("draughts", Draughts::OPTIONS).unwrap(), text).unwrap()
    }

    /// A random game of the English rules.
    fn walk(seed: u64) -> History<Draughts> {
        let (mut random, mut moves) = (Random::new(seed), Vec::new());
        let mut game = History::new(Draughts::new(Rules::English));
        while game.moves().len() < 120 {
            moves.clear();
            game.last().legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            game.push(mv);
        }
        game
    }

    /// The same, asked at every ply of a game as a newcomer would be.
    #[test]
    fn a_specialist_stays_to_the_end_of_the_game() {
        let (first, every) = (player("mp-draughts"), player("mp-draughts:switch=every"));
        let mut changes = 0;
        for seed in 0..20 {
            let whole = walk(seed);
            let mut game = History::new(*whole.start());
            let mut chosen: [Phase; 2] = [None, None];
            for &mv in whole.moves() {
                let seat = &mut chosen[game.last().turn().index()];
                let now = EndgameIndex::pieces(game.last()) <= ENDING;
                let anew = now.then(|| first.specialists.map.winner(&inputs(game.last())));
                *seat = seat.or(anew);
                assert_eq!(first.phase(&game), *seat);
                assert_eq!(every.phase(&game), anew);
                changes += u32::from(anew != *seat);
                game.push(mv);
            }
        }
        assert!(changes > 0, "boards of one game belong to several specialists");
    }

    #[test]
    fn both_colours_choose_alike() {
        let mp = player("mp-draughts");
        for position in walk(3).positions() {
            let swapped = position.swapped().expect("draughts can be turned round");
            assert_eq!(inputs(position), inputs(&swapped));
            let phase = |position: Draughts| mp.phase(&History::new(position));
            assert_eq!(phase(*position), phase(swapped));
        }
    }

    /// Beyond 12 pieces it is IIGA, move by move; after that it is the specialist.
    #[test]
    fn it_plays_as_the_one_whose_turn_it_is() {
        let stop = AtomicBool::new(false);
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let mut mp = player("mp-draughts:table=64KB");
        for seed in 0..2 {
            for position in walk(seed).positions() {
                if position.outcome().is_some() {
                    continue;
                }
                let game = History::new(*position);
                let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
                mp.new_game(1);
                let choice = mp.choose(&game, &limits, &mut watch).unwrap();
                let mind = mp.phase(&game).map_or(&mp.opening, |it| &mp.specialists.minds[it]);
                let mut plain = Thinker::new(mind, position.turn(), &mp.thinking, 1);
                let expected = plain.think(&game, &limits, &mut watch, None);
                assert_eq!(choice.report.line, expected.line);
                assert_eq!(choice.report.score, expected.score);
            }
        }
        assert_eq!(mp.phase(&History::new(Draughts::new(Rules::English))), None);
        assert!(mp.phase(&History::new(board("B:BK1,K2:WK31,K32"))).is_some());
    }

    #[test]
    fn specialists_survive_their_text_and_wrong_ones_are_named() {
        let mut random = Random::new(5);
        let map = Som::random(2, &[vec![8.0; FEATURES.len()]], &mut random);
        let minds = (0..2).map(|_| Mind::random(&[0, 3], &mut random)).collect();
        let specialists = Specialists { map, minds };
        let text = specialists.text();
        let parse = |text: &str| Specialists::parse(text);
        assert_eq!(parse(&text).unwrap(), specialists);
        assert_eq!(parse(&format!("# a remark\n# another\n{text}")).unwrap(), specialists);
        let (without_last, _) = text.split_once("specialist 2").unwrap();
        let wrong = [
            (format!("# a remark\n{}", text.replace("som 2", "som x")), 2),
            (text.replace("specialist 1", "specialist 7"), 4),
            (text.replace("specialist 2\nfeatures ", "specialist 2\nfeatures Spoon "), 17),
            (without_last.to_owned(), 1),
            (text.replace("28 inputs", "27 inputs"), 2),
            (String::new(), 1),
        ];
        for (text, line) in wrong {
            let error = parse(&text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
        }
    }

    #[test]
    fn the_ones_that_are_built_in_are_twenty_five() {
        assert_eq!(Specialists::built_in().unwrap().minds.len(), 25);
    }
}
