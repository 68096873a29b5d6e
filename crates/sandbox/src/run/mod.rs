//! Carries a plan out: a process tree that can do no more than the plan says, watched until none of it is left.
//!
//! The thread that calls [`run`] starts the process and waits for it, because the kernel ties the life of a sandbox to
//! that thread. Nothing of the plan is decided again here: what cannot be done as planned is not done at all.

mod argv;
mod capture;
mod control;
mod gone;
mod groups;
mod hand_over;
mod line;
mod outcome;
mod quota;
mod ready;
mod watch;

pub use capture::Captured;
pub use control::Control;
pub use outcome::{Ended, Outcome, Quota};

use crate::plan::SandboxPlan;
use deed_init::write_frame;
use groups::Groups;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use watch::Watched;

/// How long the start may take before it counts as stuck.
const START: Duration = Duration::from_secs(10);

/// Runs the plan to its end and says what happened.
pub fn run(plan: &SandboxPlan, control: &Control) -> Outcome {
    let begun = Instant::now();
    let mut outcome = match carried_out(plan, control, begun) {
        Ok(outcome) => outcome,
        Err(why) => Outcome::not_started(plan, why),
    };
    outcome.wall_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    outcome
}

fn carried_out(plan: &SandboxPlan, control: &Control, begun: Instant) -> Result<Outcome, String> {
    let user = hand_over::user(plan);
    ready::check(plan)?;
    hand_over::give(plan, user)?;
    let groups = Groups::make(&plan.groups)?;
    let (child, line) = started(plan, &groups, user)?;
    Ok(Watched::new(plan, child, line, &groups, begun)?.watch_to_the_end(control))
}

/// Starts the process and tells it what it is to become.
fn started(plan: &SandboxPlan, groups: &Groups, user: Option<u32>) -> Result<(Child, UnixStream), String> {
    let (mut ours, theirs) = UnixStream::pair().map_err(|error| format!("no socket can be made: {error}"))?;
    let mut child = Command::new(&plan.tools.init)
        .arg("launch")
        .env_clear()
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the sandbox cannot be started: {error}"))?;
    let told = ours
        .set_write_timeout(Some(START))
        .map_err(|error| error.to_string())
        .and_then(|()| write_frame(&mut ours, &argv::launch(plan, groups, user)).map_err(|error| error.to_string()))
        .and_then(|()| write_frame(&mut ours, &argv::guard(plan)).map_err(|error| error.to_string()));
    // One that has ended already says why on its own, and that says more than a broken line.
    if told.is_err() && matches!(child.try_wait(), Ok(None)) {
        let _ = child.kill();
    }
    Ok((child, ours))
}
