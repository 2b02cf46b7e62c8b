//! Opening suites: an opening a line, as moves from the standard position.

/// Suites by the game they are for, with its options.
pub const SUITES: &[(&str, &str)] = &[
    ("draughts", include_str!("../openings/draughts.txt")),
    ("draughts:rules=brazilian", include_str!("../openings/draughts-brazilian.txt")),
    ("draughts:rules=russian", include_str!("../openings/draughts-russian.txt")),
    ("draughts:rules=international", include_str!("../openings/draughts-international.txt")),
    ("draughts:rules=italian", include_str!("../openings/draughts-italian.txt")),
    ("draughts:rules=spanish", include_str!("../openings/draughts-spanish.txt")),
    ("draughts:rules=czech", include_str!("../openings/draughts-czech.txt")),
    ("draughts:rules=pool", include_str!("../openings/draughts-pool.txt")),
    ("chess", include_str!("../openings/chess.txt")),
    ("reversi", include_str!("../openings/reversi.txt")),
    ("connect4", include_str!("../openings/connect4.txt")),
];
