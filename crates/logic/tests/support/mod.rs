//! Random rules and data for tests, the same on every machine.

#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

mod context;
mod generate;
mod random;

pub(crate) use context::{context, expression, few_fields, predicate, predicate_on, schema};
pub(crate) use generate::{constant, data, matrix, rule};
pub(crate) use random::Random;
