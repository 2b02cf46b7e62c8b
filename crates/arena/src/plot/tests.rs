use super::*;
use crate::elo::{Estimate, Pentanomial, ScoreSample, Wdl};
use crate::rating::{Pairing, RatingOptions, rate};
use crate::table::columns::{ColumnValue, GridColumn};
use ludus_core::Random;

/// Variable that names a folder for the example charts.
const FOLDER: &str = "LUDUS_PLOT_EXAMPLES";

/// Checks that elements are closed in order, and that no external resource is loaded.
fn check(name: &str, svg: &str) {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let path = std::path::Path::new(&folder).join(name).with_extension("svg");
        std::fs::write(path, svg).unwrap();
    }
    let mut open: Vec<&str> = Vec::new();
    for (index, _) in svg.match_indices('<') {
        let tag = &svg[index + 1..index + svg[index..].find('>').unwrap()];
        assert!(!tag.contains('<'), "{name}: {tag}");
        let word = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(word), "{name}: {tag}");
        } else if !tag.ends_with('/') {
            open.push(word);
        }
    }
    assert!(open.is_empty(), "{name}: {open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    assert_eq!(svg.matches("http").count(), 1, "{name}: only the name of the language");
    for word in ["<script", "@import", "<image", "href"] {
        assert!(!svg.contains(word), "{name}: {word}");
    }
}

fn names() -> Vec<String> {
    let names = ["Stockfish depth 4", "Stockfish depth 2", "Stockfish depth 1", "minimax:depth=3"];
    names.into_iter().chain(["greedy", "random"]).map(str::to_owned).collect()
}

/// Realistic tournament results: earlier players are stronger.
fn results(games: u64) -> Vec<Vec<Wdl>> {
    let elo: [f64; 6] = [420.0, 260.0, 180.0, 0.0, -330.0, -530.0];
    let mut random = Random::new(1);
    let mut results = vec![vec![Wdl::default(); 6]; 6];
    for first in 0..6 {
        for second in first + 1..6 {
            let score = crate::elo::expected_score(elo[first] - elo[second]);
            let draw = 0.5 * (1.0 - score);
            for _ in 0..games {
                let dice = random.unit();
                let wdl = match dice {
                    dice if dice < score - draw / 2.0 => Wdl::new(1, 0, 0),
                    dice if dice < score + draw / 2.0 => Wdl::new(0, 1, 0),
                    _ => Wdl::new(0, 0, 1),
                };
                results[first][second] += wdl;
                results[second][first] += wdl.mirrored();
            }
        }
    }
    results
}

/// Points and score of every row.
fn columns(results: &[Vec<Wdl>]) -> Vec<GridColumn> {
    let totals: Vec<Wdl> = results.iter().map(|row| row.iter().copied().sum()).collect();
    let texts = |value: fn(Wdl) -> ColumnValue| totals.iter().map(move |&wdl| value(wdl).text());
    vec![
        GridColumn { heading: "Points", values: texts(ColumnValue::Points).collect() },
        GridColumn { heading: "Score", values: texts(ColumnValue::Score).collect() },
    ]
}

#[test]
fn a_cross_table_shows_every_pairing() {
    let (players, results) = (names(), results(20));
    let columns = columns(&results);
    let table = CrossTable {
        title: "Chess round robin",
        players: &players,
        results: &results,
        columns: &columns,
    };
    let svg = cross_table(&table);
    check("cross_table", &svg);
    for (row, column) in [(0, 5), (5, 0), (2, 3)] {
        let Wdl { wins, draws, losses } = results[row][column];
        assert!(svg.contains(&format!(">{wins}-{draws}-{losses}<")));
    }
    assert!(players.iter().all(|name| svg.contains(&format!(">{name}<"))));
}

#[test]
fn a_cross_table_may_be_empty_or_half_played() {
    check(
        "empty_table",
        &cross_table(&CrossTable { title: "", players: &[], results: &[], columns: &[] }),
    );
    let players: Vec<String> = vec![
        "<b>&\"x\"</b>\u{1}".into(),
        "uci:path=/a/very/long/folder/stockfish,depth=1".repeat(2),
    ];
    let results = vec![vec![Wdl::default(), Wdl::new(1234, 56789, 321)]];
    let table = CrossTable {
        title: "Half played & <strange>",
        players: &players,
        results: &results,
        columns: &columns(&results),
    };
    let svg = cross_table(&table);
    check("half_played", &svg);
    assert!(svg.contains("&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;\u{fffd}"));
    assert!(svg.contains("1234-56789-321") && svg.contains('…'));
}

#[test]
fn ratings_are_drawn_with_their_bars() {
    let results = results(20);
    let mut pairings = Vec::new();
    for (first, row) in results.iter().enumerate() {
        for (second, &wdl) in row.iter().enumerate().skip(first + 1) {
            pairings.push(Pairing { first, second, wdl });
        }
    }
    let ratings = rate(6, &pairings, &RatingOptions::default()).unwrap();
    let bars: Vec<RatingBar> = names()
        .into_iter()
        .zip(&ratings.players)
        .map(|(name, rating)| RatingBar { name, elo: rating.elo, games: rating.wdl.games() })
        .collect();
    let svg = rating_chart(&RatingChart { title: "Ratings of the round robin", bars: &bars });
    check("ratings", &svg);
    assert_eq!(svg.matches("<circle").count(), 6);
    assert!(svg.find("Stockfish depth 4").unwrap() < svg.find(">random<").unwrap());
    check("no_ratings", &rating_chart(&RatingChart { title: "Nobody", bars: &[] }));
}

#[test]
fn open_ends_are_arrows_and_missing_ratings_have_no_mark() {
    let estimate = |value, low, high| Estimate { value, low, high };
    let bar = |name: &str, elo, games| RatingBar { name: name.to_owned(), elo, games };
    let bars = [
        bar("only won", estimate(None, Some(120.0), None), 9),
        bar("even", estimate(Some(3.0), Some(-40.0), Some(46.0)), 210),
        bar("no games", Estimate::default(), 0),
        bar("only lost", estimate(None, None, Some(-90.0)), 1),
    ];
    let svg = rating_chart(&RatingChart { title: "Open ends", bars: &bars });
    check("open_ends", &svg);
    assert_eq!(svg.matches("<circle").count(), 1);
    assert!(svg.contains("&gt; +120.0") && svg.contains("1 game<"));
}

/// The Elo of a growing match, after every pair.
fn match_series(name: &str, seed: u64, win: f64, pairs: u64) -> Series {
    let mut random = Random::new(seed);
    let mut sum = Pentanomial::default();
    let samples = (1..=pairs).map(move |count| {
        let mut half_points = || {
            let dice = random.unit();
            if dice < win { 2 } else { u8::from(dice < win + 0.4) }
        };
        sum.record(half_points(), half_points());
        (2.0 * count as f64, ScoreSample::from(sum))
    });
    Series::elo(name, samples)
}

fn elo_chart<'a>(title: &'a str, series: &'a [Series]) -> LineChart<'a> {
    let unit = Unit::Number;
    LineChart { title, x_label: "Games", y_label: "Elo", unit, reference: Some(0.0), series }
}

#[test]
fn elo_over_games_has_a_band() {
    let series = [match_series("minimax:depth=3 against greedy", 5, 0.37, 2000)];
    let svg = line_chart(&elo_chart("Elo difference over 4,000 games", &series));
    check("elo_over_games", &svg);
    assert_eq!((svg.matches("<polygon").count(), svg.matches("<polyline").count()), (1, 1));
    assert!(svg.len() < 60_000, "thinned out: {}", svg.len());
}

#[test]
fn scores_of_many_players_have_a_legend() {
    let players = names();
    let series: Vec<Series> = players
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let mut random = Random::new(index as u64);
            let mut wdl = Wdl::default();
            let share = 0.9 - 0.15 * index as f64;
            let samples: Vec<(f64, ScoreSample)> = (1..=100)
                .map(|game| {
                    let won = u64::from(random.unit() < share);
                    wdl += Wdl::new(won, 0, 1 - won);
                    (f64::from(game), ScoreSample::from(wdl))
                })
                .collect();
            Series::score(name, samples)
        })
        .collect();
    let svg = line_chart(&LineChart {
        title: "Score over the tournament",
        x_label: "Games of each player",
        y_label: "Score",
        unit: Unit::Percent,
        reference: Some(0.5),
        series: &series,
    });
    check("score_over_games", &svg);
    assert!(players.iter().all(|name| svg.contains(&format!(">{name}<"))));
    assert!(svg.contains(">100 %<") && svg.contains(">Games of each player<"));
}

#[test]
fn lines_survive_gaps_single_points_and_nothing() {
    check("no_lines", &line_chart(&elo_chart("Nothing yet", &[])));
    let value = |value| Estimate { value: Some(value), ..Estimate::default() };
    let points = vec![
        (1.0, value(3.0)),
        (2.0, Estimate::default()),
        (3.0, value(f64::INFINITY)),
        (4.0, value(2.0)),
        (f64::NAN, value(1.0)),
    ];
    let gaps = Series { name: "gaps".to_owned(), points, band: true };
    let empty = Series { name: "empty".to_owned(), points: Vec::new(), band: true };
    let svg = line_chart(&elo_chart("Gaps", &[gaps, empty]));
    check("gaps", &svg);
    assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (2, 0));
    // Ten wins and nothing else: no value, but a band that is open above.
    let won = (1..=10).map(|games| (games as f64, ScoreSample::from(Wdl::new(games, 0, 0))));
    let won = [Series::elo("all won", won)];
    let svg = line_chart(&elo_chart("All won", &won));
    check("all_won", &svg);
    assert_eq!((svg.matches("<polygon").count(), svg.matches("<polyline").count()), (1, 0));
}

#[test]
fn boards_stand_in_rows_and_survive_odd_words() {
    use ludus_core::{BoardView, Grid, Piece, PieceKind, Side};
    let mut board = BoardView::lettered(Grid::Checkered, 8, 8);
    let kinds = [(1, false, PieceKind::Man), (3, true, PieceKind::DraughtsKing)];
    for (cell, light, kind) in kinds {
        board.cells[cell].piece = Some(Piece { side: Side::First, light, kind });
    }
    let card = |index: usize| BoardCard {
        heading: format!("<Cluster & {index}>"),
        amount: "many boards, far more than there is room for".to_owned(),
        share: if index == 0 { f64::NAN } else { index as f64 },
        board: board.clone(),
        notes: vec!["a note".to_owned(); index % 3],
    };
    for count in [0, 1, 7, 25] {
        let cards: Vec<BoardCard> = (0..count).map(card).collect();
        let chart = BoardChart { title: "Boards", subtitle: "some", cards: &cards };
        let svg = board_chart(&chart);
        check("boards", &svg);
        assert_eq!(svg.matches("<circle").count(), 3 * count, "a man, and a king with its crown");
    }
}

#[test]
fn shares_fill_their_bars() {
    let bar =
        |name: &str, counts: &[u64]| ShareBar { name: name.to_owned(), counts: counts.to_vec() };
    let bars =
        [bar("published", &[5, 8, 0, 1]), bar("<here>", &[130, 40, 10, 20]), bar("none", &[])];
    let parts = ["won", "drawn", "loop", "lost"];
    let title = "One v other";
    let svg = share_chart(&ShareChart { title, parts: &parts, bars: &bars, unit: "games" });
    check("shares", &svg);
    for part in [">130<", ">14 games<", ">200 games<", ">loop<", "&lt;here&gt;"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains(">0<"), "nothing has no number");
}
