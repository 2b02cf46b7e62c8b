//! The searches of the textbook, to a fixed depth: `negamax` … `dual`.
//!
//! Quiescence, extensions and repetitions are off unless asked for, so that all of them, `minimax`
//! included, find the same value.

use crate::{
    Recipe, Recording, Resources, Roster, Traced, TracedChoice,
    evaluation::{EVAL, Evaluation},
    settings::{self, switch, text, whole},
};
use ludus_core::{
    Choice, History, Kind, Limits, OptionSpec, Options, Player, PlayerError, Report, TextError,
    Watch,
};
use ludus_search::alphabeta::{Driver, Fail, Scheme, Searcher, Settings, Table, Trace};

const DEPTH: OptionSpec =
    whole("depth", 100, "plies to look ahead; 0 leaves it to --depth, else 4");
const NODES: OptionSpec = whole("nodes", i64::MAX, "positions to look at; 0 for no limit");
const TIME: OptionSpec = text("time", "", "time a move, such as 500ms");
const ORDERING: OptionSpec = switch("ordering", "on", "try likely good moves first");
const QUIESCENCE: OptionSpec = switch("quiescence", "off", "play captures out at the horizon");
const EXTENSIONS: OptionSpec = switch("extensions", "off", "search forced replies deeper");
const REPETITIONS: OptionSpec = switch("repetitions", "off", "see draws by repetition");
const STEP: OptionSpec = OptionSpec {
    name: "step",
    kind: Kind::Integer { min: 0, max: 2 },
    default: "0",
    about: "plies from one iteration to the next; 0 goes straight to the depth if nothing else limits",
};
pub(crate) const SCHEME: OptionSpec = OptionSpec {
    name: "scheme",
    kind: Kind::Choice(&["always", "deeper", "newer", "two-level", "aged"]),
    default: "two-level",
    about: "which entry of the table gives way",
};
const FAIL: OptionSpec = OptionSpec {
    name: "fail",
    kind: Kind::Choice(&["soft", "hard"]),
    default: "soft",
    about: "what a search outside its window returns: its best bound, or the window's edge",
};
const WINDOW: OptionSpec = OptionSpec {
    name: "window",
    kind: Kind::Integer { min: 1, max: 10_000 },
    default: "25",
    about: "half the width of the first window, in hundredths",
};

const fn table(default: &'static str) -> OptionSpec {
    let about = "size of the transposition table; 0 for none";
    OptionSpec { name: "table", kind: Kind::Bytes, default, about }
}

const fn step(default: &'static str) -> OptionSpec {
    OptionSpec { default, ..STEP }
}

/// What all of them can be told.
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
        Recipe {
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

/// All of them, in the order of the textbook.
pub fn recipes<P: Roster>() -> Vec<Recipe<P>> {
    vec![
        recipe!("negamax", "minimax with one point of view", PLAIN, Settings::NEGAMAX),
        recipe!(
            "alphabeta",
            "leaves out what cannot change the choice",
            WITH_FAIL,
            Settings::ALPHA_BETA
        ),
        recipe!(
            "aspiration",
            "alpha-beta in a window around the last value",
            WITH_WINDOW,
            Settings::ASPIRATION
        ),
        recipe!(
            "negascout",
            "null windows for all moves but the first (Reinefeld)",
            PLAIN,
            Settings::NEGASCOUT
        ),
        recipe!("pvs", "principal variation search", PLAIN, Settings::PVS),
        recipe!("mtdf", "null windows around the last value (Plaat)", DEEPENING, Settings::MTDF),
        recipe!("sss", "SSS* as null windows from above (Plaat)", WITH_TABLE, Settings::SSS),
        recipe!("dual", "DUAL* as null windows from below (Plaat)", WITH_TABLE, Settings::DUAL),
    ]
}

/// The table the options ask for.
pub(crate) fn table_of(options: &Options) -> Option<Table> {
    new_table(options.bytes("table"), options.text("scheme"))
}

/// A table of so many bytes, if there are any, whose entries give way by the scheme of this name.
pub(crate) fn new_table(bytes: u64, scheme: &str) -> Option<Table> {
    let scheme = match scheme {
        "always" => Scheme::Always,
        "deeper" => Scheme::Deeper,
        "newer" => Scheme::Newer,
        "aged" => Scheme::Aged,
        _ => Scheme::TwoLevel,
    };
    (bytes > 0).then(|| Table::new(bytes, scheme))
}

/// `settings`, changed as the options say.
fn adjusted(settings: Settings, options: &Options) -> Settings {
    let mut settings = Settings {
        ordering: options.switch("ordering"),
        remembered_first: options.switch("ordering"),
        quiescence: options.switch("quiescence"),
        extensions: options.switch("extensions"),
        path: options.switch("repetitions"),
        step: options.integer("step") as u32,
        ..settings
    };
    if let Driver::Aspiration(width) = &mut settings.driver {
        *width = options.integer("window") as i32;
    }
    if options.name() == "alphabeta" && options.text("fail") == "hard" {
        settings.fail = Fail::Hard;
    }
    settings
}

fn player<P: Roster>(
    id: &'static str,
    settings: Settings,
    options: &Options,
    resources: &Resources,
) -> Result<Textbook<P>, TextError> {
    let settings = adjusted(settings, options);
    let evaluation = Evaluation::new::<P>(options, resources.seed);
    Ok(Textbook {
        id,
        limits: settings::limits(options)?,
        judges_at_random: evaluation.is_random(),
        searcher: Searcher::new(settings, table_of(options), &evaluation, resources.threads),
    })
}

struct Textbook<P: Roster> {
    id: &'static str,
    limits: Limits,
    judges_at_random: bool,
    searcher: Searcher<P, Evaluation<P::Hand>>,
}

impl<P: Roster> Player<P> for Textbook<P> {
    fn name(&self) -> &str {
        self.id
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let limits = settings::before(&self.limits, limits);
        choice(self.searcher.search(game, &limits, watch))
    }

    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let limits = settings::before(&self.limits, limits);
        choice(self.searcher.search_lines(game, &limits, lines, watch))
    }

    fn new_game(&mut self, seed: u64) {
        self.searcher.new_game();
        if self.judges_at_random {
            self.searcher.judge_by(&Evaluation::random(seed));
        }
    }
}

impl<P: Roster> Traced<P> for Textbook<P> {
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError> {
        let limits = settings::before(&self.limits, limits);
        let mut trace = Trace::new(size);
        let choice = choice(self.searcher.trace(game, &limits, watch, &mut trace))?;
        Ok((choice, Recording::Visits(trace)))
    }
}

/// The first move of the line found.
fn choice<M: Copy>(report: Report<M>) -> Result<Choice<M>, PlayerError> {
    let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
    Ok(Choice::play(mv, report))
}
