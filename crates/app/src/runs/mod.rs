//! Runs: submitting, driving, deciding at gates, exporting, verifying.

mod cancel;
mod decide;
mod drive;
mod environment;
mod export;
mod follow;
pub mod head;
mod learned;
mod list;
mod load;
mod profile;
mod resume;
mod review;
mod rollback;
mod secrets;
mod status;
mod submit;
mod tools;
mod verify;

pub use cancel::cancel;
pub use decide::{Decided, DecisionRequest, OpenGate, decide, gate, gates, has_lapsed, open_gates};
pub use drive::{Driven, drive};
pub use environment::{MachineOptions, RunEnvironment, shell_word, tools_missing};
pub use export::{ExportedFile, export, read_file};
pub use follow::{Followed, Follower};
pub use learned::{LearnedEgress, MissingRule};
pub use list::{ListedRun, RunList, list};
pub use load::{LoadedRun, engine_error, load, plan_of, resolve_name, store, store_error};
pub use resume::{Resumed, resume};
pub use review::{FIRST_ROWS, FileChange, GateReview, Preview, ReviewedFile, review};
pub use rollback::rolled_back;
pub(crate) use secrets::ProjectSecrets;
pub use status::{Status, resume_command};
pub use submit::{RunSource, Submitted, parse_budget, submit};
pub use tools::{RefusedCall, RunTools};
pub use verify::{JournalVerification, RunVerification, verify, verify_journal};
