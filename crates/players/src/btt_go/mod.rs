//! `btt-go`: Fuego's search with memory and playouts by the Bradley-Terry model (Vieira Júnior 2014).
//!
//! Version 1 keeps values of positions in a table: playouts stop where it knows the result. Version 2
//! rates the moves that all playout rules propose by six attributes and plays the strongest. Version
//! 3 does both, each with a table of its own.

mod attributes;
mod guide;
mod table;

pub use guide::{BttGuide, Counts, Design, Model, Pick};

use crate::{
    Recipe, Recording, Resources, Traced, fuego_like,
    go_search::{self, GoPlayer},
    settings::switch,
};
use ludus_core::{
    Choice, History, Kind, Limits, OptionSpec, Options, Player, PlayerError, TextError, Watch,
};
use ludus_engine::mcts::Mcts;
use ludus_games::go::{Go, Move, priors::Priors};

/// Its name.
pub const ID: &str = "btt-go";

const OWN_OPTIONS: [OptionSpec; 7] = [
    OptionSpec {
        name: "version",
        kind: Kind::Integer { min: 1, max: 3 },
        default: "3",
        about: "1: a table of values, 2: playouts by the Bradley-Terry model, 3: both",
    },
    switch("priors", "on", "prior knowledge of moves"),
    percent("tactical", "20", "chance of the tactical element for a candidate, in percent"),
    percent("punishment", "0", "by how much a remembered value counts less if no rule led to it"),
    OptionSpec {
        name: "pick",
        kind: Kind::Choice(&["best", "sample"]),
        default: "best",
        about: "how a playout takes one of the candidates: the strongest, or by probability",
    },
    bytes("values", "size of the table of values, of each thread"),
    bytes("moves", "size of the table of moves, of each thread"),
];

const fn percent(name: &'static str, default: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: Kind::Integer { min: 0, max: 100 }, default, about }
}

const fn bytes(name: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: Kind::Bytes, default: "64MB", about }
}

const OPTIONS: [OptionSpec; OWN_OPTIONS.len() + go_search::OPTIONS.len()] = {
    let mut all = [OWN_OPTIONS[0]; OWN_OPTIONS.len() + go_search::OPTIONS.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = match index < OWN_OPTIONS.len() {
            true => OWN_OPTIONS[index],
            false => go_search::OPTIONS[index - OWN_OPTIONS.len()],
        };
        index += 1;
    }
    all
};

fn design(options: &Options) -> Design {
    let version = options.integer("version");
    let model = || Model {
        moves: options.bytes("moves"),
        tactical: options.integer("tactical") as u32,
        pick: if options.text("pick") == "sample" { Pick::Sample } else { Pick::Best },
    };
    Design {
        values: (version != 2).then(|| options.bytes("values")),
        punishment: options.integer("punishment") as u32,
        model: (version != 1).then(model),
    }
}

/// BTT-Go.
struct BttPlayer {
    player: GoPlayer<BttGuide>,
}

fn build(options: &Options, resources: &Resources) -> Result<BttPlayer, TextError> {
    let (mut knowledge, design) = (fuego_like::knowledge(options)?, design(options));
    if !options.switch("priors") {
        knowledge.priors = Priors::none();
    }
    // Nakade is among the rules the source lists for the candidates of its playouts.
    if design.model.is_some() && !options.text("without").contains("nakade") {
        knowledge.policy.nakade = 100;
    }
    let guide = || BttGuide::new(knowledge.guide(), &design);
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, guide);
    Ok(BttPlayer { player: GoPlayer::new(ID, options, mcts)? })
}

impl BttPlayer {
    /// Adds what the table of values, or else that of moves, did in this game.
    fn with_table(&self, mut choice: Choice<Move>) -> Choice<Move> {
        let guide = self.player.mcts().guides().next();
        choice.report.table = guide.and_then(|guide| {
            let [values, moves] = guide.tables();
            values.or(moves)
        });
        choice
    }
}

impl Player<Go> for BttPlayer {
    fn name(&self) -> &str {
        ID
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let choice = self.player.choose(game, limits, watch)?;
        Ok(self.with_table(choice))
    }

    fn new_game(&mut self, seed: u64) {
        self.player.mcts_mut().guides_mut().for_each(BttGuide::clear);
        self.player.new_game(seed);
    }
}

impl Traced<Go> for BttPlayer {
    fn choose_traced(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        size: usize,
    ) -> Result<(Choice<Move>, Recording<Move>), PlayerError> {
        let (choice, recording) = self.player.choose_traced(game, limits, watch, size)?;
        Ok((self.with_table(choice), recording))
    }
}

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: ID,
        about: "Fuego's search with tables of positions and Bradley-Terry playouts (2014)",
        options: &OPTIONS,
        build: |options, resources| Ok(Box::new(build(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build(options, resources)?))),
    }
}
