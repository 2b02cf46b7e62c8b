use crate::common::{error, one, read, tree, written};
use ludus_core::Side;
use ludus_formats::{Format, GameResult, Record, RecordNode, ResultKind, WriteOptions};

const ANNOTATED: &str = r#"[Event "Club evening, \"Rapid\" \\ room 2"]
[Site "Graz"]
[Date "2021.03.14"]
[Round "3"]
[White "Huber, Anna"]
[Black "Novák, Petr"]
[Result "1-0"]
[ECO "C50"]

{A quiet start.} 1. e4! e5 {[%clk 0:04:58]} 2.Nf3 ( 2. f4?! exf4 (2...d5 $14 ; the counter
3. exd5) 3. Bc4 {brave} ) ( {or slowly} 2. Nc3 ) {but now} 2... Nc6 3.Bc4 Bc5
4 d3 ... Nf6 5. O-O-O+ e8=Q# 6. exd6 e.p. $1 $146 Nxd6 !!
% an escaped line { ( [
1-0 {White won on time}
"#;

#[test]
fn an_annotated_game_is_read_in_full() {
    let game = one(Format::Pgn, ANNOTATED);
    assert_eq!(game.tag("Event"), Some("Club evening, \"Rapid\" \\ room 2"));
    assert_eq!(game.tag("Black"), Some("Novák, Petr"));
    assert_eq!(game.tags[7], ("ECO".to_owned(), "C50".to_owned()));
    assert_eq!(
        tree(&game),
        "{A quiet start.} e4 $1 e5 {[%clk 0:04:58]} Nf3 \
         ( f4 $6 exf4 ( d5 $14 {the counter} exd5 ) Bc4 {brave} ) ( <or slowly> Nc3 ) \
         <but now> Nc6 Bc4 Bc5 d3 Nf6 O-O-O+ e8=Q# exd6 $1 $146 Nxd6 $3 {White won on time}"
    );
    assert_eq!(game.result, GameResult::from("1-0"));
    assert_eq!(game.result.kind(), ResultKind::White);
}

#[test]
fn an_annotated_game_is_written_in_export_format() {
    let text = written(Format::Pgn, &one(Format::Pgn, ANNOTATED), &WriteOptions::default());
    assert_eq!(
        text,
        r#"[Event "Club evening, \"Rapid\" \\ room 2"]
[Site "Graz"]
[Date "2021.03.14"]
[Round "3"]
[White "Huber, Anna"]
[Black "Novák, Petr"]
[Result "1-0"]
[ECO "C50"]

{A quiet start.} 1. e4 $1 e5 {[%clk 0:04:58]} 2. Nf3 (2. f4 $6 exf4 (2... d5
$14 {the counter} 3. exd5) 3. Bc4 {brave}) ({or slowly} 2. Nc3) {but now} 2...
Nc6 3. Bc4 Bc5 4. d3 Nf6 5. O-O-O+ e8=Q# 6. exd6 $1 $146 Nxd6 $3 {White won on
time} 1-0

"#
    );
}

#[test]
fn the_roster_comes_first_and_is_complete() {
    let mut game = Record::new();
    for (name, value) in [("FEN", "8/8 b - - 0 31"), ("Black", "B"), ("Event", "E")] {
        game.set_tag(name, value);
    }
    game.push("Kd4");
    game.push("Ke6");
    game.push("Kd5");
    let text = written(Format::Pgn, &game, &WriteOptions::default());
    assert_eq!(
        text,
        "[Event \"E\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
         [Black \"B\"]\n[Result \"*\"]\n[FEN \"8/8 b - - 0 31\"]\n\n\
         31... Kd4 32. Ke6 Kd5 *\n\n"
    );
    let options = WriteOptions { starts: Some(Side::First), first_number: Some(7) };
    assert!(Format::Pgn.write(&game, &options).contains("\n\n7. Kd4 Ke6 8. Kd5 *"));
}

#[test]
fn a_position_that_is_not_chess_numbers_from_one() {
    let mut game = Record::new();
    game.set_tag("FEN", "x.o/.../... x");
    game.push("b2");
    assert!(Format::Pgn.write(&game, &WriteOptions::default()).contains("\n1. b2 *"));
}

#[test]
fn games_follow_each_other_however_they_are_separated() {
    let moves = |text: &str| -> Vec<(String, String)> {
        let games = read(Format::Pgn, text);
        let games = games.into_iter().map(Result::unwrap);
        games.map(|game| (tree(&game), game.result.text)).collect()
    };
    let pair = |moves: &str, result: &str| (moves.to_owned(), result.to_owned());
    let two = [pair("e4 e5", "1-0"), pair("d4", "1/2-1/2")];
    assert_eq!(moves("1. e4 e5 1-0 1. d4 1/2-1/2"), two);
    assert_eq!(moves("1. e4 e5\n1-0\n\n\n1. d4 1/2-1/2\n"), two);
    assert_eq!(moves("1.e4 e5 1-0\r\n\r\n1.d4 ½-½\r\n"), two);
    assert_eq!(moves("[A \"\"]\n[Result \"1-0\"]\n\n1. e4 e5\n\n[A \"\"]\n1. d4 1/2"), two);
    assert_eq!(moves("[Event \"a\"]\n\n[Event \"b\"]\n\n*"), [pair("", "*"), pair("", "*")]);
    // Without a repeated first tag an empty line does not split the tags of a game.
    assert_eq!(moves("[Event \"a\"]\n\n[Site \"b\"]\n[Site \"c\"]\n\n*"), [pair("", "*")]);
    assert_eq!(moves("\n  \n; nothing\n{at all}"), []);
}

#[test]
fn marks_line_ends_and_old_encodings_are_tolerated() {
    let game = one(
        Format::Pgn,
        b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n\r\n1. e4 {gr\xfc\xdfe\r\nan M\xc3\xbc} *",
    );
    assert_eq!(game.tag("White"), Some("Müller"));
    assert_eq!(tree(&game), "e4 {grüße an Mü}");
}

#[test]
fn oddities_of_real_files_mean_no_harm() {
    assert_eq!(tree(&one(Format::Pgn, "1.e4()e5({only words})*")), "e4 e5 {only words}");
    assert_eq!(
        tree(&one(Format::Pgn, "1. e4 (1. d4 1-0) e5 (1... c5 *) *")),
        "e4 ( d4 ) e5 ( c5 )"
    );
    assert_eq!(tree(&one(Format::Pgn, "1. 0-0 0-0-0 2. -- *")), "0-0 0-0-0 --");
    assert_eq!(tree(&one(Format::Pgn, "1. e4!!! e5(!) 2. d4 ??*")), "e4 $3 $1 e5 $1 d4 $4");
    assert_eq!(tree(&one(Format::Pgn, "e4 { a\n\nb { c } *")), "e4 {a  b { c}");
    assert_eq!(tree(&one(Format::Pgn, "[ A  \"x\" ] [B \"\"] 1. ♘f3 *")), "♘f3");
}

#[test]
fn comments_with_braces_take_a_line() {
    let mut game = Record::new();
    let e4 = game.push("e4");
    game[e4].comments = vec!["a } b".to_owned(), "two\nlines".to_owned()];
    let text = Format::Pgn.write(&game, &WriteOptions::default());
    assert!(text.contains("1. e4 ;a } b\n{two lines} *"), "{text}");
    assert_eq!(tree(&one(Format::Pgn, &text)), "e4 {a } b} {two lines}");
}

#[test]
fn lines_are_wrapped_below_eighty_columns() {
    let mut game = Record::new();
    for number in 0..200 {
        let id = game.push(format!("N{number}f3+"));
        if number % 5 == 0 {
            game[id].comments.push("words that run on and on ".repeat(number % 7));
            let parent = game.parent(id).unwrap();
            game.add(parent, RecordNode::of_move("variation"));
        }
    }
    let text = written(Format::Pgn, &trimmed(game), &WriteOptions::default());
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert!(text.lines().count() > 50);
}

/// Comments as a reader gives them.
fn trimmed(mut game: Record) -> Record {
    let ids: Vec<_> = game.preorder().collect();
    for id in ids {
        let comments = std::mem::take(&mut game[id].comments);
        let trimmed = comments.iter().map(|comment| comment.trim().to_owned());
        game[id].comments = trimmed.filter(|comment| !comment.is_empty()).collect();
    }
    game
}

#[test]
fn errors_name_their_place_in_the_file() {
    let message = |text: &str| error(Format::Pgn, text);
    assert_eq!(
        message("[Event \"x\"]\n[Site ?]\n\n1. e4 *\n"),
        "bad PGN at line 2, column 7: found \"?]\", expected the value of the tag in quotes"
    );
    assert_eq!(
        message("[Event \"x]\n\n*"),
        "bad PGN at line 1, column 8: found \"\\\"x]\", expected a closing quote in this line"
    );
    assert_eq!(
        message("[Event \"x\"\n\n*"),
        "bad PGN at line 1, column 11: it ends here, expected ] to close the tag"
    );
    assert_eq!(
        message("[\"x\"]"),
        "bad PGN at line 1, column 2: found \"\\\"x\\\"]\", expected the name of a tag"
    );
    assert_eq!(
        message("1. é4 e5) *"),
        "bad PGN at line 1, column 9: found \")\", expected no ) without a ( before it"
    );
    assert_eq!(
        message("\n(1. e4) *"),
        "bad PGN at line 2, column 1: found \"(1.\", expected a move before its variation"
    );
    assert_eq!(
        message("1. e4 ($3 d4) *"),
        "bad PGN at line 1, column 8: found \"$3\", expected a move before its glyph"
    );
    assert_eq!(
        message("1. e4 $65536 *"),
        "bad PGN at line 1, column 7: found \"$65536\", expected $ and a number from 0 to 65535"
    );
    assert_eq!(
        message("1. e4 } *"),
        "bad PGN at line 1, column 7: found \"}\", \
         expected a move, a comment, a variation or a result"
    );
    assert_eq!(
        message("1. e4\ne5 {never\nclosed"),
        "bad PGN at line 2, column 4: found \"{never\", expected } to close this comment"
    );
    assert_eq!(
        message("1. e4 (1. d4\n"),
        "bad PGN at line 2, column 1: it ends here, expected ) to close the variation"
    );
}

#[test]
fn one_broken_game_loses_only_itself() {
    let broken = [
        "[Event \"bad\"]\n[Site oops]\n[Date \"x\"]\n\n1. e4 e5 *\n",
        "[Event \"bad\"]\n\n1. e4 )\ne5 2. Nf3 *\n",
        "[Event \"bad\"]\n\n1. e4 {open to the end\ne5 *\n",
        "[Event \"bad\"]\n\n1. e4 (1. d4 *\n",
        "[Event \"bad\"]\n\n1. e4 > e5 *\n",
    ];
    for broken in broken {
        let good = "[Event \"good\"]\n\n1. e4 {fine} *\n";
        let games = read(Format::Pgn, format!("{good}\n{broken}\n{good}\n{broken}\n{good}"));
        let fine: Vec<bool> = games.iter().map(Result::is_ok).collect();
        assert_eq!(fine, [true, false, true, false, true], "{broken}: {games:?}");
    }
}

#[test]
fn an_unreadable_file_is_an_error_and_the_end() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disc is gone"))
        }
    }
    for format in Format::ALL {
        let start: &[u8] = b"[Event \"x\"]\n";
        let reader = std::io::BufReader::new(std::io::Read::chain(start, Broken));
        let games: Vec<_> = format.read(reader).collect();
        assert_eq!(games.len(), 1);
        let message = games[0].as_ref().unwrap_err().to_string();
        assert!(message.contains("the disc is gone"), "{message}");
    }
}

#[test]
fn quotes_left_unescaped_in_a_tag_are_text() {
    let text =
        "[Event \"The \"Big\" Open\"] [Site \"\"Here\"\" ]\n[Round \"a \\\"] b\"]\n\n1. e4 *\n";
    let record = Format::Pgn.read(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(record.tag("Event"), Some("The \"Big\" Open"));
    assert_eq!(record.tag("Site"), Some("\"Here\""));
    assert_eq!(record.tag("Round"), Some("a \"] b"));
}
