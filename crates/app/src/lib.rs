//! The application layer: everything that a front end of Deed does besides reading arguments and printing.
//!
//! A front end makes a [`Session`] (where the home is, who acts, what time it is) and calls the functions here. They return
//! typed values, or an [`AppError`] whose report can be shown in any form. The `deed` command is one front end; a server is
//! another.
#![allow(
    clippy::disallowed_methods,
    reason = "the edge of the system: files, the clock and the environment are read here"
)]

pub mod catalog;
pub mod classified;
mod clock;
pub mod conceal;
pub mod contexts;
pub mod decisions;
pub mod doctor;
pub mod endpoints;
mod error;
mod file_size;
pub mod files;
mod home;
pub mod imprints;
pub mod infer;
pub mod keys;
pub mod ladders;
pub mod lines;
pub mod memory;
pub mod models;
pub mod objects;
pub mod packs;
pub mod plans;
pub mod profiles;
pub mod registry;
pub mod rules;
pub mod runs;
pub mod sandboxes;
pub mod scaffold;
mod session;
pub mod transcripts;
pub mod valpacks;
pub mod workspaces;

pub use error::{AppError, ErrorKind};
pub use file_size::report_large_writes;
pub use home::{Config, FOLDER, Home};
pub use session::Session;
