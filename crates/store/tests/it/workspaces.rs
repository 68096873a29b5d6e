//! The log of a workspace under use, faults, crashes, rivals and tampering.

mod concurrency;
mod crash;
mod fault;
mod fixture;
mod tamper;
