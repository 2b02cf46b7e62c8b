//! Boards divided by a self-organising map.

use super::MapSettings;
use ludus_core::{HasEval, Notation, PieceKind, Position, Random, Side, TextError};
use ludus_games::draughts::Draughts;
use ludus_models::{Som, som::squared_distance};
use ludus_players::mp_draughts::inputs;

/// The map and what fell to each of its units.
pub(super) struct Clusters {
    pub map: Som,
    boards: Vec<Draughts>,
    inputs: Vec<Vec<f32>>,
    /// The places of the boards of each cluster.
    members: Vec<Vec<usize>>,
    /// The quantisation error after each epoch.
    pub errors: Vec<f64>,
}

/// The pieces of one side, on average.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Force {
    pub pieces: f64,
    pub kings: f64,
}

impl Clusters {
    /// Trains a map on the boards.
    ///
    /// # Errors
    /// If a cluster is empty.
    pub fn new(
        settings: &MapSettings,
        boards: Vec<Draughts>,
        seed: u64,
    ) -> Result<Clusters, TextError> {
        let inputs: Vec<Vec<f32>> = boards.iter().map(inputs).collect();
        let mut map = Som::random(settings.units, &inputs, &mut Random::new(seed).split("map"));
        let mut errors = Vec::new();
        map.train(&inputs, settings.training(), |_, error| errors.push(error));
        let members = map.clusters(&inputs);
        let empty: Vec<String> = members
            .iter()
            .enumerate()
            .filter(|(_, members)| members.is_empty())
            .map(|(index, _)| (index + 1).to_string())
            .collect();
        if !empty.is_empty() {
            let found = format!("no boards in clusters {}", empty.join(", "));
            let expected = format!(
                "boards in all {} clusters; more boards, another seed or fewer mp.map.units would do",
                settings.units
            );
            return Err(TextError::whole("map", &found, expected));
        }
        Ok(Clusters { map, boards, inputs, members, errors })
    }

    /// The mean distance of boards from their units.
    pub fn error(&self) -> f64 {
        self.map.quantisation_error(&self.inputs)
    }

    pub fn sizes(&self) -> Vec<usize> {
        self.members.iter().map(Vec::len).collect()
    }

    pub fn boards(&self) -> usize {
        self.boards.len()
    }

    /// The first boards of each cluster, at most `most` of them.
    pub fn first_boards(&self, most: usize) -> Vec<Vec<Draughts>> {
        let first = |places: &Vec<usize>| {
            places.iter().take(most).map(|&place| self.boards[place]).collect()
        };
        self.members.iter().map(first).collect()
    }

    /// The board nearest to its unit, as the side to move sees it: as Black.
    pub fn typical(&self, cluster: usize) -> Draughts {
        let unit = &self.map.units[cluster];
        let distance = |place: usize| squared_distance(unit, &self.inputs[place]);
        let nearest = |one: &&usize, other: &&usize| distance(**one).total_cmp(&distance(**other));
        let place = self.members[cluster].iter().min_by(nearest).expect("no cluster is empty");
        as_black(&self.boards[*place])
    }

    /// The mean forces of the side to move and of the other.
    pub fn forces(&self, cluster: usize) -> [Force; 2] {
        let mut forces = [Force::default(); 2];
        let members = &self.members[cluster];
        let share = 1.0 / members.len() as f64;
        for &place in members {
            for piece in as_black(&self.boards[place]).view().cells.iter().filter_map(|it| it.piece)
            {
                let force = &mut forces[usize::from(piece.side != Side::First)];
                force.pieces += share;
                force.kings += if piece.kind == PieceKind::Crowned { share } else { 0.0 };
            }
        }
        forces
    }

    /// A line for each board: the number of its cluster and the board.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (index, members) in self.members.iter().enumerate() {
            for &place in members {
                text += &format!("{} {}\n", index + 1, self.boards[place].text());
            }
        }
        text
    }
}

/// The board with Black to move, turned round if it was White.
fn as_black(board: &Draughts) -> Draughts {
    match board.turn() {
        Side::First => *board,
        Side::Second => board.swapped().expect("draughts can be turned round"),
    }
}
