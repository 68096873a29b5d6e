//! Executes a plan: a process tree that can do no more than the plan allows, watched until none of it is left.
//!
//! The thread that calls [`run`] starts the process and waits for it, because the kernel ties the life of a sandbox to
//! that thread. Nothing of the plan is decided again here: if it cannot be executed as planned, nothing is started.

mod argv;
mod bwrap_mounts;
mod capture;
mod control;
mod groups;
mod hand_over;
mod line;
mod memory;
mod outcome;
mod quota;
mod ready;
mod unlinked;
mod watch;

pub use capture::CapturedOutput;
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
use watch::SandboxWatch;

/// The time after which a start counts as stuck.
const START: Duration = Duration::from_secs(10);

/// Runs a plan to its end. A failure to start is an outcome too.
pub fn run(plan: &SandboxPlan, control: &Control) -> Outcome {
    // The span around this one names the run and the step.
    let _sandbox = debug_span!("sandbox", level = plan.report.obtained.as_str()).entered();
    let begun = Instant::now();
    let carried_out = carry_out(plan, control, begun);
    groups::stay_if_abandoned();
    let mut outcome = match carried_out {
        Ok(outcome) => outcome,
        Err(why) => Outcome::not_started(plan, why),
    };
    outcome.wall_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    debug!(ended = outcome.ended.name(), cpu_ms = outcome.cpu_ms, max_rss = outcome.max_rss, "ended");
    outcome
}

fn carry_out(plan: &SandboxPlan, control: &Control, begun: Instant) -> Result<Outcome, String> {
    let user = hand_over::user(plan);
    ready::check(plan)?;
    let (mut child, line) = start(plan)?;
    // While it starts, its folders and groups are prepared.
    let ready = hand_over::give(plan, user).and_then(|()| Groups::make(&plan.groups));
    let groups = match ready {
        Ok(groups) => groups,
        Err(why) => {
            end(&mut child);
            return Err(why);
        }
    };
    send_tasks(plan, &groups, user, &mut child, &line);
    Ok(SandboxWatch::new(plan, child, line, &groups, begun)?.watch(control))
}

/// Starts the process, which waits for its task.
fn start(plan: &SandboxPlan) -> Result<(Child, UnixStream), String> {
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

/// Sends the tasks of the launcher and of the guard.
fn send_tasks(plan: &SandboxPlan, groups: &Groups, user: Option<u32>, child: &mut Child, mut line: &UnixStream) {
    let sent = line
        .set_write_timeout(Some(START))
        .map_err(FrameError::Stream)
        .and_then(|()| write_frame(&mut line, &argv::launch(plan, groups, user)))
        .and_then(|()| write_frame(&mut line, &argv::guard(plan)));
    // A process that has ended already reports its own reason, which is better than that of a broken line.
    if sent.is_err() && matches!(child.try_wait(), Ok(None)) {
        let _ = child.kill();
    }
}

/// Ends a process that is not watched yet.
fn end(child: &mut Child) {
    // It has ended after this, either way.
    let _ = child.kill();
    let _ = child.wait();
}
