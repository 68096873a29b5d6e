//! The application layer: operations on a project folder, as the `deed` command offers them.
//!
//! ```
//! use deed::app::Session;
//!
//! let folder = tempfile::tempdir()?;
//! let session = Session { home: Some(folder.path().join(".deed")), actor: Some("ada".into()), ..Session::default() };
//! // No project has been made there yet.
//! assert!(session.home().is_err());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Errors
//!
//! Every operation returns an [`AppError`] with a kind and a report that can be shown as text or as JSON.

pub use deed_app::{
    AppError, Config, ErrorKind, FOLDER, Home, Session, catalog, conceal, contexts, decisions, doctor, files, imprints,
    infer, keys, ladders, lines, memory, packs, plans, registry, report_large_writes, rules, runs, sandboxes, scaffold,
};
pub use deed_model::{Approval, GateDecision, GateSubject, RunOptions, RunOutcome};
