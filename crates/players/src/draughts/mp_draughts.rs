//! `mp-draughts`: IIGA while there are many pieces, then a specialist for the endgame, chosen by a
//! self-organising map (Duarte 2009).

use crate::{
    PlayerRecipe, Resources,
    common::search_player::SearchPlayer,
    draughts::{
        by_side::{BySide, SideSearches},
        iiga,
        neural::{DEPTH, LearnedModel, LearnedSearcher, NODES, SearchConfig, TIME, WEIGHTS, table},
    },
    settings,
};
use ludus_core::{
    History, OptionKind, OptionSpec, Options, PlayerError, Position, TextError,
    endgame_index::EndgameIndex,
};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::{
    DraughtsKnowledge,
    features::{self, FEATURES, PlayerView},
};
use ludus_models::Som;

/// Its name.
pub const ID: &str = "mp-draughts";
/// Largest number of pieces with which the specialists play.
pub const ENDGAME_PIECES: usize = 12;

const SWITCH: OptionSpec = OptionSpec {
    name: "switch",
    kind: OptionKind::Choice(&["first", "every"]),
    default: "first",
    about: "choose a specialist once, at the first own turn with 12 pieces or fewer, or at every turn",
};

const OPTIONS: &[OptionSpec] =
    &[DEPTH, NODES, TIME, WEIGHTS, table("16MB"), iiga::ORDERING, SWITCH];

/// The counts of all features from the view of the side to move, so that both colours choose the same
/// specialist for the same board turned round.
pub fn inputs(position: &Draughts) -> Vec<f32> {
    let view = PlayerView::of(position, position.colour());
    features::counts(&view).iter().map(|&count| count as f32).collect()
}

/// The self-organising map, and the model for the boards of each of its units.
#[derive(Clone, Debug, PartialEq)]
pub struct Specialists {
    /// The map: it clusters boards by the counts of their features.
    pub map: Som,
    /// A model for each unit of the map.
    pub models: Vec<LearnedModel>,
}

impl Specialists {
    /// The built-in specialists.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn built_in() -> Result<Specialists, TextError> {
        Specialists::parse(ludus_data::learners::MP_DRAUGHTS)
    }

    /// The specialists as text: the map, then the models, each after a line with its number.
    pub fn text(&self) -> String {
        let mut text = self.map.text();
        for (index, model) in self.models.iter().enumerate() {
            text += &format!("specialist {}\n{}", index + 1, model.text());
        }
        text
    }

    /// Reads what [`text`](Specialists::text) wrote; lines that begin with `#` are comments.
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
        let models = parts[1..].iter().enumerate().map(|(index, (above, part))| {
            let (head, model) = part.split_once('\n').unwrap_or((part, ""));
            let expected = format!("specialist {}", index + 1);
            if head != expected {
                return Err(fault(*above, head, expected));
            }
            LearnedModel::parse(model).map_err(below(above + 1))
        });
        let models = models.collect::<Result<Vec<LearnedModel>, _>>()?;
        if models.len() != map.units.len() {
            let found = format!("{} specialists", models.len());
            let expected = format!("{}, one for each unit of the map", map.units.len());
            return Err(fault(*first, &found, expected));
        }
        Ok(Specialists { map, models })
    }
}

/// The search that trains specialists, by the options of a text that names this player.
///
/// # Errors
/// If `text` names another player, or its options are wrong.
pub fn search_config(text: &str) -> Result<SearchConfig, TextError> {
    let (name, _) = ludus_core::options::split_name(text);
    if name != ID {
        return Err(TextError::whole("player", name, format!("{ID}, such as {ID}:table=64KB")));
    }
    Ok(iiga::search_config(&Options::parse(text, OPTIONS)?))
}

/// The turns at which a specialist is chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Switch {
    /// The first own turn of the endgame.
    First,
    /// Every turn of the endgame.
    Every,
}

impl Switch {
    /// The board by which the specialist for the last position of `game` is chosen; `None` while IIGA plays.
    fn deciding_board(self, game: &History<Draughts>) -> Option<&Draughts> {
        let is_ending =
            |position: &&Draughts| DraughtsKnowledge::pieces(position) <= ENDGAME_PIECES;
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

/// The index of the specialist that plays; `None` for IIGA.
type Phase = Option<usize>;

/// The player, with a model for each phase of the game.
pub type MpPlayer = SearchPlayer<BySide<PhaseModels>>;

/// The models of all phases, and the search for each side.
pub struct PhaseModels {
    opening: LearnedModel,
    specialists: Specialists,
    switch: Switch,
    search_config: SearchConfig,
    threads: usize,
    /// For each side it plays, with its phase.
    searchers: [Option<(Phase, LearnedSearcher)>; 2],
}

impl PhaseModels {
    fn phase(&self, game: &History<Draughts>) -> Phase {
        let deciding = self.switch.deciding_board(game)?;
        Some(self.specialists.map.winner(&inputs(deciding)))
    }

    fn model(&self, phase: Phase) -> &LearnedModel {
        phase.map_or(&self.opening, |index| &self.specialists.models[index])
    }
}

impl SideSearches for PhaseModels {
    type SideSearch = LearnedSearcher;

    fn to_move(&mut self, game: &History<Draughts>) -> &mut LearnedSearcher {
        let (side, phase) = (game.last().turn(), self.phase(game));
        let seat = side.index();
        let kept = self.searchers[seat].take().filter(|(seated, _)| *seated == phase);
        // A search of another phase is gone by now: its table was freed before the next one is made.
        let searcher = kept.unwrap_or_else(|| {
            let model = self.model(phase);
            (phase, LearnedSearcher::new(model, side, &self.search_config, self.threads))
        });
        &mut self.searchers[seat].insert(searcher).1
    }

    fn forget(&mut self) {
        self.searchers = [None, None];
    }
}

fn build(options: &Options, resources: &Resources) -> Result<Box<MpPlayer>, PlayerError> {
    let specialists = match options.text("weights") {
        "" => Specialists::built_in()?,
        file => Specialists::parse(&settings::read("weights", file)?)?,
    };
    let search = BySide(PhaseModels {
        opening: LearnedModel::parse(iiga::FAMILY.model)?,
        specialists,
        switch: if options.text("switch") == "every" { Switch::Every } else { Switch::First },
        search_config: iiga::search_config(options),
        threads: resources.threads,
        searchers: [None, None],
    });
    Ok(Box::new(SearchPlayer::new(ID, settings::limits(options)?, search)))
}

pub fn recipe() -> PlayerRecipe<Draughts> {
    PlayerRecipe {
        id: ID,
        about: "IIGA, and with 12 pieces or fewer one of 25 endgame specialists (Duarte 2009)",
        options: OPTIONS,
        build: |options, resources| Ok(build(options, resources)?),
        build_traced: Some(|options, resources| Ok(build(options, resources)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Limits, Notation, Player, Random, SearchControl};
    use ludus_games::draughts::Rules;
    use ludus_search::Search;
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

    /// The phase of `first` is recomputed at every ply, as if the player had just joined the game.
    #[test]
    fn a_specialist_stays_to_the_end_of_the_game() {
        let (first, every) = (player("mp-draughts"), player("mp-draughts:switch=every"));
        let [first, every] = [&first, &every].map(|player| &player.search().0);
        let mut changes = 0;
        for seed in 0..20 {
            let whole = walk(seed);
            let mut game = History::new(*whole.start());
            let mut chosen: [Phase; 2] = [None, None];
            for &mv in whole.moves() {
                let seat = &mut chosen[game.last().turn().index()];
                let now = DraughtsKnowledge::pieces(game.last()) <= ENDGAME_PIECES;
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
            let swapped = position.colour_flipped().expect("draughts can be turned round");
            assert_eq!(inputs(position), inputs(&swapped));
            let phase = |position: Draughts| mp.search().0.phase(&History::new(position));
            assert_eq!(phase(*position), phase(swapped));
        }
    }

    /// With more than 12 pieces it plays as IIGA does, then as the specialist does.
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
                let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
                mp.new_game(1);
                let choice = mp.choose(&game, &limits, &mut control).unwrap();
                let models = &mp.search().0;
                let model = models.model(models.phase(&game));
                let config = &models.search_config;
                let mut plain = LearnedSearcher::new(model, position.turn(), config, 1);
                let expected = plain.search(&game, &limits, &mut control);
                assert_eq!(choice.report.line, expected.line);
                assert_eq!(choice.report.score, expected.score);
            }
        }
        let phase = |game: &History<Draughts>| mp.search().0.phase(game);
        assert_eq!(phase(&History::new(Draughts::new(Rules::English))), None);
        assert!(phase(&History::new(board("B:BK1,K2:WK31,K32"))).is_some());
    }

    #[test]
    fn specialists_survive_their_text_and_wrong_ones_are_named() {
        let mut random = Random::new(5);
        let map = Som::random(2, &[vec![8.0; FEATURES.len()]], &mut random);
        let models = (0..2).map(|_| LearnedModel::random(&[0, 3], &mut random)).collect();
        let specialists = Specialists { map, models };
        let text = specialists.text();
        let parse = |text: &str| Specialists::parse(text);
        assert_eq!(parse(&text).unwrap(), specialists);
        assert_eq!(parse(&format!("# a comment\n# another\n{text}")).unwrap(), specialists);
        let (without_last, _) = text.split_once("specialist 2").unwrap();
        let wrong = [
            (format!("# a comment\n{}", text.replace("som 2", "som x")), 2),
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
    fn twenty_five_specialists_are_built_in() {
        assert_eq!(Specialists::built_in().unwrap().models.len(), 25);
    }
}
