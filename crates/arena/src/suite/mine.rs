//! Mining: finds chess problems in games and proves them.
//!
//! Quick games from random openings are full of missed chances. A tactical problem is a position in
//! which a shallow search misses the only winning move, as proved by a deep search; a mate problem has
//! a single key, proved by exhaustive search.
//!
//! The problems of game `n` are a function of the options and `n` alone (as long as the players are
//! limited by depth or nodes), and games are taken in order: the suite is the same with any number of
//! threads.

use super::{
    analyst::{Analyst, Assessment},
    epd_of, forced, legal_moves,
};
use ludus_core::{
    Action, HasEval, History, Limits, Notation, Options, Player, PlayerError, Position, Random,
    Score, SearchControl, TextError,
};
use ludus_formats::epd::Epd;
use ludus_games::chess::{Chess, Move};
use ludus_knowledge::chess::ChessKnowledge;
use ludus_players::{Resources, build_player};
use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// Kind of problem.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// Positions with one winning move that a shallow search misses.
    Tactics,
    /// Positions with one move that forces mate in two.
    MateInTwo,
}

/// Options of mining.
#[derive(Clone, Debug)]
pub struct MiningOptions {
    /// Kind of problem.
    pub kind: ProblemKind,
    /// Number of problems, half of them for each side to move.
    pub count: usize,
    /// Players of the games, in all pairings in turn.
    pub players: Vec<String>,
    /// Random plies at the start.
    pub plies: usize,
    /// Percentage of random moves. If not 0, only positions after random moves are examined, as most
    /// chances come from blunders.
    pub blunders: u8,
    /// Player of the shallow search, which must miss the move.
    pub glance: String,
    /// Players that must find it before the judge is asked; cheap ones first.
    pub scouts: Vec<String>,
    /// Player of the deep search that proves it.
    pub judge: String,
    /// Random seed.
    pub seed: u64,
    /// Games played in parallel.
    pub threads: usize,
}

/// Statistics of mining.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MiningStats {
    /// Games played and examined.
    pub games: usize,
    /// Positions examined.
    pub positions: usize,
    /// Positions analysed by the judge.
    pub judged: usize,
    /// Problems proved.
    pub proved: usize,
    /// Problems taken: new, and with a side to move still needed.
    pub taken: usize,
}

/// Minimum score of a tactical problem's move.
const MIN_WINNING_SCORE: i32 = 200;
/// Maximum score of every other move.
const MAX_ALTERNATIVE_SCORE: i32 = 100;
/// Minimum difference between the two.
const MIN_SCORE_GAP: i32 = 200;
/// Positions whose shallow score is at least this, for either side, are already decided.
const MAX_QUICK_SCORE: i32 = 500;
/// Minimum number of legal moves in a problem.
const MIN_LEGAL_MOVES: usize = 5;
/// Minimum number of pieces in a mate problem, to exclude late endgames.
const MIN_PIECES: usize = 8;
/// Minimum distance in plies of problems of one game, so that no two share a combination.
const MIN_PLIES_APART: usize = 10;
/// Maximum length of a game.
const MAX_GAME_PLIES: usize = 160;
/// Consecutive games without a taken problem after which mining fails.
const MAX_GAMES_WITHOUT_PROBLEM: usize = 2000;

/// A problem found, without its name.
struct FoundProblem {
    position: Chess,
    epd: Epd,
}

/// Problems and statistics of one game.
#[derive(Default)]
struct GameYield {
    problems: Vec<FoundProblem>,
    positions: usize,
    judged: usize,
}

type NumberedYield = (usize, Result<GameYield, PlayerError>);

/// Mines until there are enough problems. Calls `on_problem` for each as it is taken, in order.
pub fn mine(
    recipe: &MiningOptions,
    on_problem: &mut dyn FnMut(&Epd, &MiningStats),
) -> Result<MiningStats, PlayerError> {
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

fn work(
    recipe: &MiningOptions,
    next: &AtomicUsize,
    halt: &AtomicBool,
    sender: &Sender<NumberedYield>,
) {
    let mut miner = match Miner::new(recipe) {
        Ok(miner) => miner,
        Err(error) => {
            // The collector goes game by game and always waits for the next number.
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
    recipe: &MiningOptions,
    receiver: &Receiver<NumberedYield>,
    on_problem: &mut dyn FnMut(&Epd, &MiningStats),
) -> Result<MiningStats, PlayerError> {
    let mut stats = MiningStats::default();
    let (mut waiting, mut seen, mut sides) = (BTreeMap::new(), HashSet::new(), [0, 0]);
    let mut last_taken = 0;
    while stats.taken < recipe.count {
        while let Some(game) = waiting.remove(&stats.games) {
            let game: GameYield = game;
            stats.games += 1;
            stats.positions += game.positions;
            stats.judged += game.judged;
            stats.proved += game.problems.len();
            for FoundProblem { position, epd } in game.problems {
                let side = &mut sides[position.turn().index()];
                let wanted = *side < recipe.count.div_ceil(2) && stats.taken < recipe.count;
                if !wanted || !seen.insert(position.key()) {
                    continue;
                }
                *side += 1;
                stats.taken += 1;
                last_taken = stats.games;
                on_problem(&epd.with("id", &[&name(recipe.kind, stats.taken)]), &stats);
            }
        }
        if stats.games - last_taken > MAX_GAMES_WITHOUT_PROBLEM {
            let message = format!("no further problem in {MAX_GAMES_WITHOUT_PROBLEM} games");
            return Err(PlayerError::failed(message));
        }
        if stats.taken < recipe.count {
            let Ok((number, game)) = receiver.recv() else {
                return Err(PlayerError::failed("the players of the games stopped"));
            };
            waiting.insert(number, game?);
        }
    }
    Ok(stats)
}

fn name(kind: ProblemKind, number: usize) -> String {
    match kind {
        ProblemKind::Tactics => format!("ludus tactics {number:03}"),
        ProblemKind::MateInTwo => format!("ludus mate in two {number:03}"),
    }
}

/// Plays games and examines them.
struct Miner<'a> {
    recipe: &'a MiningOptions,
    players: Vec<Box<dyn Player<Chess>>>,
    /// Only for tactics.
    panel: Option<AnalystPanel>,
}

/// The players that analyse a position, in this order.
struct AnalystPanel {
    glance: Analyst,
    scouts: Vec<Analyst>,
    judge: Analyst,
}

impl<'a> Miner<'a> {
    fn new(recipe: &'a MiningOptions) -> Result<Miner<'a>, PlayerError> {
        let resources = Resources { seed: recipe.seed, ..Resources::default() };
        let judge = |spec: &String| Analyst::new(spec, recipe.seed);
        let panel = match recipe.kind {
            ProblemKind::MateInTwo => None,
            ProblemKind::Tactics => Some(AnalystPanel {
                glance: judge(&recipe.glance)?,
                scouts: recipe.scouts.iter().map(judge).collect::<Result<_, _>>()?,
                judge: judge(&recipe.judge)?,
            }),
        };
        let players = recipe.players.iter().map(|player| build_player(player, &resources));
        Ok(Miner { recipe, players: players.collect::<Result<_, _>>()?, panel })
    }

    /// Plays game `number` and returns its problems.
    fn mine(&mut self, number: usize) -> Result<GameYield, PlayerError> {
        let (game, blunders) = self.play(number)?;
        if let Some(panel) = &mut self.panel {
            panel.start_game();
        }
        let mut found = GameYield::default();
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
            ply += if find.is_some() { MIN_PLIES_APART } else { 1 };
            found.problems.extend(find);
            // Only the first mate of a game: later ones follow from it.
            if self.recipe.kind == ProblemKind::MateInTwo && !found.problems.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    /// Plays game `number`; also returns the plies after which random moves had been made.
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
        while game.moves().len() < MAX_GAME_PLIES && Chess::ending(&game).is_none() {
            if random.below(100) < self.recipe.blunders.into() {
                let Some(mv) = random.pick(&legal_moves(game.last())) else { break };
                game.push(mv);
                blunders.push(game.moves().len());
                continue;
            }
            let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
            let player = &mut self.players[seats[game.last().turn().index()]];
            match player.choose(&game, &Limits::default(), &mut control)?.action {
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

impl AnalystPanel {
    /// Clears the players before a game. Within a game they keep their hash tables: clearing these for
    /// every position took longer than the searches.
    fn start_game(&mut self) {
        self.glance.clear();
        self.scouts.iter_mut().for_each(Analyst::clear);
    }

    /// Examines the last of `positions`, reached by the move `last`; returns its problem, if any.
    fn find(
        &mut self,
        positions: &[Chess],
        last: Move,
        judged: &mut usize,
    ) -> Result<Option<FoundProblem>, PlayerError> {
        let [.., before, position] = positions else { return Ok(None) };
        let position = &without_history(position)?;
        if legal_moves(position).len() < MIN_LEGAL_MOVES {
            return Ok(None);
        }
        let glance = self.glance.analyse(position)?;
        if glance.score.0.abs() >= MAX_QUICK_SCORE {
            return Ok(None);
        }
        let exchange = ChessKnowledge::material(before) != ChessKnowledge::material(position);
        let hidden = |assessment: &Assessment| {
            assessment.best != glance.best && !(exchange && assessment.best.to == last.to)
        };
        for scout in &mut self.scouts {
            let assessment = scout.analyse(position)?;
            if !hidden(&assessment) || !is_only_win(assessment.score, assessment.reported_second())
            {
                return Ok(None);
            }
        }
        *judged += 1;
        self.judge.clear(); // the proof must not depend on earlier searches
        let assessment = self.judge.analyse(position)?;
        if !hidden(&assessment) || !is_only_win(assessment.score, assessment.reported_second()) {
            return Ok(None);
        }
        let second = self.judge.second(position, &assessment)?;
        let Some((next, next_score)) =
            second.filter(|next| is_only_win(assessment.score, Some(next.1)))
        else {
            return Ok(None);
        };
        let comment = format!(
            "{} {}, next {} {}",
            position.record_text(assessment.best),
            assessment.score,
            position.record_text(next),
            next_score
        );
        let judge = format!(
            "{} to depth {}, seen from depth {} on",
            self.judge.name(),
            assessment.depth,
            assessment.stable_from_depth
        );
        let epd = epd_of(position).with("bm", &[&position.record_text(assessment.best)]);
        let epd = epd.with("c0", &[&comment]).with("c1", &[&judge]);
        Ok(Some(FoundProblem { position: position.clone(), epd }))
    }
}

/// Whether the best move wins and the second-best, if known, does not.
fn is_only_win(best: Score, second: Option<Score>) -> bool {
    let far_ahead =
        |second: Score| second.0 <= MAX_ALTERNATIVE_SCORE && best.0 - second.0 >= MIN_SCORE_GAP;
    best.0 >= MIN_WINNING_SCORE && second.is_none_or(far_ahead)
}

/// The mate problem of a position: mate in two by a single key, and no mate in one.
fn find_mate(position: &Chess) -> Option<FoundProblem> {
    let fen = position.text();
    let pieces = fen.split(' ').next()?.chars().filter(char::is_ascii_alphabetic).count();
    if pieces < MIN_PIECES || legal_moves(position).len() < MIN_LEGAL_MOVES {
        return None;
    }
    let position = without_history(position).ok()?;
    let [key] = forced::winning_moves(&position, 3)[..] else { return None };
    if forced::is_won(&position, 1) {
        return None;
    }
    let epd = epd_of(&position).with("bm", &[&position.record_text(key)]).with("dm", &["2"]);
    let epd = epd.with("c0", &["proved by trying every line"]);
    Some(FoundProblem { position, epd })
}

/// The position as in EPD, without move counters.
fn without_history(position: &Chess) -> Result<Chess, TextError> {
    Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), &epd_of(position).position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Goal, SuiteProblem, read};
    use ludus_core::Side;

    /// In-process players and a judge that sees three plies.
    fn recipe(kind: ProblemKind, count: usize, threads: usize) -> MiningOptions {
        MiningOptions {
            kind,
            count,
            players: vec!["greedy".to_owned(), "random".to_owned()],
            plies: 6,
            blunders: if kind == ProblemKind::Tactics { 30 } else { 0 },
            glance: "greedy".to_owned(),
            scouts: vec!["alphabeta:depth=3".to_owned()],
            judge: "minimax:depth=3".to_owned(),
            seed: 3,
            threads,
        }
    }

    fn mined(recipe: &MiningOptions) -> (String, MiningStats) {
        let mut lines = Vec::new();
        let stats = mine(recipe, &mut |epd, _| lines.push(epd.to_string())).unwrap();
        (lines.join("\n"), stats)
    }

    fn of_side(problems: &[SuiteProblem], side: Side) -> usize {
        problems.iter().filter(|problem| problem.position.turn() == side).count()
    }

    #[test]
    fn mates_are_mined_the_same_on_any_number_of_threads() {
        let (text, stats) = mined(&recipe(ProblemKind::MateInTwo, 6, 1));
        assert_eq!(text, mined(&recipe(ProblemKind::MateInTwo, 6, 3)).0);
        let problems = read(&text).unwrap();
        assert_eq!((problems.len(), stats.taken), (6, 6));
        assert_eq!(of_side(&problems, Side::First), 3);
        for problem in &problems {
            assert_eq!(problem.goal, Goal::Mate(2));
            assert_eq!(problem.solutions().len(), 1);
            assert!(!forced::is_won(&problem.position, 1));
        }
    }

    #[test]
    fn tactics_are_what_they_should_be() {
        let (text, stats) = mined(&recipe(ProblemKind::Tactics, 2, 2));
        assert!(stats.judged >= stats.proved && stats.proved >= stats.taken, "{stats:?}");
        let problems = read(&text).unwrap();
        assert_eq!((problems.len(), of_side(&problems, Side::Second)), (2, 1));
        for problem in &problems {
            let mut glance = Analyst::new("greedy", 3).unwrap();
            let mut judge = Analyst::new("minimax:depth=3", 3).unwrap();
            let best = judge.analyse(&problem.position).unwrap();
            let (_, second) = judge.second(&problem.position, &best).unwrap().unwrap();
            assert_eq!(problem.solutions(), [best.best]);
            assert!(best.score.0 >= MIN_WINNING_SCORE && second.0 <= MAX_ALTERNATIVE_SCORE);
            assert_ne!(glance.analyse(&problem.position).unwrap().best, best.best);
        }
    }

    #[test]
    fn scores_decide_what_is_a_problem() {
        let wins = |best, second: Option<i32>| is_only_win(Score(best), second.map(Score));
        assert!(
            wins(MIN_WINNING_SCORE, None)
                && wins(MIN_WINNING_SCORE, Some(MIN_WINNING_SCORE - MIN_SCORE_GAP))
                && wins(400, Some(MAX_ALTERNATIVE_SCORE))
        );
        assert!(
            !wins(MIN_WINNING_SCORE - 1, None)
                && !wins(MIN_WINNING_SCORE, Some(MIN_WINNING_SCORE - MIN_SCORE_GAP + 1))
        );
        assert!(!wins(30_000, Some(MAX_ALTERNATIVE_SCORE + 1)));
    }

    #[test]
    fn players_that_are_none_are_errors() {
        for kind in [ProblemKind::MateInTwo, ProblemKind::Tactics] {
            let players = vec!["unknown".to_owned()];
            let bad = MiningOptions { players, ..recipe(kind, 2, 2) };
            assert!(matches!(mine(&bad, &mut |_, _| {}), Err(PlayerError::Input(_))));
        }
        let none = MiningOptions { players: Vec::new(), ..recipe(ProblemKind::MateInTwo, 2, 1) };
        assert!(matches!(mine(&none, &mut |_, _| {}), Err(PlayerError::Input(_))));
    }
}
