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
mod memory;
mod outcome;
mod quota;
mod ready;
mod walls;
mod watch;

pub use capture::Captured;
pub use control::Control;
pub use groups::abandon_all;
pub use outcome::{Ended, Outcome, Quota};

use crate::helper::isolated;
use crate::plan::SandboxPlan;
use deed_init::{FrameError, write_frame};
use groups::Groups;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tracing::{debug, debug_span};
use watch::Watched;

/// How long the start may take before it counts as stuck.
const START: Duration = Duration::from_secs(10);

/// Runs the plan to its end and says what happened.
pub fn run(plan: &SandboxPlan, control: &Control) -> Outcome {
    // Who runs it is said by the span around this one.
    let _sandbox = debug_span!("sandbox", level = plan.report.obtained.as_str()).entered();
    let begun = Instant::now();
    let carried_out = carried_out(plan, control, begun);
    groups::stay_if_abandoned();
    let mut outcome = match carried_out {
        Ok(outcome) => outcome,
        Err(why) => Outcome::not_started(plan, why),
    };
    outcome.wall_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    debug!(ended = outcome.ended.name(), cpu_ms = outcome.cpu_ms, max_rss = outcome.max_rss, "ended");
    outcome
}

fn carried_out(plan: &SandboxPlan, control: &Control, begun: Instant) -> Result<Outcome, String> {
    let user = hand_over::user(plan);
    ready::check(plan)?;
    let (mut child, line) = started(plan)?;
    // While that begins, what it needs is made.
    let ready = hand_over::give(plan, user).and_then(|()| Groups::make(&plan.groups));
    let groups = match ready {
        Ok(groups) => groups,
        Err(why) => {
            end(&mut child);
            return Err(why);
        }
    };
    tell(plan, &groups, user, &mut child, &line);
    Ok(Watched::new(plan, child, line, &groups, begun)?.watch_to_the_end(control))
}

/// Starts the process, which waits to be told what it is to become.
fn started(plan: &SandboxPlan) -> Result<(Child, UnixStream), String> {
    let (ours, theirs) = UnixStream::pair().map_err(|error| format!("no socket can be made: {error}"))?;
    let child = isolated(&plan.tools.init)
        .arg("launch")
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the sandbox cannot be started: {error}"))?;
    Ok((child, ours))
}

/// Tells the process what it is to become, and what the first one inside does.
fn tell(plan: &SandboxPlan, groups: &Groups, user: Option<u32>, child: &mut Child, mut line: &UnixStream) {
    let told = line
        .set_write_timeout(Some(START))
        .map_err(FrameError::Stream)
        .and_then(|()| write_frame(&mut line, &argv::launch(plan, groups, user)))
        .and_then(|()| write_frame(&mut line, &argv::guard(plan)));
    // One that has ended already says why on its own, and that says more than a broken line.
    if told.is_err() && matches!(child.try_wait(), Ok(None)) {
        let _ = child.kill();
    }
}

/// Ends a process that nobody watches yet.
fn end(child: &mut Child) {
    // It is gone after this, either way.
    let _ = child.kill();
    let _ = child.wait();
}
