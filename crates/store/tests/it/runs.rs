//! The journal of runs under use, rivals, faults, crashes and tampering.

mod anchor;
mod blobs;
mod concurrency;
mod crash;
mod fault;
mod fixture;
mod hold;
mod index;
mod journal;
mod kill;
mod opening;
mod tamper;
