//! The lifecycle without a registry: folds, transitions, statements, offline verification.

mod duties;
mod environments;
mod fixture;
mod golden;
mod keys;
mod offline;
mod signatures;
mod transitions;
