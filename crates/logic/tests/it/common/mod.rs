//! Random rules and data for tests, the same on every machine.

mod context;
mod generate;

pub(crate) use context::{condition, context, expression, few_fields, predicate, predicate_on, schema};
pub(crate) use deed_testkit::Random;
pub(crate) use generate::{constant, data, matrix, rule};
