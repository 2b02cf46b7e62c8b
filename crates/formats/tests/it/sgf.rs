use crate::common::{error, one, read, tree, written};
use ludus_core::Side;
use ludus_formats::{
    Format, PieceColour, Property, Record, RecordNode, ResultKind, WriteOptions, sgf,
};

const GAME: &str = r"(;FF[4]GM[1]CA[UTF-8]AP[Kaya\:Board:1.2]SZ[9]
KM[6.5]PB[Aoki \[5d\]]PW[Brun]RE[B+3.5]EV[Winter
league]GC[Two
lines]XY[private:value][two]AB[cc][gg]C[Start]
;W[ee]C[The centre. \
Not \\ the side\]];B[ec]TE[2]TR[ee][cc]
(;W[ge];B[]C[pass])
(;B[cg]DO[];W[tt](;B[aa])(;B[ba]N[twig])))
";

#[test]
fn a_game_tree_is_read_in_full() {
    let game = one(Format::Sgf, GAME);
    let tag = |name| game.tag(name).unwrap();
    assert_eq!((tag("Black"), tag("White"), tag("KM")), ("Aoki [5d]", "Brun", "6.5"));
    assert_eq!((tag("Event"), tag("GameComment")), ("Winter league", "Two\nlines"));
    assert_eq!(tag("AP"), "Kaya\\:Board:1.2");
    assert_eq!(sgf::compose(tag("AP")), Some(("Kaya\\:Board", "1.2")));
    assert_eq!(game.result.kind(), ResultKind::Black);
    assert_eq!(game.result.margin(), Some(3.5));
    assert_eq!(game.root().property("AB"), ["cc", "gg"]);
    assert_eq!(game.root().property("XY"), ["private:value", "two"]);
    assert_eq!(
        tree(&game),
        "{Start} ee {The centre. Not \\ the side]} ec $3 ge \
         ( cg $6 tt aa ( ba ) ) pass {pass}"
    );
    let colours: Vec<_> = game.main_line().map(|id| game[id].colour.unwrap()).collect();
    assert_eq!(
        colours,
        [PieceColour::White, PieceColour::Black, PieceColour::White, PieceColour::Black]
    );
}

#[test]
fn a_game_tree_is_written_and_read_back() {
    let text = written(Format::Sgf, &one(Format::Sgf, GAME), &WriteOptions::default());
    assert_eq!(
        text,
        r"(;FF[4]GM[1]CA[UTF-8]AP[Kaya\:Board:1.2]SZ[9]KM[6.5]PB[Aoki [5d\]]PW[Brun]RE[B+3.5]EV[Winter league]GC[Two
lines]C[Start]XY[private:value][two]AB[cc][gg]
;W[ee]C[The centre. Not \\ the side\]];B[ec]TE[2]TR[ee][cc]
(;W[ge];B[]C[pass])
(;B[cg]DO[];W[tt]
(;B[aa])
(;B[ba]N[twig])))
"
    );
}

#[test]
fn collections_and_the_text_around_them() {
    let text = "From: someone\n(c) 1999, (see below)\n(;B[aa])\njunk ) ] (\n;W[bb])";
    let games = read(Format::Sgf, text);
    assert_eq!(games.len(), 2);
    assert_eq!(tree(games[0].as_ref().unwrap()), "aa");
    assert_eq!(tree(games[1].as_ref().unwrap()), "bb");
    assert_eq!(read(Format::Sgf, "nothing (here)"), []);
    assert_eq!(read(Format::Sgf, ""), []);
}

#[test]
fn old_files_spell_names_out() {
    let game = one(Format::Sgf, "(;GaMe[1]VieW[]PlayerBlack[Old Hand]; Black[aa] ; White [bb])");
    assert_eq!(game.tag("Black"), Some("Old Hand"));
    assert_eq!(tree(&game), "aa bb");
    assert_eq!(
        game.root().properties,
        [Property { name: "VW".into(), values: vec![String::new()] }]
    );
}

#[test]
fn other_charsets_are_read_as_latin_1() {
    let game = one(Format::Sgf, b"\xef\xbb\xbf(;CA[ISO-8859-1]PB[J\xfcrg];B[aa])");
    assert_eq!(game.tag("Black"), Some("Jürg"));
    assert_eq!(game.tag("CA"), Some("UTF-8"));
}

#[test]
fn tags_and_glyphs_without_a_property_are_kept() {
    let mut game = Record::new();
    game.set_tag("White:Elo", "27]0\\0:x");
    game.set_tag("PB", "a tag, not the property");
    let mv = game.push("dd");
    game[mv].colour = Some(PieceColour::Black);
    game[mv].nags = vec![1, 16];
    let text = written(Format::Sgf, &game, &WriteOptions::default());
    assert_eq!(
        text,
        "(;FF[4]CA[UTF-8]TAG[White\\:Elo:27\\]0\\\\0\\:x][PB:a tag, not the property]\n\
         ;B[dd]NAG[1][16])\n"
    );
}

#[test]
fn colours_alternate_where_a_record_has_none() {
    let mut game = Record::new();
    game.push("dd");
    let second = game.push("pass");
    game.add(second, RecordNode { colour: Some(PieceColour::White), ..RecordNode::of_move("ee") });
    game.push("ff");
    let text = |starts| Format::Sgf.write(&game, &WriteOptions { starts, first_number: None });
    assert!(text(None).ends_with("\n;B[dd];W[];W[ee];B[ff])\n"));
    assert!(text(Some(Side::Second)).ends_with("\n;W[dd];B[];W[ee];B[ff])\n"));
}

#[test]
fn bad_style_is_read_and_written_well() {
    let game = one(Format::Sgf, "(;GM[1]B[aa][bb]C[one]C[two]W[cc]AB[dd];W[ee])");
    assert_eq!(tree(&game), "aa {one\n\ntwo} ee");
    assert_eq!(game.root().property("AB"), ["dd"]);
    written(Format::Sgf, &game, &WriteOptions::default());
    let odd = one(Format::Sgf, "(;;C[];B[aa]TE[9]NAG[x]TE[1]TE[2]((;W[bb]))(;))");
    written(Format::Sgf, &odd, &WriteOptions::default());
}

#[test]
fn errors_name_their_place_in_the_file() {
    let message = |text: &str| error(Format::Sgf, text);
    assert_eq!(
        message("(;B[aa]\n;W[bb]\n"),
        "bad SGF at line 3, column 1: it ends here, expected ) to close the game tree"
    );
    assert_eq!(
        message("\u{feff}é (;PB[é]b[aa])"),
        "bad SGF at line 1, column 10: found \"b[aa])\", \
         expected the name of a property in capital letters"
    );
    assert_eq!(
        message("(;B[aa]\n  ;W)"),
        "bad SGF at line 2, column 5: found \")\", expected [ and the value of the property"
    );
    assert_eq!(
        message("(;B[aa](;W[bb]);W[cc])"),
        "bad SGF at line 1, column 16: found \";W[cc])\", expected ( or ) after a variation"
    );
    assert_eq!(
        message("(;B[aa]\nC[never\\] closed)"),
        "bad SGF at line 2, column 2: found \"[never\\\\]\", expected ] to close this value"
    );
    assert_eq!(
        message("(;B[aa]-)"),
        "bad SGF at line 1, column 8: found \"-)\", expected ; ( or )"
    );
}

#[test]
fn one_broken_game_loses_only_itself() {
    let games = read(Format::Sgf, "(;B[aa])\n(;B;)\n(;B[bb])(;B[x]?)\n\n(;B[cc])");
    let fine: Vec<bool> = games.iter().map(Result::is_ok).collect();
    assert_eq!(fine, [true, false, true, false, true]);
    assert!(games[3].as_ref().unwrap_err().contains("line 3, column 15"), "{games:?}");
}
