//! The textbook searches, to a fixed depth: `negamax` … `dual`.
//!
//! Quiescence, extensions and repetitions are off by default, so that all of them, `minimax`
//! included, return the same value.

use crate::{
    PlayerRecipe, Resources, Roster,
    common::{
        evaluation::{EVAL, TextbookEval},
        search_player::{PlayerSearch, SearchPlayer},
    },
    roster::Handcrafted,
    settings::{self, integer, switch, text},
};
use ludus_core::{
    History, Limits, OptionKind, OptionSpec, Options, Report, SearchControl, TextError,
};
use ludus_search::{
    Search, SearchOutput,
    alphabeta::{
        Fail, ReplacementScheme, RootSearch, SearchSettings, Searcher, Trace, TranspositionTable,
    },
};

const DEPTH: OptionSpec = integer("depth", 100, "plies to search; 0 leaves it to --depth, else 4");
const NODES: OptionSpec = integer("nodes", i64::MAX, "positions to search; 0 for no limit");
const TIME: OptionSpec = text("time", "", "time a move, such as 500ms");
const ORDERING: OptionSpec = switch("ordering", "on", "move ordering: try likely good moves first");
const QUIESCENCE: OptionSpec =
    switch("quiescence", "off", "quiescence search: play out captures at the horizon");
const EXTENSIONS: OptionSpec =
    switch("extensions", "off", "extensions: search forced replies deeper");
const REPETITIONS: OptionSpec = switch("repetitions", "off", "detect draws by repetition");
const STEP: OptionSpec = OptionSpec {
    name: "step",
    kind: OptionKind::Integer { min: 0, max: 2 },
    default: "0",
    about: "iterative deepening: plies from one iteration to the next; 0 searches straight to the depth unless other limits are set",
};
pub(crate) const SCHEME: OptionSpec = OptionSpec {
    name: "scheme",
    kind: OptionKind::Choice(&["always", "deeper", "newer", "two-level", "aged"]),
    default: "two-level",
    about: "replacement scheme of the transposition table",
};
const FAIL: OptionSpec = OptionSpec {
    name: "fail",
    kind: OptionKind::Choice(&["soft", "hard"]),
    default: "soft",
    about: "value of a search outside its window: fail-soft (best bound) or fail-hard (edge of the window)",
};
const WINDOW: OptionSpec = OptionSpec {
    name: "window",
    kind: OptionKind::Integer { min: 1, max: 10_000 },
    default: "25",
    about: "half the width of the first aspiration window, in hundredths",
};

const fn table(default: &'static str) -> OptionSpec {
    let about = "size of the transposition table; 0 for none";
    OptionSpec { name: "table", kind: OptionKind::Bytes, default, about }
}

const fn step(default: &'static str) -> OptionSpec {
    OptionSpec { default, ..STEP }
}

/// Options of all of them.
macro_rules! options {
    ($table:literal, $step:literal $(, $more:expr)*) => {
        &[
            DEPTH, EVAL, NODES, TIME, table($table), SCHEME, ORDERING, QUIESCENCE, EXTENSIONS,
            REPETITIONS, step($step) $(, $more)*
        ]
    };
}

const PLAIN: &[OptionSpec] = options!("0", "0");
const WITH_FAIL: &[OptionSpec] = options!("0", "0", FAIL);
const WITH_WINDOW: &[OptionSpec] = options!("16MB", "1", WINDOW);
const WITH_TABLE: &[OptionSpec] = options!("64MB", "0");
const DEEPENING: &[OptionSpec] = options!("64MB", "1");

macro_rules! recipe {
    ($id:literal, $about:literal, $options:expr, $settings:expr) => {
        PlayerRecipe {
            id: $id,
            about: $about,
            options: $options,
            build: |options, resources| Ok(Box::new(player($id, $settings, options, resources)?)),
            build_traced: Some(|options, resources| {
                Ok(Box::new(player($id, $settings, options, resources)?))
            }),
        }
    };
}

/// All textbook searches but minimax, in the order of the textbooks.
pub fn recipes<P: Roster>() -> Vec<PlayerRecipe<P>> {
    vec![
        recipe!(
            "negamax",
            "minimax with scores from the view of the side to move",
            PLAIN,
            SearchSettings::NEGAMAX
        ),
        recipe!(
            "alphabeta",
            "alpha-beta pruning: skips moves that cannot change the choice",
            WITH_FAIL,
            SearchSettings::ALPHA_BETA
        ),
        recipe!(
            "aspiration",
            "alpha-beta with aspiration windows around the last value",
            WITH_WINDOW,
            SearchSettings::ASPIRATION
        ),
        recipe!(
            "negascout",
            "null windows for all moves but the first (Reinefeld)",
            PLAIN,
            SearchSettings::NEGASCOUT
        ),
        recipe!("pvs", "principal variation search", PLAIN, SearchSettings::PVS),
        recipe!(
            "mtdf",
            "null windows around the last value (Plaat)",
            DEEPENING,
            SearchSettings::MTDF
        ),
        recipe!("sss", "SSS* as null windows from above (Plaat)", WITH_TABLE, SearchSettings::SSS),
        recipe!(
            "dual",
            "DUAL* as null windows from below (Plaat)",
            WITH_TABLE,
            SearchSettings::DUAL
        ),
    ]
}

/// The transposition table the options ask for.
pub(crate) fn table_of(options: &Options) -> Result<Option<TranspositionTable>, TextError> {
    Ok(new_table(options.bytes("table"), replacement_scheme(options.text(SCHEME.name))?))
}

/// The replacement scheme of this name.
///
/// # Errors
/// If there is no such scheme.
fn replacement_scheme(name: &str) -> Result<ReplacementScheme, TextError> {
    Ok(match name {
        "always" => ReplacementScheme::Always,
        "deeper" => ReplacementScheme::Deeper,
        "newer" => ReplacementScheme::Newer,
        "two-level" => ReplacementScheme::TwoLevel,
        "aged" => ReplacementScheme::Aged,
        _ => return Err(TextError::whole(SCHEME.name, name, "a replacement scheme")),
    })
}

/// A transposition table of `bytes` with this replacement scheme; `None` for 0 bytes.
pub(crate) fn new_table(bytes: u64, scheme: ReplacementScheme) -> Option<TranspositionTable> {
    (bytes > 0).then(|| TranspositionTable::new(bytes, scheme))
}

/// The settings, changed by the options.
fn adjusted(settings: SearchSettings, options: &Options) -> SearchSettings {
    let mut settings = SearchSettings {
        ordering: options.switch("ordering"),
        hash_move_first: options.switch("ordering"),
        quiescence: options.switch("quiescence"),
        extensions: options.switch("extensions"),
        path_draws: options.switch("repetitions"),
        step: options.integer("step") as u32,
        ..settings
    };
    if settings.root_search == RootSearch::Aspiration {
        settings.params.aspiration_width = options.integer("window") as i32;
    }
    if options.name() == "alphabeta" && options.text("fail") == "hard" {
        settings.fail = Fail::Hard;
    }
    settings
}

fn player<P: Roster>(
    id: &'static str,
    settings: SearchSettings,
    options: &Options,
    resources: &Resources,
) -> Result<SearchPlayer<TextbookSearch<P>>, TextError> {
    let settings = adjusted(settings, options);
    let evaluation = TextbookEval::new::<P, P::Knowledge>(options, resources.seed);
    let search = TextbookSearch {
        random_eval: evaluation.is_random(),
        searcher: Searcher::new(
            settings,
            table_of(options)?,
            &evaluation,
            P::Knowledge::default(),
            resources.threads,
        ),
    };
    Ok(SearchPlayer::new(id, settings::limits(options)?, search))
}

/// A search that evaluates as the textbooks do, at random if asked to.
struct TextbookSearch<P: Roster> {
    random_eval: bool,
    searcher: Searcher<P, TextbookEval<Handcrafted<P>>, P::Knowledge>,
}

impl<P: Roster> Search<P> for TextbookSearch<P> {
    type Trace = Trace<P::Move>;

    fn new_game(&mut self, seed: u64) {
        self.searcher.new_game();
        if self.random_eval {
            self.searcher.set_evaluator(&TextbookEval::random(seed));
        }
    }

    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        output: SearchOutput<'_, Self::Trace>,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        self.searcher.run(game, limits, output, control)
    }
}

impl<P: Roster> PlayerSearch<P> for TextbookSearch<P> {}
