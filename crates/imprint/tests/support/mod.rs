//! Random schemas with instances, the laws they must keep, and a way to make a failing pair small.

#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

mod instances;
mod law;
mod random;
mod schemas;
mod shrink;

pub(crate) use instances::{instance, junk, mutated, tokened};
pub(crate) use law::{Law, OF_INSTANCES, OF_SCHEMAS, Subject, sound};
pub(crate) use random::Random;
pub(crate) use schemas::{NAMES, TEXTS, schema};
pub(crate) use shrink::shrink;
