//! Contests, openings, statistics and the store.

mod contest;
mod distinct;
mod identity;
mod old_stores;
mod openings;
mod statistics;
mod store;
mod store_full;
mod store_kill;
mod store_samples;
mod suites;
