//! JSON Schema and OpenAPI: dialects, references, validators that fetch nothing.
//!
//! A schema is kept as the raw value it was written as, since every typed reading of one loses keywords.
//! [`Schema`] knows its dialect, resolves references within itself, and holds the validator that decides whether
//! a payload is valid. [`Api`] reads an OpenAPI description and returns a schema for the request of each operation.
//!
//! The crate is pure: a reference to another document is refused, never followed.

mod dialect;
mod foreign;
mod formats;
mod keywords;
mod measure;
mod openapi;
mod patterns;
mod reached;
mod references;
mod refusal;
mod remote;
mod schema;
mod shape;
mod shared;
mod spot;
mod subschemas;
mod typescript;
mod validator;
mod violation;

pub use dialect::Dialect;
pub use foreign::{ForeignError, read_foreign};
pub use keywords::{IdleKeyword, IdleProblem, idle_keywords};
pub use openapi::{Api, ForeignKeyword, Operation, Part};
pub use refusal::{Reason, Refused};
pub use schema::Schema;
pub use shape::Shape;
pub use spot::Spot;
pub use typescript::{TypesError, typescript};
pub use violation::{Violation, ViolationKind};
