//! The margins, reductions and thresholds of the selective search, as named data.
//!
//! A game may override any of them in its [`SearchSettings`](super::SearchSettings); a tuner sets
//! them by name. Margins are in hundredths of the game's unit (centipawns in chess) and are
//! multiplied by [`margin_scale`](SearchParams::margin_scale); depths, reductions and extensions
//! are in plies.

use ludus_core::TextError;

/// The name, default and permitted range of one search parameter.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// Name of the field of [`SearchParams`].
    pub name: &'static str,
    /// Default value.
    pub default: f64,
    /// Smallest permitted value.
    pub min: f64,
    /// Largest permitted value.
    pub max: f64,
    /// Whether only whole numbers are permitted.
    pub is_integer: bool,
    /// Technique, quantity and unit.
    pub about: &'static str,
}

/// A type of parameter values.
trait ParamValue: Copy {
    const IS_INTEGER: bool;
    fn to_f64(self) -> f64;
    fn from_f64(value: f64) -> Self;
}

impl ParamValue for i32 {
    const IS_INTEGER: bool = true;

    fn to_f64(self) -> f64 {
        self.into()
    }

    fn from_f64(value: f64) -> i32 {
        value as i32
    }
}

impl ParamValue for f64 {
    const IS_INTEGER: bool = false;

    fn to_f64(self) -> f64 {
        self
    }

    fn from_f64(value: f64) -> f64 {
        value
    }
}

macro_rules! search_params {
    ($(#[doc = $doc:literal] $name:ident: $kind:ty = $default:literal, $min:literal to $max:literal;)+) => {
        /// The parameters of the selective search.
        #[derive(Copy, Clone, Debug, PartialEq)]
        pub struct SearchParams {
            $(#[doc = $doc] pub $name: $kind,)+
        }

        impl SearchParams {
            /// The values of a game that overrides none.
            pub const DEFAULT: SearchParams = SearchParams { $($name: $default,)+ };

            /// All parameters with their ranges, in the order of the fields.
            pub const SPECS: &'static [ParamSpec] = &[$(ParamSpec {
                name: stringify!($name),
                default: $default as f64,
                min: $min as f64,
                max: $max as f64,
                is_integer: <$kind as ParamValue>::IS_INTEGER,
                about: $doc.trim_ascii(),
            },)+];

            /// The value of the parameter with this name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(self.$name.to_f64()),)+
                    _ => None,
                }
            }

            fn assign(&mut self, name: &str, value: f64) {
                match name {
                    $(stringify!($name) => self.$name = ParamValue::from_f64(value),)+
                    _ => {}
                }
            }
        }
    };
}

search_params! {
    /// All margins: factor in hundredths; 400 where the game's unit is worth a quarter of a pawn.
    margin_scale: i32 = 100, 1 to 1000;
    /// Aspiration windows: half width of the first window, in hundredths of the game's unit.
    aspiration_width: i32 = 15, 1 to 10_000;
    /// Aspiration windows: smallest depth with a narrow window, in plies.
    aspiration_min_depth: i32 = 4, 1 to 64;
    /// Aspiration windows: factor of the half width after each failure.
    aspiration_growth: i32 = 2, 2 to 100;
    /// Aspiration windows: half width beyond which the window is opened, in hundredths of the game's unit.
    aspiration_max_width: i32 = 1000, 1 to 10_000;
    /// Reverse futility pruning: largest depth, in plies.
    rfp_max_depth: i32 = 8, 0 to 64;
    /// Reverse futility pruning: margin for each ply of depth.
    rfp_margin: i32 = 80, 0 to 2000;
    /// Razoring: largest depth, in plies.
    razor_max_depth: i32 = 3, 0 to 64;
    /// Razoring: margin at depth 1.
    razor_base: i32 = 200, 0 to 2000;
    /// Razoring: further margin for each ply of depth beyond the first.
    razor_slope: i32 = 220, 0 to 2000;
    /// Null-move pruning: smallest depth, in plies; below it the rest would be little more than captures, which miss threats.
    nmp_min_depth: i32 = 5, 1 to 64;
    /// Null-move pruning: base reduction, in plies.
    nmp_base: i32 = 3, 0 to 64;
    /// Null-move pruning: plies of depth for each further ply of reduction.
    nmp_depth_divisor: i32 = 4, 1 to 64;
    /// Null-move pruning: margin of the static evaluation above beta for each further ply of reduction.
    nmp_eval_margin: i32 = 200, 1 to 2000;
    /// Null-move pruning: largest reduction for the static evaluation, in plies.
    nmp_eval_max: i32 = 3, 0 to 64;
    /// Internal iterative reduction: smallest depth, in plies.
    iir_min_depth: i32 = 4, 2 to 64;
    /// Late-move pruning: largest depth, in plies.
    lmp_max_depth: i32 = 8, 0 to 64;
    /// Late-move pruning: moves searched at any depth, before the square of the depth is added.
    lmp_base: i32 = 3, 0 to 1000;
    /// Late-move pruning: divisor of the number of moves searched if the static evaluation is not improving.
    lmp_not_improving_divisor: i32 = 2, 1 to 100;
    /// History pruning: largest depth, in plies.
    history_pruning_max_depth: i32 = 3, 0 to 64;
    /// History pruning: negative history score for each ply of depth at which a quiet move is pruned.
    history_pruning_margin: i32 = 3000, 0 to 32_768;
    /// History pruning: moves that are searched in any case.
    history_pruning_min_moves: i32 = 2, 0 to 1000;
    /// Futility pruning: largest depth after late-move reduction, in plies.
    futility_max_depth: i32 = 7, 0 to 64;
    /// Futility pruning: margin at any depth.
    futility_base: i32 = 90, 0 to 2000;
    /// Futility pruning: further margin for each ply of depth after late-move reduction.
    futility_slope: i32 = 75, 0 to 2000;
    /// SEE pruning: largest depth, in plies.
    see_max_depth: i32 = 8, 0 to 64;
    /// SEE pruning: material a quiet move may lose, for each ply of depth.
    see_quiet_margin: i32 = 60, 0 to 2000;
    /// SEE pruning: material a capture may lose, times the square of the depth.
    see_capture_margin: i32 = 22, 0 to 200;
    /// SEE pruning in quiescence: material balance of the exchange below which a capture is pruned.
    quiescence_see_threshold: i32 = 0, -2000 to 2000;
    /// Delta pruning in quiescence: margin on top of the static evaluation and the material gained.
    delta_margin: i32 = 200, 0 to 2000;
    /// Singular extensions: smallest depth, in plies.
    singular_min_depth: i32 = 7, 2 to 64;
    /// Singular extensions: plies by which the stored search of the move may be shallower.
    singular_table_depth: i32 = 3, 0 to 64;
    /// Singular extensions: margin below the stored score, for each ply of depth.
    singular_margin: i32 = 2, 0 to 1000;
    /// Singular extensions: divisor of the depth below the node for the search of the other moves.
    singular_depth_divisor: i32 = 2, 1 to 64;
    /// Singular extensions: plies more for a move that is singular.
    singular_extension: i32 = 1, 0 to 4;
    /// Negative extensions: plies less for a move that is not singular and whose stored score fails high.
    negative_extension: i32 = 1, 0 to 4;
    /// Extensions: plies from the root up to which lines are extended, as a multiple of the iteration's depth.
    extension_limit: i32 = 2, 0 to 8;
    /// Late-move reductions: smallest depth, in plies.
    lmr_min_depth: i32 = 3, 1 to 64;
    /// Late-move reductions: constant part, in plies.
    lmr_base: f64 = 0.4, 0 to 8;
    /// Late-move reductions: divisor of the product of the logarithms of depth and move number.
    lmr_divisor: f64 = 2.2, 0.5 to 100;
    /// Late-move reductions: plies more in a null window.
    lmr_null_window: i32 = 1, -4 to 4;
    /// Late-move reductions: plies more at an expected cut node.
    lmr_cut_node: i32 = 1, -4 to 4;
    /// Late-move reductions: plies less if the static evaluation is improving.
    lmr_improving: i32 = 1, -4 to 4;
    /// Late-move reductions: plies less for a killer move or countermove.
    lmr_refutation: i32 = 1, -4 to 4;
    /// Late-move reductions: plies less for a move that forces a response.
    lmr_forcing: i32 = 1, -4 to 4;
    /// Late-move reductions: plies less if the side to move must respond.
    lmr_must_respond: i32 = 1, -4 to 4;
    /// Late-move reductions: history score for a ply less of reduction.
    lmr_history_divisor: i32 = 6000, 1 to 65_536;
    /// Late-move reductions: largest change for the history score, in plies.
    lmr_history_max: i32 = 2, 0 to 8;
    /// History heuristic: bonus of a quiet move that causes a cutoff, times the square of the depth.
    history_bonus_square: i32 = 16, 0 to 1000;
    /// History heuristic: further bonus for each ply of depth.
    history_bonus_slope: i32 = 32, 0 to 10_000;
    /// History heuristic: largest bonus.
    history_bonus_max: i32 = 1600, 1 to 16_384;
}

impl Default for SearchParams {
    fn default() -> SearchParams {
        SearchParams::DEFAULT
    }
}

impl SearchParams {
    /// Sets the parameter with this name.
    ///
    /// # Errors
    /// If there is none, or if `value` is out of its range.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), TextError> {
        let Some(spec) = SearchParams::SPECS.iter().find(|spec| spec.name == name) else {
            let names: Vec<&str> = SearchParams::SPECS.iter().map(|spec| spec.name).collect();
            let expected = format!("one of {}", names.join(", "));
            return Err(TextError::whole("search parameter", name, expected));
        };
        let fits = (spec.min..=spec.max).contains(&value);
        if !fits || spec.is_integer && value.fract() != 0.0 {
            let kind = if spec.is_integer { "whole number" } else { "number" };
            let expected = format!("a {kind} from {} to {}", spec.min, spec.max);
            let what = format!("value of the search parameter {name}");
            return Err(TextError::whole(&what, &value.to_string(), expected));
        }
        self.assign(name, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_set_and_read_by_its_name() {
        for spec in SearchParams::SPECS {
            assert_eq!(SearchParams::DEFAULT.get(spec.name), Some(spec.default));
            assert!((spec.min..=spec.max).contains(&spec.default), "{}", spec.name);
            assert!(spec.about.contains(':') && spec.about.ends_with('.'), "{}", spec.about);
            for value in [spec.min, spec.max] {
                let mut params = SearchParams::DEFAULT;
                params.set(spec.name, value).unwrap();
                assert_eq!(params.get(spec.name), Some(value));
                params.set(spec.name, spec.default).unwrap();
                assert_eq!(params, SearchParams::DEFAULT, "{} changes one field", spec.name);
            }
        }
    }

    #[test]
    fn unknown_names_and_values_out_of_range_are_refused() {
        let refused = |name: &str, value: f64, part: &str| {
            let mut params = SearchParams::DEFAULT;
            let error = params.set(name, value).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(name), "{error}");
            assert_eq!(params, SearchParams::DEFAULT);
        };
        refused("lmr", 1.0, "lmr_base, lmr_divisor");
        refused("lmr_divisor", 0.0, "a number from 0.5 to 100");
        refused("lmr_base", f64::NAN, "a number from 0 to 8");
        refused("rfp_margin", 0.5, "a whole number from 0 to 2000");
        refused("rfp_margin", -1.0, "a whole number");
        assert_eq!(SearchParams::DEFAULT.get("lmr"), None);
    }
}
