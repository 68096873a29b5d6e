//! What every engine has to pass. What enters is a [`Candidate`]: how its engine is opened on a workspace, and where the
//! events and bytes of that workspace are read. What leaves is a verdict for each of [`cases`]: killed in the middle of a
//! step or while a person is asked, submitted twice, gone on with after its end, driven by two processes at once.
//!
//! The cases speak through the ports and count effects at the other side; of the engine inside they know nothing. No
//! case sleeps: they wait for an effect, for what a process says, or for what an engine returns.
//!
//! An engine's test is a file without a harness, whose `main` hands its candidate to [`main`]. The same file is the
//! program of the processes that cases start and kill.

mod approval;
mod candidate;
mod cases;
mod process;
mod refusal;
mod scenario;
mod sound;
mod suite;
mod task;
mod watch;
mod yard;

pub use candidate::Candidate;
pub use scenario::Scenario;
pub use suite::{Case, cases, main};
