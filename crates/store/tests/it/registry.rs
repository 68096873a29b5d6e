//! The registry under use, faults, crashes, rivals and tampering.

mod concurrency;
mod crash;
mod endpoints;
mod fault;
mod fixture;
mod kill;
mod load;
mod model;
mod opening;
mod refusals;
mod tamper;
mod verifying;

pub(crate) use fixture::copy;
