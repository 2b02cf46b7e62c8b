use crate::common;
use ludus_core::{Notation, Options, Outcome, Position, Random, Side, conformance};
use ludus_games::reversi::{PASS, Reversi};
use proptest::prelude::*;

#[test]
fn conforms() {
    conformance::check::<Reversi>("reversi", 40);
}

#[test]
fn perft_file() {
    common::perft_file::<Reversi>("reversi");
}

#[test]
fn playthrough() {
    common::playthrough::<Reversi>("reversi", "reversi", 1);
}

fn parse(text: &str) -> Result<Reversi, String> {
    Reversi::parse(&Options::defaults("reversi", &[]), text).map_err(|error| error.to_string())
}

/// The rules once more, square by square on a plain array.
#[derive(Clone)]
struct Plain {
    squares: [[char; 8]; 8],
    turn: char,
}

impl Plain {
    fn start() -> Plain {
        let mut squares = [['-'; 8]; 8];
        (squares[3][3], squares[4][4]) = ('O', 'O');
        (squares[3][4], squares[4][3]) = ('X', 'X');
        Plain { squares, turn: 'X' }
    }

    fn opponent(&self) -> char {
        if self.turn == 'X' { 'O' } else { 'X' }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        self.squares.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
    }

    fn turned(&self, square: u8) -> Vec<(i32, i32)> {
        let (row, column) = (i32::from(square / 8), i32::from(square % 8));
        let mut turned = Vec::new();
        if self.at(row, column) != Some('-') {
            return turned;
        }
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
        {
            let mut run = Vec::new();
            let (mut row, mut column) = (row + down, column + right);
            while self.at(row, column) == Some(self.opponent()) {
                run.push((row, column));
                (row, column) = (row + down, column + right);
            }
            if self.at(row, column) == Some(self.turn) {
                turned.extend(run);
            }
        }
        turned
    }

    fn placements(&self) -> Vec<u8> {
        (0..64).filter(|&square| !self.turned(square).is_empty()).collect()
    }

    fn moves(&self) -> Vec<u8> {
        let placements = self.placements();
        let passed = Plain { turn: self.opponent(), ..self.clone() };
        if placements.is_empty() && !passed.placements().is_empty() {
            return vec![PASS];
        }
        placements
    }

    fn play(&mut self, mv: u8) {
        if mv != PASS {
            for (row, column) in self.turned(mv) {
                self.squares[row as usize][column as usize] = self.turn;
            }
            self.squares[usize::from(mv / 8)][usize::from(mv % 8)] = self.turn;
        }
        self.turn = self.opponent();
    }

    fn count(&self, disc: char) -> i32 {
        self.squares.iter().flatten().filter(|&&square| square == disc).count() as i32
    }

    /// Dark's lead, the empty squares given to the side that leads.
    fn margin(&self) -> i32 {
        let lead = self.count('X') - self.count('O');
        lead + lead.signum() * self.count('-')
    }

    fn text(&self) -> String {
        self.squares.iter().flatten().chain(&[' ', self.turn]).collect()
    }
}

#[test]
fn agrees_with_a_plain_generator() {
    let mut random = Random::new(2);
    let (mut passes, mut early_endings) = (0, 0);
    for _ in 0..2_000 {
        let mut plain = Plain::start();
        let mut position = Reversi::default();
        loop {
            assert_eq!(position.text(), plain.text());
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            assert_eq!(moves, plain.moves(), "{}", plain.text());
            assert_eq!(position.count_moves(), moves.len());
            let Some(mv) = random.pick(&moves) else { break };
            assert_eq!((position.outcome(), position.margin()), (None, None));
            passes += u32::from(mv == PASS);
            plain.play(mv);
            position.play(mv);
        }
        let margin = plain.margin();
        assert_eq!(position.margin(), Some(margin as f32));
        let winner = if margin > 0 { Side::First } else { Side::Second };
        let outcome = if margin == 0 { Outcome::Draw } else { Outcome::Win(winner) };
        assert_eq!(position.outcome(), Some(outcome));
        early_endings += u32::from(plain.count('-') > 0);
    }
    assert!(passes > 100 && early_endings > 10, "{passes} passes, {early_endings} early endings");
}

#[test]
fn boards_no_game_leads_to_also_agree() {
    let mut random = Random::new(9);
    for _ in 0..20_000 {
        let full = 1 + random.below(4);
        let mut square = || match random.below(full + 2) {
            0 => 'X',
            1 => 'O',
            _ => ['-', 'X', 'O', '-'][random.below(4)],
        };
        let squares = std::array::from_fn(|_| std::array::from_fn(|_| square()));
        let plain = Plain { squares, turn: ['X', 'O'][random.below(2)] };
        let position = parse(&plain.text()).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        assert_eq!(moves, plain.moves(), "{}", plain.text());
        for mv in moves {
            let mut next = plain.clone();
            next.play(mv);
            assert_eq!(position.after(mv).text(), next.text());
        }
    }
}

/// `rows` joined to a position.
fn board(rows: [&str; 8], turn: char) -> Reversi {
    parse(&format!("{} {turn}", rows.concat())).unwrap()
}

#[test]
fn a_side_without_moves_must_pass() {
    let empty = "--------";
    let position = board(["-OX-----", empty, empty, empty, empty, empty, empty, empty], 'O');
    assert_eq!(position.parse_move("d1").unwrap(), 3);
    let position = board(["-OX-----", empty, empty, empty, empty, empty, empty, empty], 'X');
    assert_eq!(position.parse_move("a1").unwrap(), 0);
    let stuck = board(["XO------", empty, empty, empty, empty, empty, empty, empty], 'O');
    for text in ["pass", "--", "ps", "PASS"] {
        assert_eq!(stuck.parse_move(text).unwrap(), PASS, "{text}");
    }
    assert_eq!((stuck.count_moves(), stuck.outcome()), (1, None));
    let passed = stuck.after(PASS);
    assert!(passed.turn() == Side::First && passed != stuck && passed.key() != stuck.key());
    assert!(stuck.parse_move("c1").is_err() && Reversi::default().parse_move("pass").is_err());
}

#[test]
fn the_empty_squares_belong_to_the_winner() {
    let rows = [
        "--XXXXXX", "--XXXXXX", "XXXXOOOO", "XXXXXOOO", "XXOXXXOO", "XXOOXXXO", "XXOOOXXX",
        "XXOOOOXX",
    ];
    for turn in ['X', 'O'] {
        let decided = board(rows, turn); // 40 to 20, and no line runs from the empty squares to O
        assert_eq!(decided.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(decided.margin(), Some(24.0));
    }
    let dead = board(["X-------"; 8], 'O');
    assert_eq!(dead.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(dead.margin(), Some(64.0));
    let tie = board(["XX----OO"; 8], 'X');
    assert_eq!((tie.outcome(), tie.margin()), (Some(Outcome::Draw), Some(0.0)));
    let lead = board(["XX---OOO"; 8], 'X');
    assert_eq!((lead.outcome(), lead.margin()), (Some(Outcome::Win(Side::Second)), Some(-32.0)));
}

#[test]
fn random_games_are_about_even() {
    let mut random = Random::new(4);
    let start = Reversi::default();
    let mut wins = [0; 2];
    for _ in 0..4_000 {
        if let Outcome::Win(side) = start.rollout(&mut random, &mut Vec::new()) {
            wins[side.index()] += 1;
        }
    }
    assert!(wins.iter().all(|&count| (1_600..2_300).contains(&count)), "{wins:?}");
}

#[test]
fn bad_text_is_refused_with_its_place() {
    let start = Reversi::default().text();
    assert_eq!(start, format!("{}OX{}XO{} X", "-".repeat(27), "-".repeat(6), "-".repeat(27)));
    assert_eq!(
        parse(&start.replace("OX", "O?")).unwrap_err(),
        "bad reversi position at line 1, column 29: \
         found \"?------XO---------------------------\", \
         expected X, O or - for e4, one of 64 squares"
    );
    assert_eq!(
        parse(&start[..64]).unwrap_err(),
        "bad reversi position at line 1, column 65: it ends here, \
         expected a space, then the side to move, X or O"
    );
    assert!(parse(&format!("{start}X")).unwrap_err().contains("expected nothing more"));
    assert!(parse(&start.replace(" X", " -")).unwrap_err().contains("the side to move"));
    assert!(parse(&start.to_lowercase().replace('-', ".")).unwrap() == Reversi::default());
    assert_eq!(
        Reversi::default().parse_move("a1").unwrap_err().to_string(),
        "bad reversi move \"a1\": \
         expected one of the 4 legal moves, such as d3 c4 f5 e6"
    );
}

proptest! {
    #[test]
    fn nonsense_never_panics(text in "\\PC{0,80}", near in "[-XOxo.* ]{60,70}") {
        for text in [text, near] {
            if let Ok(position) = parse(&text) {
                prop_assert_eq!(parse(&position.text()).unwrap(), position);
            }
            let _ = Reversi::default().parse_move(&text);
        }
    }
}

#[test]
fn no_disc_makes_up_for_the_turn() {
    // The side to move keeps its discs but changes its name; the other gets one disc more.
    let options = Options::defaults("reversi", &[]);
    let start = Reversi::default();
    let exchange = |letter| match letter {
        'X' => 'O',
        'O' => 'X',
        other => other,
    };
    let exchanged: String = start.text().chars().map(exchange).collect();
    for square in (0..64).filter(|&square| exchanged.as_bytes()[square] == b'-') {
        let mut text = exchanged.clone();
        text.replace_range(square..=square, "X");
        let other = Reversi::parse(&options, &text).unwrap();
        assert_ne!(other.key(), start.key(), "{text}");
    }
}
