//! Labels of positions: a judge's scores.

use super::{
    label_file::{LabelFile, LabelledPosition, RECORDS_PER_PIECE, piece_bytes, piece_count},
    positions::PositionDraw,
};
use crate::{
    Run, TrainingError, TrainingStage, linear_eval::evaluation_checksum, parallel::in_order,
    players::check_judge,
};
use ludus_core::{History, Limits, Player, PlayerError, Position, Random, Score, SearchControl};
use ludus_games::chess::{Chess, PackedChess};
use ludus_players::{Resources, build_player};
use serde_json::{Value, json};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// File of the run's own labelled positions.
pub(super) const LABELS_FILE: &str = "positions.bin";
/// Pieces between two log entries.
const LOG_INTERVAL: u64 = 40;

const LABELLING: TrainingStage =
    TrainingStage { activity: "labelling positions", unit: "positions" };

/// Positions to draw, and the player that labels them.
pub(super) struct Labelling<'a> {
    /// Positions to draw.
    pub draw: PositionDraw,
    /// Specification of the judge.
    pub judge: &'a str,
}

impl Labelling<'_> {
    /// Checks that the judge exists and gives the same labels each time.
    pub fn check(&self) -> Result<(), PlayerError> {
        check_judge::<Chess>(self.judge)
    }

    /// Labels the positions of a run that are not labelled yet. Every piece is a pure function of
    /// recipe and number.
    pub fn run(&self, run: &mut Run<'_>) -> Result<(), TrainingError> {
        let path = run.folder.file(LABELS_FILE);
        let mut file = LabelFile::open(&path, &self.header()?)?;
        let pieces = piece_count(self.draw.count as u64);
        if file.pieces == pieces {
            return Ok(());
        }
        let positions = self.draw.for_run(run)?;
        let (first, started, stop) = (file.pieces, Instant::now(), run.stop);
        let make = || self.build();
        let work = |judge: &mut Box<dyn Player<Chess>>, piece| {
            let first = piece as usize * RECORDS_PER_PIECE;
            let end = positions.len().min(first + RECORDS_PER_PIECE);
            self.label(judge.as_mut(), first, &positions[first..end], stop)
        };
        in_order(first..pieces, run.job.threads, make, work, |piece: Vec<LabelledPosition>| {
            let labelled =
                |pieces: u64| (pieces * RECORDS_PER_PIECE as u64).min(positions.len() as u64);
            let number = file.pieces + 1;
            let (done, total) = (labelled(number), positions.len() as u64);
            let seconds = started.elapsed().as_secs_f64();
            if number.is_multiple_of(LOG_INTERVAL) || done == total {
                run.log(&json!({
                    "event": "labels", "number": number, "positions": done, "seconds": seconds,
                }))?;
            }
            file.append(&piece_bytes(&piece))
                .map_err(|error| TrainingError::disk(&path, &error))?;
            let rate = (done - labelled(first)) as f64 / seconds.max(1e-9);
            run.progress(LABELLING, done, total, format!("{rate:.0} positions/s"));
            Ok(())
        })
    }

    fn build(&self) -> Result<Box<dyn Player<Chess>>, TrainingError> {
        let resources = Resources { seed: self.draw.seed, ..Resources::default() };
        Ok(build_player::<Chess>(self.judge, &resources)?)
    }

    /// Line that tells the positions and the judge: a program by its build, our own players by their
    /// evaluations.
    fn header(&self) -> Result<Value, TrainingError> {
        let PositionDraw { count, plies, seed } = self.draw;
        let build = self.build()?.external_build();
        let build = build.unwrap_or_else(|| evaluation_checksum::<Chess>(self.judge));
        Ok(json!({
            "judge": self.judge,
            "build": build,
            "positions": count,
            "plies": plies,
            "seed": seed,
        }))
    }

    /// Labels positions from number `first` on.
    fn label(
        &self,
        judge: &mut dyn Player<Chess>,
        first: usize,
        positions: &[PackedChess],
        stop: &AtomicBool,
    ) -> Result<Vec<LabelledPosition>, TrainingError> {
        let label = |(number, &packed): (usize, &PackedChess)| {
            let position = packed.unpack().expect("a drawn position");
            let seed = Random::new(self.draw.seed).split(&format!("judge, position {number}"));
            judge.new_game(seed.clone().bits());
            let sign = position.turn().sign();
            let mut control = SearchControl { stop, on_report: &mut |_| {} };
            let game = History::new(position);
            let choice = judge.choose(&game, &Limits::default(), &mut control)?;
            // The result of a stopped search is not the one it would have come to.
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            // None if not even the first iteration is complete.
            let score = choice.report.score.map(|score| Score(score.0 * sign));
            Ok(LabelledPosition::new(packed, score))
        };
        (first..).zip(positions).map(label).collect()
    }
}
