//! Named players for every game, and games with their types erased.
