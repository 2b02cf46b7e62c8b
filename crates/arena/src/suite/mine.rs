//! Finds problems in games and proves them.
//!
//! Quick games from random openings are full of missed chances. A tactical problem is a position
//! in which a glance does not show the move that a deep search proves to win while no other does; a
//! mate problem is one with a single key, proved by trying everything.
//!
//! What game `n` yields is a function of the recipe and `n` alone (as long as the players' limits
//! are depths or nodes), and games are gone through in order: the suite is the same on any number
//! of threads.

use super::{epd_of, forced, judge::Judge, judge::Opinion, legal_moves};
use ludus_core::{
    Action, Ending, HasEval, History, Limits, Notation, Options, Player, PlayerError, Position,
    Random, Score, TextError, Watch,
};
use ludus_formats::epd::Epd;
use ludus_games::chess::{Chess, Move};
use ludus_players::{Resources, build_player};
use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// What is looked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Positions with one winning move that a glance does not show.
    Tactics,
    /// Positions with one move that forces mate in two.
    MateInTwo,
}

/// How to mine.
#[derive(Clone, Debug)]
pub struct MineRecipe {
    /// What is looked for.
    pub kind: Kind,
    /// Problems wanted, the same number for both sides to move.
    pub count: usize,
    /// Who plays the games: every pairing in turn.
    pub players: Vec<String>,
    /// Random plies before they begin.
    pub plies: usize,
    /// Percent of their moves that are made at random instead. If there are any, only the positions
    /// after these are looked at: most chances come from blunders.
    pub blunders: u8,
    /// Must not find the move.
    pub glance: String,
    /// Must find it, each in turn, before the judge is asked: cheap ones first.
    pub scouts: Vec<String>,
    /// Proves it.
    pub judge: String,
    /// Decides everything random.
    pub seed: u64,
    /// Games at the same time.
    pub threads: usize,
}

/// What it took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played and gone through.
    pub games: usize,
    /// Positions looked at.
    pub positions: usize,
    /// Positions put before the judge.
    pub judged: usize,
    /// Problems proved.
    pub proved: usize,
    /// Problems taken: not seen before, and one of the side still wanted.
    pub taken: usize,
}

/// A tactical problem's move is worth at least this much,
const WON: i32 = 200;
/// every other at most this much,
const NOT_WON: i32 = 100;
/// and the difference is at least this.
const GAP: i32 = 200;
/// Positions that look like this at a glance are decided, one way or the other.
const DECIDED: i32 = 500;
/// Where there is less to choose from, there is nothing to find.
const FEWEST_MOVES: usize = 5;
/// Mates are wanted in games, not in the last endings.
const FEWEST_MEN: usize = 8;
/// Plies between problems of one game, so that no two are steps of one combination.
const APART: usize = 10;
/// Games end here.
const LONGEST_GAME: usize = 160;
/// Games in a row without a problem that is wanted: there will be none.
const PATIENCE: usize = 2000;

/// A problem found, not yet named.
struct Find {
    position: Chess,
    epd: Epd,
}

/// What one game yielded.
#[derive(Default)]
struct Yield {
    finds: Vec<Find>,
    positions: usize,
    judged: usize,
}

type Mined = (usize, Result<Yield, PlayerError>);

/// Mines until there are enough problems. `on_problem` hears of each as it is taken, in order.
pub fn mine(
    recipe: &MineRecipe,
    on_problem: &mut dyn FnMut(&Epd, &Tally),
) -> Result<Tally, PlayerError> {
    if recipe.players.is_empty() {
        return Err(TextError::whole("player", "", "at least one to play the games").into());
    }
    let (halt, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..recipe.threads.max(1) {
            let (sender, halt, next) = (sender.clone(), &halt, &next);
            scope.spawn(move || work(recipe, next, halt, &sender));
        }
        drop(sender);
        let result = collect(recipe, &receiver, on_problem);
        halt.store(true, Ordering::Relaxed);
        result
    })
}

fn work(recipe: &MineRecipe, next: &AtomicUsize, halt: &AtomicBool, sender: &Sender<Mined>) {
    let mut miner = match Miner::new(recipe) {
        Ok(miner) => miner,
        Err(error) => {
            // Whoever collects does so game by game, and always waits for the first.
            let _ = sender.send((next.fetch_add(1, Ordering::Relaxed), Err(error)));
            return;
        }
    };
    while !halt.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let mined = miner.mine(number);
        if mined.is_err() || halt.load(Ordering::Relaxed) {
            halt.store(true, Ordering::Relaxed);
        }
        if sender.send((number, mined)).is_err() {
            return;
        }
    }
}

/// Takes problems game by game, in the order of the games.
fn collect(
    recipe: &MineRecipe,
    receiver: &Receiver<Mined>,
    on_problem: &mut dyn FnMut(&Epd, &Tally),
) -> Result<Tally, PlayerError> {
    let mut tally = Tally::default();
    let (mut waiting, mut seen, mut sides) = (BTreeMap::new(), HashSet::new(), [0, 0]);
    let mut last_taken = 0;
    while tally.taken < recipe.count {
        while let Some(game) = waiting.remove(&tally.games) {
            let game: Yield = game;
            tally.games += 1;
            tally.positions += game.positions;
            tally.judged += game.judged;
            tally.proved += game.finds.len();
            for Find { position, epd } in game.finds {
                let side = &mut sides[position.turn().index()];
                let wanted = *side < recipe.count.div_ceil(2) && tally.taken < recipe.count;
                if !wanted || !seen.insert(position.key()) {
                    continue;
                }
                *side += 1;
                tally.taken += 1;
                last_taken = tally.games;
                on_problem(&epd.with("id", &[&name(recipe.kind, tally.taken)]), &tally);
            }
        }
        if tally.games - last_taken > PATIENCE {
            let message = format!("no further problem in {PATIENCE} games");
            return Err(PlayerError::failed(message));
        }
        if tally.taken < recipe.count {
            let Ok((number, game)) = receiver.recv() else {
                return Err(PlayerError::failed("the players of the games stopped"));
            };
            waiting.insert(number, game?);
        }
    }
    Ok(tally)
}

fn name(kind: Kind, number: usize) -> String {
    match kind {
        Kind::Tactics => format!("ludus tactics {number:03}"),
        Kind::MateInTwo => format!("ludus mate in two {number:03}"),
    }
}

/// Plays games and looks through them.
struct Miner<'a> {
    recipe: &'a MineRecipe,
    players: Vec<Box<dyn Player<Chess>>>,
    /// Only for tactics.
    panel: Option<Panel>,
}

/// Who is asked about a position, in this order.
struct Panel {
    glance: Judge,
    scouts: Vec<Judge>,
    judge: Judge,
}

impl<'a> Miner<'a> {
    fn new(recipe: &'a MineRecipe) -> Result<Miner<'a>, PlayerError> {
        let resources = Resources { seed: recipe.seed, ..Resources::default() };
        let judge = |spec: &String| Judge::new(spec, recipe.seed);
        let panel = match recipe.kind {
            Kind::MateInTwo => None,
            Kind::Tactics => Some(Panel {
                glance: judge(&recipe.glance)?,
                scouts: recipe.scouts.iter().map(judge).collect::<Result<_, _>>()?,
                judge: judge(&recipe.judge)?,
            }),
        };
        let players = recipe.players.iter().map(|player| build_player(player, &resources));
        Ok(Miner { recipe, players: players.collect::<Result<_, _>>()?, panel })
    }

    /// Plays game `number` and returns its problems.
    fn mine(&mut self, number: usize) -> Result<Yield, PlayerError> {
        let (game, blunders) = self.play(number)?;
        if let Some(panel) = &mut self.panel {
            panel.begin();
        }
        let mut found = Yield::default();
        let mut ply = self.recipe.plies;
        while ply < game.moves().len() {
            if self.recipe.blunders > 0 && !blunders.contains(&ply) {
                ply += 1;
                continue;
            }
            found.positions += 1;
            let before = &game.positions()[..=ply];
            let find = match &mut self.panel {
                Some(panel) => panel.find(before, game.moves()[ply - 1], &mut found.judged)?,
                None => find_mate(&before[ply]),
            };
            ply += if find.is_some() { APART } else { 1 };
            found.finds.extend(find);
            // The first mate on offer is the best hidden: the next ones are its leftovers.
            if self.recipe.kind == Kind::MateInTwo && !found.finds.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Plays game `number`; also returns after how many plies each random move had been made.
    fn play(&mut self, number: usize) -> Result<(History<Chess>, Vec<usize>), PlayerError> {
        let mut random = Random::new(self.recipe.seed).split(&format!("game {number}"));
        let mut game = random_opening(self.recipe.plies, &mut random);
        let count = self.players.len();
        let seats = [number % count, number / count % count];
        for seat in seats {
            self.players[seat].new_game(random.bits());
        }
        let stop = AtomicBool::new(false);
        let mut blunders = vec![self.recipe.plies];
        while game.moves().len() < LONGEST_GAME && Chess::ending(&game).is_none() {
            if random.below(100) < self.recipe.blunders.into() {
                let Some(mv) = random.pick(&legal_moves(game.last())) else { break };
                game.push(mv);
                blunders.push(game.moves().len());
                continue;
            }
            let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
            let player = &mut self.players[seats[game.last().turn().index()]];
            match player.choose(&game, &Limits::default(), &mut watch)?.action {
                Action::Play(mv) => game.push(mv),
                Action::Resign => break,
            }
        }
        Ok((game, blunders))
    }
}

/// A game of `plies` random moves that is not over.
fn random_opening(plies: usize, random: &mut Random) -> History<Chess> {
    loop {
        let mut game = History::new(Chess::default());
        while game.moves().len() < plies && Chess::ending(&game).is_none() {
            let Some(mv) = random.pick(&legal_moves(game.last())) else { break };
            game.push(mv);
        }
        if game.moves().len() == plies && Chess::ending(&game).is_none() {
            return game;
        }
    }
}

impl Panel {
    /// Before a game. Within one, what is known of a position helps with the next; forgetting it
    /// every time took engines longer than looking.
    fn begin(&mut self) {
        self.glance.forget();
        self.scouts.iter_mut().for_each(Judge::forget);
    }

    /// The problem in the last of `positions`, which `last` led to, if there is one.
    fn find(
        &mut self,
        positions: &[Chess],
        last: Move,
        judged: &mut usize,
    ) -> Result<Option<Find>, PlayerError> {
        let [.., before, position] = positions else { return Ok(None) };
        let position = &without_past(position)?;
        if legal_moves(position).len() < FEWEST_MOVES {
            return Ok(None);
        }
        let glance = self.glance.ask(position)?;
        if glance.score.0.abs() >= DECIDED {
            return Ok(None);
        }
        let exchange = before.material() != position.material();
        let hidden = |opinion: &Opinion| {
            opinion.best != glance.best && !(exchange && opinion.best.to == last.to)
        };
        for scout in &mut self.scouts {
            let opinion = scout.ask(position)?;
            if !hidden(&opinion) || !wins_alone(opinion.score, opinion.told_second()) {
                return Ok(None);
            }
        }
        *judged += 1;
        self.judge.forget(); // a proof stands alone
        let opinion = self.judge.ask(position)?;
        if !hidden(&opinion) || !wins_alone(opinion.score, opinion.told_second()) {
            return Ok(None);
        }
        let second = self.judge.second(position, &opinion)?;
        let Some((next, next_score)) =
            second.filter(|next| wins_alone(opinion.score, Some(next.1)))
        else {
            return Ok(None);
        };
        let comment = format!(
            "{} {}, next {} {}",
            position.record_text(opinion.best),
            opinion.score,
            position.record_text(next),
            next_score
        );
        let judge = format!(
            "{} to depth {}, seen from depth {} on",
            self.judge.name(),
            opinion.depth,
            opinion.seen_from
        );
        let epd = epd_of(position).with("bm", &[&position.record_text(opinion.best)]);
        let epd = epd.with("c0", &[&comment]).with("c1", &[&judge]);
        Ok(Some(Find { position: position.clone(), epd }))
    }
}

/// Whether a move of this score wins and the next best does not, as far as that is known.
fn wins_alone(best: Score, second: Option<Score>) -> bool {
    let far_ahead = |second: Score| second.0 <= NOT_WON && best.0 - second.0 >= GAP;
    best.0 >= WON && second.is_none_or(far_ahead)
}

/// The problem in a position from which mate in two, but no mate in one, can be forced by one move
/// only.
fn find_mate(position: &Chess) -> Option<Find> {
    let fen = position.text();
    let men = fen.split(' ').next()?.chars().filter(char::is_ascii_alphabetic).count();
    if men < FEWEST_MEN || legal_moves(position).len() < FEWEST_MOVES {
        return None;
    }
    let position = without_past(position).ok()?;
    let [key] = forced::winning_moves(&position, 3)[..] else { return None };
    if forced::is_won(&position, 1) {
        return None;
    }
    let epd = epd_of(&position).with("bm", &[&position.record_text(key)]).with("dm", &["2"]);
    let epd = epd.with("c0", &["proved by trying every line"]);
    Some(Find { position, epd })
}

/// The position as EPD keeps it, without the counts of moves.
fn without_past(position: &Chess) -> Result<Chess, TextError> {
    Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), &epd_of(position).position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Problem, Task, read};
    use ludus_core::Side;

    /// In-process players and a judge that sees three plies.
    fn recipe(kind: Kind, count: usize, threads: usize) -> MineRecipe {
        MineRecipe {
            kind,
            count,
            players: vec!["greedy".to_owned(), "random".to_owned()],
            plies: 6,
            blunders: if kind == Kind::Tactics { 30 } else { 0 },
            glance: "greedy".to_owned(),
            scouts: vec!["alphabeta:depth=3".to_owned()],
            judge: "minimax:depth=3".to_owned(),
            seed: 3,
            threads,
        }
    }

    fn mined(recipe: &MineRecipe) -> (String, Tally) {
        let mut lines = Vec::new();
        let tally = mine(recipe, &mut |epd, _| lines.push(epd.to_string())).unwrap();
        (lines.join("\n"), tally)
    }

    fn of_side(problems: &[Problem], side: Side) -> usize {
        problems.iter().filter(|problem| problem.position.turn() == side).count()
    }

    #[test]
    fn mates_are_mined_the_same_on_any_number_of_threads() {
        let (text, tally) = mined(&recipe(Kind::MateInTwo, 6, 1));
        assert_eq!(text, mined(&recipe(Kind::MateInTwo, 6, 3)).0);
        let problems = read(&text).unwrap();
        assert_eq!((problems.len(), tally.taken), (6, 6));
        assert_eq!(of_side(&problems, Side::First), 3);
        for problem in &problems {
            assert_eq!(problem.task, Task::Mate(2));
            assert_eq!(problem.solutions().len(), 1);
            assert!(!forced::is_won(&problem.position, 1));
        }
    }

    #[test]
    fn tactics_are_what_they_should_be() {
        let (text, tally) = mined(&recipe(Kind::Tactics, 2, 2));
        assert!(tally.judged >= tally.proved && tally.proved >= tally.taken, "{tally:?}");
        let problems = read(&text).unwrap();
        assert_eq!((problems.len(), of_side(&problems, Side::Second)), (2, 1));
        for problem in &problems {
            let mut glance = Judge::new("greedy", 3).unwrap();
            let mut judge = Judge::new("minimax:depth=3", 3).unwrap();
            let best = judge.ask(&problem.position).unwrap();
            let (_, second) = judge.second(&problem.position, &best).unwrap().unwrap();
            assert_eq!(problem.solutions(), [best.best]);
            assert!(best.score.0 >= WON && second.0 <= NOT_WON);
            assert_ne!(glance.ask(&problem.position).unwrap().best, best.best);
        }
    }

    #[test]
    fn scores_decide_what_is_a_problem() {
        let wins = |best, second: Option<i32>| wins_alone(Score(best), second.map(Score));
        assert!(wins(WON, None) && wins(WON, Some(WON - GAP)) && wins(400, Some(NOT_WON)));
        assert!(!wins(WON - 1, None) && !wins(WON, Some(WON - GAP + 1)));
        assert!(!wins(30_000, Some(NOT_WON + 1)));
    }

    #[test]
    fn players_that_are_none_are_errors() {
        for kind in [Kind::MateInTwo, Kind::Tactics] {
            let players = vec!["nobody".to_owned()];
            let bad = MineRecipe { players, ..recipe(kind, 2, 2) };
            assert!(matches!(mine(&bad, &mut |_, _| {}), Err(PlayerError::Input(_))));
        }
        let none = MineRecipe { players: Vec::new(), ..recipe(Kind::MateInTwo, 2, 1) };
        assert!(matches!(mine(&none, &mut |_, _| {}), Err(PlayerError::Input(_))));
    }
}
