//! Random schemas with instances, the laws they must keep, and a way to make a failing pair small.

mod instances;
mod law;
mod schemas;
mod shrink;

pub(crate) use deed_testkit::Random;
pub(crate) use instances::{instance, junk, mutated, tokened};
pub(crate) use law::{Law, OF_INSTANCES, OF_SCHEMAS, Subject, sound};
pub(crate) use schemas::{NAMES, TEXTS, schema};
pub(crate) use shrink::shrink;
