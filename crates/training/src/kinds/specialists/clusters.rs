//! Clusters of positions, by a self-organising map.

use super::SomSettings;
use ludus_core::{Notation, PieceKind, Position, Random, Side, TextError};
use ludus_games::draughts::Draughts;
use ludus_models::{Som, som::squared_distance};
use ludus_players::draughts::mp_draughts::inputs;

/// A self-organising map and the positions of each of its units.
pub(super) struct Clusters {
    pub map: Som,
    boards: Vec<Draughts>,
    inputs: Vec<Vec<f32>>,
    /// Indices of the positions of each cluster.
    members: Vec<Vec<usize>>,
    /// Quantisation error after each epoch.
    pub errors: Vec<f64>,
}

/// Mean material of one side.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct MeanMaterial {
    pub pieces: f64,
    pub kings: f64,
}

impl Clusters {
    /// Trains a map on the positions.
    ///
    /// # Errors
    /// If a cluster is empty.
    pub fn new(
        settings: &SomSettings,
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
                "boards in all {} clusters; more boards, another seed or fewer mp.map.units may help",
                settings.units
            );
            return Err(TextError::whole("map", &found, expected));
        }
        Ok(Clusters { map, boards, inputs, members, errors })
    }

    /// Mean distance of the positions from their units.
    pub fn error(&self) -> f64 {
        self.map.quantisation_error(&self.inputs)
    }

    pub fn sizes(&self) -> Vec<usize> {
        self.members.iter().map(Vec::len).collect()
    }

    pub fn boards(&self) -> usize {
        self.boards.len()
    }

    /// First positions of each cluster, at most `most` of them.
    pub fn first_boards(&self, most: usize) -> Vec<Vec<Draughts>> {
        let first = |places: &Vec<usize>| {
            places.iter().take(most).map(|&place| self.boards[place]).collect()
        };
        self.members.iter().map(first).collect()
    }

    /// Position nearest to its unit, from the point of view of the side to move, shown as Black.
    pub fn typical(&self, cluster: usize) -> Draughts {
        let unit = &self.map.units[cluster];
        let distance = |place: usize| squared_distance(unit, &self.inputs[place]);
        let nearest = |one: &&usize, other: &&usize| distance(**one).total_cmp(&distance(**other));
        let place = self.members[cluster].iter().min_by(nearest).expect("no cluster is empty");
        as_black(&self.boards[*place])
    }

    /// Mean material of the side to move and of the other.
    pub fn forces(&self, cluster: usize) -> [MeanMaterial; 2] {
        let mut forces = [MeanMaterial::default(); 2];
        let members = &self.members[cluster];
        let share = 1.0 / members.len() as f64;
        for &place in members {
            for piece in as_black(&self.boards[place]).view().cells.iter().filter_map(|it| it.piece)
            {
                let force = &mut forces[usize::from(piece.side != Side::First)];
                force.pieces += share;
                force.kings += if piece.kind == PieceKind::DraughtsKing { share } else { 0.0 };
            }
        }
        forces
    }

    /// A line for each position: the number of its cluster and the position.
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

/// The position with Black to move; colours swapped if it was White.
fn as_black(board: &Draughts) -> Draughts {
    match board.turn() {
        Side::First => *board,
        Side::Second => board.colour_flipped().expect("draughts can be turned round"),
    }
}
