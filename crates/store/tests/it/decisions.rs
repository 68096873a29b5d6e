//! The log of decisions.

mod concurrency;
mod crash;
mod fault;
mod fixture;
mod kill;
mod recording;
mod tamper;
