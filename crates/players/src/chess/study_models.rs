//! Weights of the study's learned players: those that are part of the program, and those of a file.

use crate::settings;
use ludus_core::{PlayerError, TextError};
use ludus_knowledge::chess::{STUDY_PLANES, StudyMoveModel};
use ludus_models::conv_net::ConvNet;
use std::sync::{Arc, LazyLock};

/// Weights that are part of the program, by the names of their files in `data/study`. `None` until they are
/// trained and committed: then `Some(include_bytes!("…"))`.
struct BuiltIn {
    name: &'static str,
    recipe: &'static str,
    bytes: Option<&'static [u8]>,
}

const CNN: BuiltIn = BuiltIn { name: "chess-cnn.net", recipe: "chess-cnn", bytes: None };
const CNN_TURN: BuiltIn =
    BuiltIn { name: "chess-cnn-turn.net", recipe: "chess-cnn-turn", bytes: None };
const LOGREG: BuiltIn = BuiltIn { name: "logreg.txt", recipe: "chess-logreg", bytes: None };
const LOGREG_INTERACTIONS: BuiltIn =
    BuiltIn { name: "logreg-interactions.txt", recipe: "chess-logreg-interactions", bytes: None };

/// Whether the player `id` plays only with `weights=FILE`, because its weights are not part of the program.
pub fn lacks_weights(id: &str) -> bool {
    match id {
        "study-cnn" | "study-minimax-cnn" => CNN.bytes.is_none(),
        "study-logreg" => LOGREG.bytes.is_none(),
        _ => false,
    }
}

impl BuiltIn {
    fn bytes(&self, player: &str) -> Result<&'static [u8], TextError> {
        self.bytes.ok_or_else(|| {
            let expected = format!(
                "a file made by `ludus train recipes/{}.toml`: {} is not part of this program yet",
                self.recipe, self.name
            );
            TextError::whole(&format!("weights of {player}"), "", expected)
        })
    }
}

/// A network with the planes it wants.
#[derive(Debug)]
pub struct CnnModel {
    /// The network.
    pub net: ConvNet,
    /// Whether it sees the side to move.
    pub turn: bool,
}

impl CnnModel {
    /// Reads a network of 14 planes, or 15 with that of the side to move; `name` is the file's, for errors.
    ///
    /// # Errors
    /// If it is no network, damaged, or of another number of planes.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<CnnModel, TextError> {
        let net = ConvNet::from_bytes(bytes, name)?;
        let turn = match net.planes() {
            STUDY_PLANES => false,
            planes if planes == STUDY_PLANES + 1 => true,
            planes => {
                let expected = format!(
                    "a network of {STUDY_PLANES} planes, or one more with the side to move, not {planes}"
                );
                return Err(TextError::whole("weights", name, expected));
            }
        };
        Ok(CnnModel { net, turn })
    }
}

/// The network of `player`: that of the file `weights`, or the built-in one with or without the side to move.
///
/// # Errors
/// If the file cannot be read or does not fit, or the program has no such network.
pub fn cnn(player: &str, weights: &str, turn: bool) -> Result<Arc<CnnModel>, PlayerError> {
    static PUBLISHED: LazyLock<Arc<CnnModel>> = LazyLock::new(|| parse_cnn(&CNN));
    static WITH_TURN: LazyLock<Arc<CnnModel>> = LazyLock::new(|| parse_cnn(&CNN_TURN));
    if !weights.is_empty() {
        let model = cnn_of_file("weights", weights)?;
        if model.turn != turn {
            let expected =
                if model.turn { "on: its network sees" } else { "off: its network does not see" };
            let expected = format!("{expected} the side to move");
            let found = if turn { "on" } else { "off" };
            return Err(TextError::whole(&format!("turn of {player}"), found, expected).into());
        }
        return Ok(Arc::new(model));
    }
    let (built_in, model) = if turn { (&CNN_TURN, &WITH_TURN) } else { (&CNN, &PUBLISHED) };
    built_in.bytes(player)?;
    Ok(Arc::clone(model))
}

/// The network of a file that `option` names, whatever planes it sees.
///
/// # Errors
/// If the file cannot be read or is no such network.
pub fn cnn_of_file(option: &str, file: &str) -> Result<CnnModel, PlayerError> {
    Ok(CnnModel::from_bytes(&settings::read_bytes(option, file)?, file)?)
}

fn parse_cnn(built_in: &BuiltIn) -> Arc<CnnModel> {
    let bytes = built_in.bytes.unwrap_or_default();
    Arc::new(CnnModel::from_bytes(bytes, built_in.name).expect("the built-in network is sound"))
}

/// The move model of `player`: that of the file `weights`, or the built-in one with or without interactions.
///
/// # Errors
/// If the file cannot be read or does not fit, or the program has no such model.
pub fn moves(
    player: &str,
    weights: &str,
    interactions: bool,
) -> Result<Arc<StudyMoveModel>, PlayerError> {
    static PUBLISHED: LazyLock<Arc<StudyMoveModel>> = LazyLock::new(|| parse_moves(&LOGREG));
    static INTERACTING: LazyLock<Arc<StudyMoveModel>> =
        LazyLock::new(|| parse_moves(&LOGREG_INTERACTIONS));
    if !weights.is_empty() {
        let model = StudyMoveModel::parse(&settings::read("weights", weights)?)?;
        if model.has_interactions() != interactions {
            let (found, expected) = if interactions { ("on", "off") } else { ("off", "on") };
            let expected = format!("{expected}, as in the file {weights}");
            let subject = format!("interactions of {player}");
            return Err(TextError::whole(&subject, found, expected).into());
        }
        return Ok(Arc::new(model));
    }
    let (built_in, model) =
        if interactions { (&LOGREG_INTERACTIONS, &INTERACTING) } else { (&LOGREG, &PUBLISHED) };
    built_in.bytes(player)?;
    Ok(Arc::clone(model))
}

fn parse_moves(built_in: &BuiltIn) -> Arc<StudyMoveModel> {
    let text = String::from_utf8_lossy(built_in.bytes.unwrap_or_default());
    Arc::new(StudyMoveModel::parse(&text).expect("the built-in weights are sound"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ludus_core::Random;
    use ludus_knowledge::chess::{STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS};
    use std::{fs, path::PathBuf};

    /// An untrained network.
    pub fn random_cnn(turn: bool) -> CnnModel {
        let net = ConvNet::new(STUDY_PLANES + usize::from(turn), &mut Random::new(5));
        CnnModel { net, turn }
    }

    /// Files of untrained weights in `folder`: of a network, and of moves.
    pub fn random_files(folder: &tempfile::TempDir, more: bool) -> [PathBuf; 2] {
        let [net, moves] = ["chess-cnn.net", "moves.txt"].map(|name| folder.path().join(name));
        fs::write(&net, random_cnn(more).net.to_bytes("untrained")).unwrap();
        let features = if more { STUDY_FEATURES_WITH_INTERACTIONS } else { STUDY_FEATURES };
        let mut random = Random::new(9);
        let weights = (0..features).map(|_| random.normal() as f32).collect();
        fs::write(&moves, StudyMoveModel::new(0.25, weights).to_text("untrained")).unwrap();
        [net, moves]
    }

    #[test]
    fn files_must_fit_the_options() {
        let folder = tempfile::tempdir().unwrap();
        let [net, weights] = random_files(&folder, true);
        let (net, weights) = (net.to_str().unwrap(), weights.to_str().unwrap());
        assert!(cnn("study-cnn", net, true).unwrap().turn);
        let error = cnn("study-cnn", net, false).unwrap_err().to_string();
        assert!(error.contains("turn of study-cnn") && error.contains("expected on"), "{error}");
        assert!(moves("study-logreg", weights, true).unwrap().has_interactions());
        let error = moves("study-logreg", weights, false).unwrap_err().to_string();
        assert!(
            error.contains("interactions of study-logreg") && error.contains("expected on"),
            "{error}"
        );
        let error = cnn("study-cnn", weights, false).unwrap_err().to_string();
        assert!(error.contains("conv net"), "{error}");
        assert!(moves("study-logreg", net, false).is_err());
        assert!(cnn("study-cnn", "/nowhere.net", false).is_err());
    }

    #[test]
    fn built_in_weights_are_sound_or_said_to_be_missing() {
        for turn in [false, true] {
            match cnn("study-cnn", "", turn) {
                Ok(model) => assert_eq!(model.turn, turn),
                Err(error) => {
                    let error = error.to_string();
                    assert!(
                        error.contains("weights of study-cnn") && error.contains("ludus train"),
                        "{error}"
                    );
                }
            }
            match moves("study-logreg", "", turn) {
                Ok(model) => assert_eq!(model.has_interactions(), turn),
                Err(error) => {
                    assert!(error.to_string().contains("not part of this program"), "{error}");
                }
            }
        }
    }
}
