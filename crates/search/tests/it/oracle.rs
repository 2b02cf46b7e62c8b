//! Searches with endgame databases: their moves, their scores, and their limits.

use ludus_core::{
    HasEval, History, Limits, Notation, Options, Outcome, Position, Random, Report, Score,
    SearchControl,
    endgame_index::{EndgameIndex, EndgameSlot},
};
use ludus_games::draughts::{Draughts, DraughtsMove};
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_search::{
    Search,
    alphabeta::{
        EndgameOracle, Pruning, ReplacementScheme, SearchSettings, Searcher, TranspositionTable,
    },
    tables::{
        EndgameDatabase, EndgameValue, ProbeResult,
        endgame::{build, unstoppable},
    },
};
use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicBool, Ordering::Relaxed},
};

const PIECES: usize = 3;

/// Mapped files stay readable when their folder is gone.
static DATABASE: LazyLock<Arc<EndgameDatabase<DraughtsKnowledge>>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    build::<DraughtsKnowledge>(folder.path(), PIECES, &unstoppable(2), |_| {}).unwrap();
    Arc::new(EndgameDatabase::open(folder.path(), PIECES).unwrap())
});

/// The same tables as if they knew no distances.
struct WithoutDistances;

impl EndgameOracle<Draughts> for WithoutDistances {
    fn max_size(&self) -> usize {
        DATABASE.max_size()
    }

    fn size(&self, position: &Draughts) -> usize {
        DATABASE.size(position)
    }

    fn probe(&self, position: &Draughts) -> Option<ProbeResult> {
        DATABASE.probe(position).map(|known| ProbeResult { distance: None, ..known })
    }
}

type Hand = <DraughtsKnowledge as HasEval<Draughts>>::Handcrafted;

struct Player(Searcher<Draughts, Hand, DraughtsKnowledge>);

impl Player {
    fn strong(oracle: Option<Arc<dyn EndgameOracle<Draughts>>>) -> Player {
        let pruning = Pruning { null_move: false, ..Pruning::ALL };
        let settings = SearchSettings { pruning, ..SearchSettings::STRONG };
        let table = TranspositionTable::new(1 << 20, ReplacementScheme::Aged);
        let searcher = Searcher::new(
            settings,
            Some(table),
            &DraughtsKnowledge::handcrafted(),
            DraughtsKnowledge,
            1,
        );
        Player(searcher.with_oracle(oracle))
    }

    fn textbook(oracle: Option<Arc<dyn EndgameOracle<Draughts>>>) -> Player {
        let searcher = Searcher::new(
            SearchSettings::ALPHA_BETA,
            None,
            &DraughtsKnowledge::handcrafted(),
            DraughtsKnowledge,
            1,
        );
        Player(searcher.with_oracle(oracle))
    }

    fn search(&mut self, game: &History<Draughts>, limits: &Limits) -> Report<DraughtsMove> {
        let stop = AtomicBool::new(false);
        self.0.search(game, limits, &mut SearchControl { stop: &stop, on_report: &mut |_| {} })
    }

    fn nodes(&mut self, game: &History<Draughts>, nodes: u64) -> Report<DraughtsMove> {
        self.search(game, &Limits { nodes: Some(nodes), ..Limits::default() })
    }

    fn depth(&mut self, position: Draughts, depth: u32) -> Report<DraughtsMove> {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        self.search(&History::new(position), &limits)
    }
}

fn with_tables() -> Option<Arc<dyn EndgameOracle<Draughts>>> {
    Some(Arc::clone(&DATABASE) as Arc<dyn EndgameOracle<Draughts>>)
}

fn without_distances() -> Option<Arc<dyn EndgameOracle<Draughts>>> {
    Some(Arc::new(WithoutDistances))
}

fn slice(name: &str) -> usize {
    let named = |slice: &usize| DraughtsKnowledge::slice_name(*slice) == name;
    (2..=5).flat_map(DraughtsKnowledge::groups).flatten().find(named).unwrap()
}

fn positions_of(name: &str) -> Vec<Draughts> {
    let (slice, mut all) = (slice(name), Vec::new());
    DraughtsKnowledge::for_each_position(
        slice,
        0..DraughtsKnowledge::slice_size(slice),
        |_, position| {
            all.push(*position);
        },
    );
    all
}

fn any_of(random: &mut Random, name: &str) -> Draughts {
    let slice = slice(name);
    loop {
        let index = random.below(DraughtsKnowledge::slice_size(slice) as usize) as u64;
        if let Some(position) = DraughtsKnowledge::position_at(EndgameSlot { slice, index })
            && position.outcome().is_none()
        {
            return position;
        }
    }
}

fn known(position: &Draughts) -> ProbeResult {
    DATABASE.probe(position).unwrap()
}

fn after_each(position: &Draughts) -> Vec<(DraughtsMove, Draughts)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(|mv| (mv, position.after(mv))).collect()
}

/// The longest defence.
fn defend(position: &Draughts) -> DraughtsMove {
    let defences = after_each(position).into_iter();
    defences.max_by_key(|(_, next)| known(next).distance).unwrap().0
}

/// Plays on with `first` for the side to move and `second` for the other.
fn play_out(
    start: Draughts,
    mut first: impl FnMut(&History<Draughts>) -> DraughtsMove,
    mut second: impl FnMut(&History<Draughts>) -> DraughtsMove,
) -> (Outcome, usize) {
    let mut game = History::new(start);
    loop {
        if let Some((outcome, _)) = Draughts::ending(&game) {
            return (outcome, game.moves().len());
        }
        let mv = if game.last().turn() == start.turn() { first(&game) } else { second(&game) };
        game.push(mv);
    }
}

#[test]
fn every_won_ending_of_two_kings_against_one_is_won() {
    // A move that leads one ply nearer to the end from every won position wins them all, whatever
    // the other side does: it cannot make the way longer.
    let mut player = Player::strong(with_tables());
    let (mut won, mut longest) = (0, 0);
    for position in positions_of("0m2k-0m1k") {
        let ProbeResult { value: EndgameValue::Win, distance: Some(plies) } = known(&position)
        else {
            continue;
        };
        let report = player.nodes(&History::new(position), 10_000);
        let next = position.after(report.line[0]);
        assert_eq!(known(&next).value, EndgameValue::Loss, "{position:?}");
        assert_eq!(known(&next).distance, Some(plies - 1), "{position:?}");
        assert_eq!(report.score, Some(Score(Score::WIN.0 - i32::from(plies))));
        (won, longest) = (won + 1, longest.max(plies));
    }
    for position in positions_of("0m1k-0m2k") {
        let ProbeResult { value: EndgameValue::Loss, distance: Some(plies) } = known(&position)
        else {
            continue;
        };
        for (_, next) in after_each(&position) {
            assert!(known(&next).value == EndgameValue::Win && known(&next).distance < Some(plies));
        }
        (won, longest) = (won + 1, longest.max(plies));
    }
    assert!(won > 20_000, "{won}");
    assert!((20..80).contains(&longest), "the draw rule leaves 80 plies, not {longest}");
}

#[test]
fn won_endings_are_played_to_their_end() {
    let mut random = Random::new(1);
    let mut player = Player::strong(with_tables());
    let mut games = 0;
    while games < 100 {
        let name = ["0m2k-0m1k", "1m1k-0m1k", "2m0k-0m1k"][games % 3];
        let start = any_of(&mut random, name);
        let ProbeResult { value: EndgameValue::Win, distance: Some(plies) } = known(&start) else {
            continue;
        };
        let (outcome, played) =
            play_out(start, |game| player.nodes(game, 1_000).line[0], |game| defend(game.last()));
        assert_eq!((outcome, played), (Outcome::Win(start.turn()), plies.into()), "{start:?}");
        games += 1;
    }
}

#[test]
fn a_lost_ending_is_defended_longest() {
    let mut player = Player::strong(with_tables());
    for position in positions_of("0m1k-0m2k").into_iter().step_by(7) {
        let ProbeResult { value: EndgameValue::Loss, distance: Some(plies) } = known(&position)
        else {
            continue;
        };
        if plies > 0 {
            let mv = player.nodes(&History::new(position), 1_000).line[0];
            assert_eq!(known(&position.after(mv)).distance, Some(plies - 1), "{position:?}");
        }
    }
}

#[test]
fn a_win_within_the_search_needs_no_distance() {
    let mut player = Player::strong(without_distances());
    let won = |position: &Draughts| {
        matches!(known(position), ProbeResult { value: EndgameValue::Win, distance: Some(5..=9) })
    };
    for start in positions_of("0m2k-0m1k").into_iter().filter(won).step_by(97) {
        let (outcome, _) =
            play_out(start, |game| player.nodes(game, 10_000).line[0], |game| defend(game.last()));
        assert_eq!(outcome, Outcome::Win(start.turn()), "{start:?}");
    }
}

#[test]
fn larger_endings_are_won_by_way_of_known_ones() {
    let mut random = Random::new(3);
    for _ in 0..12 {
        let (mut player, mut other) = (Player::strong(with_tables()), Player::strong(None));
        let start = any_of(&mut random, "0m3k-0m1k");
        let (outcome, _) = play_out(
            start,
            |game| player.nodes(game, 10_000).line[0],
            |game| other.nodes(game, 10_000).line[0],
        );
        assert_eq!(outcome, Outcome::Win(start.turn()), "{start:?}");
    }
}

#[test]
fn larger_endings_come_down_to_won_ones_without_distances() {
    let mut random = Random::new(4);
    for _ in 0..12 {
        let (mut player, mut other) = (Player::strong(without_distances()), Player::strong(None));
        let start = any_of(&mut random, "0m3k-0m1k");
        let mut game = History::new(start);
        while DraughtsKnowledge::pieces(game.last()) > PIECES && Draughts::ending(&game).is_none() {
            let mover = if game.last().turn() == start.turn() { &mut player } else { &mut other };
            let mv = mover.nodes(&game, 10_000).line[0];
            game.push(mv);
        }
        let kept =
            if game.last().turn() == start.turn() { EndgameValue::Win } else { EndgameValue::Loss };
        let reached = DATABASE.probe(game.last()).map(|known| known.value);
        assert_eq!(reached, Some(kept), "{start:?} {:?}", game.last());
    }
}

#[test]
fn moves_at_the_root_keep_what_it_is_worth() {
    let mut random = Random::new(5);
    for oracle in [with_tables(), without_distances()] {
        let mut player = Player::strong(oracle);
        let mut tempted = 0;
        while tempted < 200 {
            let name = ["1m1k-0m1k", "1m0k-1m0k", "0m1k-1m1k"][tempted % 3];
            let position = any_of(&mut random, name);
            let value = known(&position).value;
            let keeps = |next: &Draughts| known(next).value == value.flipped();
            if after_each(&position).iter().all(|(_, next)| keeps(next)) {
                continue;
            }
            // One node is not enough to search anything: the tables must do.
            for nodes in [1, 300] {
                let mv = player.nodes(&History::new(position), nodes).line[0];
                assert!(keeps(&position.after(mv)), "{position:?} with {nodes} nodes");
            }
            tempted += 1;
        }
    }
}

#[test]
fn scores_are_those_of_a_plain_search_that_sees_the_end() {
    let mut random = Random::new(7);
    let (mut plain, mut asking) = (Player::textbook(None), Player::textbook(with_tables()));
    let (mut proven, mut farther) = (0, 0);
    while proven < 60 {
        let name = ["0m2k-0m1k", "1m1k-1m1k", "0m2k-1m1k", "2m1k-1m0k"][proven % 4];
        let position = any_of(&mut random, name);
        let depth = 7;
        let [plain, asking] =
            [&mut plain, &mut asking].map(|it| it.depth(position, depth).score.unwrap());
        if plain.win_in().is_some() {
            assert_eq!(asking, plain, "{position:?}");
            proven += 1;
        } else {
            farther += usize::from(asking.win_in().is_some());
        }
    }
    assert!(farther > 20, "the tables should see farther: {farther}");
}

#[test]
fn a_win_of_unknown_length_ranks_between_material_and_proof() {
    let mut random = Random::new(9);
    let (mut asking, mut measuring) =
        (Player::textbook(without_distances()), Player::textbook(with_tables()));
    let mut known_only = 0;
    for _ in 0..300 {
        let position = any_of(&mut random, "0m2k-0m2k");
        let [asking, measuring] =
            [&mut asking, &mut measuring].map(|it| it.depth(position, 4).score.unwrap());
        let is_known = asking.win_in().is_none() && asking.0.abs() > 10_000;
        if measuring.win_in().is_some() {
            assert!(is_known || asking.win_in().is_some(), "{asking} where {measuring}");
            assert_eq!(asking.0.signum(), measuring.0.signum(), "{position:?}");
        }
        known_only += i32::from(is_known);
    }
    assert!(known_only > 50, "{known_only}");
}

/// Records whether it was probed.
struct Remembering(AtomicBool);

impl EndgameOracle<Draughts> for Remembering {
    fn max_size(&self) -> usize {
        PIECES
    }

    fn size(&self, position: &Draughts) -> usize {
        DATABASE.size(position)
    }

    fn probe(&self, position: &Draughts) -> Option<ProbeResult> {
        assert!(DraughtsKnowledge::pieces(position) <= PIECES);
        self.0.store(true, Relaxed);
        DATABASE.probe(position)
    }
}

#[test]
fn a_game_far_from_its_end_is_searched_as_ever() {
    let options = Options::parse("draughts", Draughts::OPTIONS).unwrap();
    let start = Draughts::start(&options).unwrap();
    let asked = Arc::new(Remembering(AtomicBool::new(false)));
    let oracle = Arc::clone(&asked) as Arc<dyn EndgameOracle<Draughts>>;
    let with = Player::strong(Some(oracle)).depth(start, 9);
    let without = Player::strong(None).depth(start, 9);
    assert_eq!((with.nodes, with.score), (without.nodes, without.score));
    assert!(!asked.0.load(Relaxed));
}

#[test]
fn other_rules_have_no_tables() {
    for (rules, text) in [
        ("russian", "W:WKc3:BKh8,Kf8"),
        ("italian", "W:WK22:BK4,K3"),
        ("spanish", "W:WK22:BK4,K3"),
        ("czech", "W:WKc3:BKh8,Kf8"),
        ("pool", "W:WK22:BK4,K3"),
    ] {
        let spec = format!("draughts:rules={rules}");
        let options = Options::parse(&spec, Draughts::OPTIONS).unwrap();
        let position = Draughts::parse(&options, text).unwrap();
        assert_eq!(DATABASE.probe(&position), None, "{rules}");
        assert!(DATABASE.size(&position) > DATABASE.max_size(), "{rules}");
        let with = Player::strong(with_tables()).depth(position, 8);
        let without = Player::strong(None).depth(position, 8);
        assert_eq!((with.nodes, with.score), (without.nodes, without.score), "{rules}");
    }
}
