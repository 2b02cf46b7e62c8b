//! Game records as text: PGN, PDN and SGF. No I/O, no rules: moves stay text until a game reads them.
