//! Playing the pairs, and counting their games.

use super::{NamedPlayer, PairMatch, PairMatches, PairStatement};
use crate::{
    TrainingError,
    reproduce::{
        DrawKinds, ExperimentProgress, ExperimentRunner, Findings, NamedExperiment,
        run::{MatchSlice, PlayedMatch, last_position, store_error},
    },
};
use ludus_arena::{
    adjudicate::Adjudication,
    contest::ContestSpec,
    game::PlayerStats,
    schedule::TournamentFormat,
    store::StoredGame,
    table::{HeadToHead, Standings},
};
use ludus_core::{Limits, Outcome, Side};
use ludus_players::{AnalysisControl, Game, Resources, find_game};
use serde::{Deserialize, Serialize};

/// Results of all pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairFindings {
    /// Results of each pair, in the order of the experiment.
    pub pairs: Vec<PairResult>,
}

/// Results of a pair, for its first player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairResult {
    /// Number of games to be played.
    pub games: u64,
    /// Reason why it was not played.
    pub skipped: Option<String>,
    /// Wins, draws, losses and game pairs.
    pub cell: HeadToHead,
    /// Draws by their reason.
    pub draws: DrawKinds,
    /// Search effort of both players.
    pub efforts: [PlayerStats; 2],
    /// Last positions that were judged.
    pub judged: Vec<JudgedEnd>,
    /// Games of each statement, in the order of the experiment.
    pub statements: Vec<StatementCount>,
}

/// Score of the last position of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedEnd {
    /// Number of the game.
    pub game: u64,
    /// Score for the first side, in hundredths; `None` if the judge gives none.
    pub score: Option<i32>,
}

/// Games a statement is about.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementCount {
    /// Games it is about.
    pub among: u64,
    /// Those of them that have the property.
    pub holding: u64,
}

impl ExperimentRunner<'_> {
    pub(in crate::reproduce) fn check_pairs(
        &self,
        named: &NamedExperiment,
        pairs: &PairMatches,
    ) -> Result<(), TrainingError> {
        let (game, options) = find_game(&pairs.game)?;
        self.openings(named, &pairs.openings, game, &options)?;
        self.check_named_players(game, &pairs.players)?;
        if let Some(judge) = &pairs.judge {
            game.check_player(judge, &self.resources)?;
        }
        Ok(())
    }

    /// Checks the players that need nothing that may be missing.
    pub(in crate::reproduce) fn check_named_players(
        &self,
        game: &'static dyn Game,
        players: &[NamedPlayer],
    ) -> Result<(), TrainingError> {
        for NamedPlayer { player, .. } in players.iter().filter(|player| player.needs.is_none()) {
            game.check_player(player, &self.resources)?;
        }
        Ok(())
    }

    /// Reason why a player cannot play here, if it needs something that is missing.
    pub(in crate::reproduce) fn missing(
        &self,
        game: &'static dyn Game,
        player: &NamedPlayer,
    ) -> Option<String> {
        let needs = player.needs.as_ref()?;
        let error = game.check_player(&player.player, &self.resources).err()?;
        Some(format!("{} needs {needs}: {error}", player.name))
    }

    pub(in crate::reproduce) fn play_pairs(
        &self,
        named: &NamedExperiment,
        pairs: &PairMatches,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<Findings, TrainingError> {
        let (game, _) = find_game(&pairs.game)?;
        let games =
            |played: &PairMatch| self.overrides.games.or(played.games).unwrap_or(pairs.games);
        let missing = |played: &PairMatch| {
            let players = [&played.first, &played.second].map(|name| pairs.player(name));
            players.into_iter().flatten().find_map(|player| self.missing(game, player))
        };
        let mut found: Vec<PairResult> = pairs
            .matches
            .iter()
            .map(|played| PairResult {
                games: games(played),
                skipped: missing(played),
                ..PairResult::default()
            })
            .collect();
        let is_played = |result: &&PairResult| result.skipped.is_none();
        let total = found.iter().filter(is_played).map(|result| result.games).sum();
        let mut before = 0;
        for (played, result) in pairs.matches.iter().zip(&mut found) {
            if result.skipped.is_some() {
                continue;
            }
            let title = format!("{}: {}", named.name, played.title());
            let part = MatchSlice { name: &title, before, total };
            let setup = self.pair_setup(named, pairs, played, result.games)?;
            let stored = self.play_contest(&setup, &part, on_step)?;
            let games = self.store.contest_games(stored.id).collect::<Result<Vec<_>, _>>();
            let games = games.map_err(|error| store_error(&error))?;
            let judged = self.judge_ends(&setup, pairs, played, &games)?;
            *result = count(pairs, played, &stored.standings, &games, judged, result.games);
            before += result.games;
        }
        Ok(Findings::Pairs(PairFindings { pairs: found }))
    }

    /// Contests of the pairs that were played.
    pub(in crate::reproduce) fn pair_setups(
        &self,
        named: &NamedExperiment,
        pairs: &PairMatches,
        found: &PairFindings,
    ) -> Result<Vec<ContestSpec>, TrainingError> {
        let results = pairs.matches.iter().zip(&found.pairs);
        results
            .filter(|(_, result)| result.skipped.is_none())
            .map(|(played, result)| self.pair_setup(named, pairs, played, result.games))
            .collect()
    }

    fn pair_setup(
        &self,
        named: &NamedExperiment,
        pairs: &PairMatches,
        played: &PairMatch,
        games: u64,
    ) -> Result<ContestSpec, TrainingError> {
        let (game, options) = find_game(&pairs.game)?;
        let player = |name: &str| pairs.player(name).map(|player| player.player.clone());
        let players = [&played.first, &played.second].map(|name| player(name).unwrap_or_default());
        Ok(ContestSpec {
            kind: "match",
            name: format!("reproduce {}: {}", named.name, played.title()),
            openings: self.openings(named, &pairs.openings, game, &options)?,
            game,
            options,
            players: players.into(),
            resources: self.resources.clone(),
            form: TournamentFormat::RoundRobin,
            games,
            limits: Limits { depth: pairs.depth, nodes: pairs.nodes, ..Limits::default() },
            adjudication: Adjudication { max_plies: pairs.max_plies, ..Adjudication::default() },
            sprt: None,
            seed: named.experiment.seed,
            concurrency: self.concurrency,
        })
    }

    /// Scores the last positions of the games whose statements ask who is ahead.
    fn judge_ends(
        &self,
        setup: &ContestSpec,
        pairs: &PairMatches,
        played: &PairMatch,
        games: &[StoredGame],
    ) -> Result<Vec<JudgedEnd>, TrainingError> {
        let Some(judge) = &pairs.judge else { return Ok(Vec::new()) };
        let is_asked = |game: &&StoredGame| {
            let mut asking = pairs.statements.iter().filter(|it| it.ahead_by.is_some());
            asking.any(|statement| statement.side_in(played, game).is_some())
        };
        games.iter().filter(is_asked).map(|game| self.judge_end(setup, judge, game)).collect()
    }

    fn judge_end(
        &self,
        setup: &ContestSpec,
        judge: &str,
        game: &StoredGame,
    ) -> Result<JudgedEnd, TrainingError> {
        self.check_not_stopped()?;
        let last = last_position(setup, game)?;
        // A draw by repetition or length ends the game, not the position.
        let board = setup.game.open(&setup.options, Some(&last.position()))?;
        let sign = if board.turn() == Side::First { 1 } else { -1 };
        if board.ending().is_some() {
            let score = match game.result {
                Outcome::Draw => 0,
                Outcome::Win(Side::First) => i32::MAX,
                Outcome::Win(Side::Second) => -i32::MAX,
            };
            return Ok(JudgedEnd { game: game.index, score: Some(score) });
        }
        let resources = Resources { seed: setup.seed, ..self.resources.clone() };
        let mut player = setup.game.player(judge, &resources)?;
        let mut control =
            AnalysisControl { limits: Limits::default(), stop: self.stop, on_report: &mut |_| {} };
        let turn = player.choose(&*board, &mut control)?;
        let score = turn.report.numbers.score.map(|score| sign * score.0);
        drop(turn);
        self.check_not_stopped()?;
        Ok(JudgedEnd { game: game.index, score })
    }

    /// Scores some last positions again; the numbers of those that are scored differently now.
    pub(in crate::reproduce) fn judged_differently(
        &self,
        pairs: &PairMatches,
        found: &PairResult,
        played: &PlayedMatch<'_>,
        most: usize,
    ) -> Result<Vec<u64>, TrainingError> {
        let Some(judge) = &pairs.judge else { return Ok(Vec::new()) };
        let mut different = Vec::new();
        for end in found.judged.iter().take(most) {
            let Some(game) = played.games.iter().find(|game| game.index == end.game) else {
                different.push(end.game);
                continue;
            };
            if self.judge_end(played.setup, judge, game)? != *end {
                different.push(end.game);
            }
        }
        Ok(different)
    }
}

/// Counts the games of a pair.
pub(in crate::reproduce) fn count(
    pairs: &PairMatches,
    played: &PairMatch,
    standings: &Standings,
    games: &[StoredGame],
    judged: Vec<JudgedEnd>,
    planned: u64,
) -> PairResult {
    let statement_count = |statement: &PairStatement| {
        let mut count = StatementCount::default();
        for game in games {
            let Some(side) = statement.side_in(played, game) else { continue };
            let end = judged.iter().find(|end| end.game == game.index);
            count.among += 1;
            let score = end.and_then(|end| end.score);
            count.holding += u64::from(statement.holds(game, side, score));
        }
        count
    };
    PairResult {
        games: planned,
        skipped: None,
        cell: standings.cells[0][1],
        draws: DrawKinds::count(games),
        efforts: [standings.player_stats[0], standings.player_stats[1]],
        statements: pairs.statements.iter().map(statement_count).collect(),
        judged,
    }
}

impl PairFindings {
    /// The same, counted again from the games of the pairs that were played.
    pub(in crate::reproduce) fn recounted(
        &self,
        pairs: &PairMatches,
        contests: &[PlayedMatch<'_>],
    ) -> Result<PairFindings, TrainingError> {
        let mut contests = contests.iter();
        let mut found = self.clone();
        for (played, result) in pairs.matches.iter().zip(&mut found.pairs) {
            if result.skipped.is_some() {
                continue;
            }
            let Some(contest) = contests.next() else {
                return Err(TrainingError::Disk(format!("{}: no games", played.title())));
            };
            let judged = std::mem::take(&mut result.judged);
            let standings = contest.standings()?;
            *result = count(pairs, played, &standings, contest.games, judged, result.games);
        }
        Ok(found)
    }
}
