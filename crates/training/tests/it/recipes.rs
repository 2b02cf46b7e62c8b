//! Recipes: those in `recipes/`, the list of kinds, and sections of other kinds.

use crate::common::job::job;
use ludus_training::{
    Recipe,
    kinds::{KINDS, TrainingKind},
};
use std::{collections::BTreeSet, fs, path::Path};

/// Recipes of the project, by file name.
fn published() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let recipes =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    recipes
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// A recipe of a kind with nothing but this section.
fn with_section(kind: &TrainingKind, game: &str, section: &str) -> String {
    let name = kind.name;
    format!("kind = {name:?}\ngame = {game:?}\nplayer = \"p\"\ndata = [\"d\"]\n\n[{section}]\n")
}

#[test]
fn every_kind_has_its_own_name_and_a_recipe() {
    let names: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), KINDS.len(), "{names:?}");
    let recipes = published();
    let parsed: BTreeSet<&str> = recipes
        .iter()
        .map(|(name, text)| {
            let recipe = Recipe::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            recipe.game_options().unwrap_or_else(|error| panic!("{name}: {error}"));
            recipe.kind().name
        })
        .collect();
    assert_eq!(parsed, names, "kinds of the recipes in recipes/, and all kinds");
}

/// Names in recipes outlive those in the code: stored recipes depend on them.
#[test]
fn kinds_and_sections_keep_their_names() {
    let known: Vec<String> =
        KINDS.iter().map(|kind| format!("{}: {}", kind.name, kind.sections().join(" "))).collect();
    assert_eq!(
        known,
        [
            "texel: self_play texel",
            "climb: climb",
            "net: net self_play",
            "td: td",
            "mp: mp",
            "genetic: genetic td",
            "evolution: evolution",
            "moves: moves",
            "habits: habits",
            "go-net: go_net",
            "chess-cnn: chess_cnn",
            "logreg: logreg",
        ]
    );
}

#[test]
fn a_section_of_another_kind_is_refused() {
    let sections: BTreeSet<String> = KINDS.iter().flat_map(|kind| kind.sections()).collect();
    for kind in KINDS {
        let own = kind.sections();
        for section in &sections {
            let parsed = Recipe::parse(&with_section(kind, kind.games[0].id, section));
            if own.contains(section) {
                parsed.unwrap_or_else(|error| panic!("{} with [{section}]: {error}", kind.name));
                continue;
            }
            let error = parsed.expect_err("a section of another kind").to_string();
            for part in [format!("[{section}]"), format!("{:?}", kind.name), "line 6".to_owned()] {
                assert!(error.contains(&part), "{part}: {error}");
            }
            assert!(own.iter().all(|own| error.contains(&format!("[{own}]"))), "{error}");
        }
        let error =
            Recipe::parse(&with_section(kind, kind.games[0].id, "speed")).unwrap_err().to_string();
        assert!(error.contains("speed") && error.contains("line 6"), "{error}");
    }
}

#[test]
fn mistakes_in_a_recipe_are_located() {
    let recipe = "kind = \"td\"\ngame = \"draughts\"\nplayer = \"iiga\"\n[td]\nsessions = 3\n";
    Recipe::parse(recipe).unwrap();
    for (from, to, parts) in [
        ("\"td\"", "\"tt\"", &["line 1", "`tt`", "`go-net`"][..]),
        ("kind = \"td\"\n", "", &["kind"]),
        ("game = \"draughts\"\n", "", &["game"]),
        ("sessions = 3", "session = 3", &["line 5", "`session`", "`sessions`"]),
        ("sessions = 3", "sessions = \"3\"", &["line 5", "string"]),
        ("sessions = 3", "sessions = 0", &["td.sessions = 0"]),
        ("sessions = 3", "sessions = [3", &["line 5"]),
    ] {
        let error = Recipe::parse(&recipe.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{to}: {error}");
    }
}

/// The settings of a school are those of TD learning, with other defaults and one more.
#[test]
fn specialists_have_defaults_of_their_own() {
    use ludus_training::{
        kinds::specialists::{SpecialistTdSettings, SpecialistsRecipe},
        td_self_play::TdSettings,
    };
    let head = "kind = \"mp\"\ngame = \"draughts\"\nplayer = \"mp-draughts\"\n[mp.school]\n";
    let school = |text: &str| -> SpecialistTdSettings {
        let recipe = Recipe::parse(&format!("{head}{text}")).unwrap();
        recipe.settings::<SpecialistsRecipe>().mp.school.clone()
    };
    let published = TdSettings { sessions: 10, games: 5000, accept: 0.6, ..TdSettings::default() };
    assert_eq!(school(""), SpecialistTdSettings { boards: 25, td: published.clone() });
    let changed = TdSettings { games: 7, rate: 0.3, leaf: true, ..published };
    let text = "boards = 4\ngames = 7\nrate = 0.3\nleaf = true\n";
    assert_eq!(school(text), SpecialistTdSettings { boards: 4, td: changed });
    for (text, part) in [
        ("boards = 0", "mp.school.boards"),
        ("look_ahead = 0", "mp.school.look_ahead"),
        ("bords = 4", "`bords`"),
        ("boards = \"4\"", "string"),
        ("games = \"4\"", "string"),
    ] {
        let error = Recipe::parse(&format!("{head}{text}\n")).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn only_the_games_of_a_kind_can_be_trained() {
    let folder = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let section = &kind.sections()[0];
        let recipe = with_section(kind, "whist", section);
        let error = job(&recipe, folder.path(), 1).check().unwrap_err().to_string();
        assert!(error.contains("chess, draughts, go, reversi"), "{}: {error}", kind.name);
        for game in ["chess", "draughts", "go", "reversi"] {
            if kind.games.iter().any(|known| known.id == game) {
                continue;
            }
            let recipe = with_section(kind, game, section);
            let error = job(&recipe, folder.path(), 1).check().unwrap_err().to_string();
            assert!(error.contains(&format!("the kinds of training that {game} has")), "{error}");
        }
    }
    assert!(!folder.path().join("run").exists(), "a refused job leaves nothing behind");
}

/// Runs begun when such sections were ignored can be resumed.
#[test]
fn a_run_that_has_begun_keeps_the_sections_of_other_kinds() {
    let text = "kind = \"td\"\ngame = \"draughts\"\nplayer = \"iiga\"\n[td]\nsessions = 3\n[climb]\nsteps = 9\n";
    assert!(Recipe::parse(text).is_err());
    let recipe = Recipe::parse_begun(text).unwrap();
    assert_eq!((recipe.kind().name, recipe.steps()), ("td", 3));
    assert!(Recipe::parse_begun(&text.replace("[td]", "[tb]")).is_err());
}
