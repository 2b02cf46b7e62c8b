//! Other people's engines as players.
