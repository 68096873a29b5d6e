//! The conformance suite of engines. Input: a [`Candidate`], which opens its engine on a workspace and reads the events
//! and blobs of that workspace. Output: a verdict for each of [`cases`]: killed in the middle of a step or while a person
//! is asked, submitted twice, driven after its end, driven by two processes at once.
//!
//! The cases use the ports and count effects at the receiver; they know nothing of the engine inside. No case sleeps:
//! they wait for an effect, for a message of a process, or for the result of an engine.
//!
//! An engine's test is a file without a harness, whose `main` passes its candidate to [`main`]. The same file is the
//! program of the processes that cases start and kill.

mod approval;
mod candidate;
mod cases;
mod fixture;
mod process;
mod refusal;
mod scenario;
mod sound;
mod suite;
mod task;
mod watch;

pub use candidate::Candidate;
pub use scenario::Scenario;
pub use suite::{Case, cases, main};
