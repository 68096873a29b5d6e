//! Processes are killed at all instants of a run, and the next process finishes it: the same bytes, every effect once,
//! a journal that holds, no process left behind.
//!
//! `make crash` kills more often: `DEED_CRASH_KILLS` is how often at random, and with it set, every journal write of a
//! run of twenty steps is died at. `DEED_CRASH_SEED` chooses other instants.

mod dice;
mod gates;
mod held;
mod kills;
mod left;
mod models;
mod mortal;
mod shape;
mod signals;
mod submit;
mod workspaces;
mod writes;
mod yard;
