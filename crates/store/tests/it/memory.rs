//! The memory log under use, faults, crashes, rivals and tampering.

mod concurrency;
mod crash;
mod fault;
mod fixture;
mod kill;
mod laws;
mod opening;
mod tamper;
