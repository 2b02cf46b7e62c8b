//! `minimax`: the textbook's first search, to a fixed depth.

use crate::{Recipe, Roster};
use ludus_core::{Choice, History, Judged, Kind, Limits, OptionSpec, Player, PlayerError, Watch};
use ludus_engine::search::{Budget, Minimax};

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "depth",
    kind: Kind::Integer { min: 1, max: 100 },
    default: "3",
    about: "plies to look ahead; --depth goes before it",
}];

pub fn recipe<P: Roster>() -> Recipe<P> {
    Recipe {
        id: "minimax",
        about: "every line to a fixed depth, nothing pruned",
        options: OPTIONS,
        build: |options, _| {
            let depth = options.integer("depth") as u32;
            Ok(Box::new(MinimaxPlayer { evaluation: P::hand(), depth }))
        },
    }
}

struct MinimaxPlayer<P: Judged> {
    evaluation: P::Hand,
    depth: u32,
}

impl<P: Judged> Player<P> for MinimaxPlayer<P> {
    fn name(&self) -> &str {
        "minimax"
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let depth = limits.depth.unwrap_or(self.depth);
        let mut budget = Budget::new(limits, watch.stop);
        let report = Minimax::new(&mut self.evaluation, &mut budget).search(game.last(), depth);
        let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
        (watch.on_report)(&report);
        Ok(Choice::play(mv, report))
    }
}
