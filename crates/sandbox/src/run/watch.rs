//! Watches a sandbox until nothing of it is left: its streams, its time, its usage, and requests to stop it.

use super::capture::Stream;
use super::control::Control;
use super::groups::{CpuTime, Groups};
use super::line::Line;
use super::memory;
use super::outcome::{Ended, Outcome};
use super::quota::Walk;
use crate::plan::SandboxPlan;
use deed_init::{Ended as ProgramEnd, Said as GuardMessage, Status};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

/// The time that the guard may take to end its own tree.
const OWN_END: Duration = Duration::from_millis(100);

/// The time that the last bytes may take after everything was ended.
const LAST_BYTES: Duration = Duration::from_secs(1);

/// The signal for exceeded CPU time.
const SIGXCPU: i32 = 24;

/// The signal for an exceeded file size.
const SIGXFSZ: i32 = 25;

/// A sandbox that is being watched.
pub(super) struct SandboxWatch<'a> {
    plan: &'a SandboxPlan,
    groups: &'a Groups,
    child: Child,
    line: Line,
    stdout: Stream<ChildStdout>,
    stderr: Stream<ChildStderr>,
    walk: Walk<'a>,
    deadline: Instant,
    started: bool,
    status: Option<Status>,
    /// The usage, once it is final.
    used: Option<Usage>,
    stopped: Option<(Ended, Instant)>,
}

/// Our ends of the connections to a sandbox.
type Ends = (Line, Stream<ChildStdout>, Stream<ChildStderr>);

fn ends(child: &mut Child, line: UnixStream, keep: u64) -> Result<Ends, String> {
    let stdout = child.stdout.take().ok_or("the output is not there")?;
    let stderr = child.stderr.take().ok_or("the output of errors is not there")?;
    Ok((Line::new(line)?, Stream::new(stdout, keep)?, Stream::new(stderr, keep)?))
}

/// The usage of all processes together.
struct Usage {
    /// The exceeded limit.
    up: Option<Ended>,
    cpu_ms: Option<u64>,
}

impl<'a> SandboxWatch<'a> {
    pub(super) fn new(
        plan: &'a SandboxPlan,
        mut child: Child,
        line: UnixStream,
        groups: &'a Groups,
        begun: Instant,
    ) -> Result<Self, String> {
        let (line, stdout, stderr) = match ends(&mut child, line, plan.limits.captured_bytes) {
            Ok(ends) => ends,
            Err(why) => {
                super::end(&mut child);
                return Err(why);
            }
        };
        let wall = Duration::from_secs(plan.limits.wall_seconds.min(u64::from(u32::MAX)));
        Ok(Self {
            plan,
            groups,
            child,
            line,
            stdout,
            stderr,
            walk: Walk::new(&plan.writable, &plan.limits),
            deadline: begun + wall,
            started: false,
            status: None,
            used: None,
            stopped: None,
        })
    }

    /// Watches until the guard has ended and the streams are closed.
    pub(super) fn watch(mut self, control: &Control) -> Outcome {
        while self.line.open {
            self.wait(control);
            self.listen();
            match &self.stopped {
                None => {
                    if let Some(reason) = self.reason_to_stop(control) {
                        self.stop(reason);
                    }
                }
                Some((_, since)) if since.elapsed() > OWN_END => self.kill(),
                Some(_) => {}
            }
        }
        if self.used.is_none() {
            self.kill();
        }
        // Wait for killed processes, so that nothing is left behind.
        let _ = self.child.wait();
        self.drain_the_rest();
        self.outcome()
    }

    /// Waits for a stream, a request to stop, or the next check.
    fn wait(&self, control: &Control) {
        let mut watched = vec![PollFd::new(self.line.stream.as_fd(), PollFlags::POLLIN)];
        if self.stdout.open {
            watched.push(PollFd::new(self.stdout.from.as_fd(), PollFlags::POLLIN));
        }
        if self.stderr.open {
            watched.push(PollFd::new(self.stderr.from.as_fd(), PollFlags::POLLIN));
        }
        if self.stopped.is_none() {
            watched.extend(control.wake().map(|wake| PollFd::new(wake, PollFlags::POLLIN)));
        }
        let due = match &self.stopped {
            None if self.status.is_some() => self.deadline,
            None => self.deadline.min(self.walk.next()),
            Some((_, since)) => *since + OWN_END,
        };
        let milliseconds = due.saturating_duration_since(Instant::now()).as_millis() + 1;
        let timeout = u16::try_from(milliseconds).unwrap_or(u16::MAX);
        // An interrupted wait counts as finished.
        let _ = poll(&mut watched, PollTimeout::from(timeout));
    }

    fn listen(&mut self) {
        self.stdout.drain();
        self.stderr.drain();
        for word in self.line.messages() {
            match word {
                GuardMessage::Started => self.started = true,
                GuardMessage::Ended(status) => {
                    self.status = Some(status);
                    self.deadline = Instant::now() + LAST_BYTES;
                    // In a process namespace only the guard is left, which takes a while to vanish.
                    if self.started && self.stopped.is_none() && self.plan.bwrap.is_some() {
                        self.used = Some(self.usage());
                    }
                }
            }
        }
    }

    fn reason_to_stop(&mut self, control: &Control) -> Option<Ended> {
        if self.status.is_some() {
            // The program has ended; a guard that does not end too is killed.
            if Instant::now() >= self.deadline {
                self.kill();
            }
            return None;
        }
        if let Some(asked) = control.asked() {
            return Some(asked);
        }
        if Instant::now() >= self.deadline {
            return Some(Ended::WallTime);
        }
        if Instant::now() < self.walk.next() {
            return None;
        }
        self.used_up()
    }

    /// The exceeded limit of all processes together.
    fn used_up(&mut self) -> Option<Ended> {
        if self.groups.out_of_memory() > 0 {
            return Some(Ended::Memory);
        }
        let cpu = self.plan.limits.cpu_seconds.saturating_mul(1000);
        match self.groups.cpu_time() {
            CpuTime::Milliseconds(used) if used >= cpu => return Some(Ended::CpuTime),
            CpuTime::Unreadable => return Some(Ended::Lost),
            CpuTime::Milliseconds(_) | CpuTime::NotCounted => {}
        }
        let processes = self.groups.processes(self.child.id());
        if !self.groups.limit_memory() && memory::is_over(self.plan.limits.memory_bytes, &processes) {
            return Some(Ended::Memory);
        }
        self.walk.walk(&processes).map(Ended::OutputQuota)
    }

    /// Stops it: with namespaces by killing the outermost process, without them through the guard.
    fn stop(&mut self, reason: Ended) {
        self.line.hang_up();
        self.stopped = Some((reason, Instant::now()));
        if self.plan.bwrap.is_some() {
            self.kill();
        }
    }

    fn kill(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        self.groups.end_all();
    }

    /// Reads the last bytes. A process that escaped the guard is not waited for.
    fn drain_the_rest(&mut self) {
        let late = Instant::now() + LAST_BYTES;
        loop {
            self.listen();
            if !(self.stdout.open || self.stderr.open) || Instant::now() > late {
                return;
            }
            let mut watched = Vec::new();
            if self.stdout.open {
                watched.push(PollFd::new(self.stdout.from.as_fd(), PollFlags::POLLIN));
            }
            if self.stderr.open {
                watched.push(PollFd::new(self.stderr.from.as_fd(), PollFlags::POLLIN));
            }
            let _ = poll(&mut watched, 50_u8);
        }
    }

    fn usage(&mut self) -> Usage {
        let cpu_ms = match self.groups.cpu_time() {
            CpuTime::Milliseconds(used) => Some(used),
            CpuTime::NotCounted | CpuTime::Unreadable => None,
        };
        Usage { up: if self.started { self.used_up() } else { None }, cpu_ms }
    }

    fn outcome(mut self) -> Outcome {
        let used = self.used.take().unwrap_or_else(|| self.usage());
        let ended = self.ended(used.up);
        let status = self.status.take();
        let said = |pick: fn(&Status) -> u64| status.as_ref().map_or(0, pick);
        let largest = Some(said(|status| status.max_rss)).filter(|bytes| *bytes > 0);
        Outcome {
            ended,
            cpu_ms: used.cpu_ms.unwrap_or_else(|| said(|status| status.cpu_ms)),
            max_rss: largest.or_else(|| self.groups.most_memory()).unwrap_or(0),
            left_behind: said(|status| status.left_behind),
            wall_ms: 0,
            stdout: self.stdout.captured(),
            stderr: self.stderr.captured(),
            report: self.plan.report.clone(),
        }
    }

    /// The way it ended: the reason it was stopped, the exceeded limit, or the report of the guard.
    fn ended(&mut self, used_up: Option<Ended>) -> Ended {
        if let Some((reason, _)) = self.stopped.take() {
            return reason;
        }
        if let Some(used_up) = used_up {
            return used_up;
        }
        match self.status.as_ref().map(|status| status.ended.clone()) {
            Some(ProgramEnd::Exited(code)) => Ended::Exited(code),
            Some(ProgramEnd::Signalled(SIGXCPU)) => Ended::CpuTime,
            Some(ProgramEnd::Signalled(SIGXFSZ)) => Ended::OutputQuota(super::outcome::Quota::Bytes),
            Some(ProgramEnd::Signalled(signal)) => Ended::Signalled(signal),
            Some(ProgramEnd::CouldNotStart(why)) => Ended::CouldNotStart(why),
            None if self.started => Ended::Lost,
            None => Ended::CouldNotStart(self.error_output()),
        }
    }

    /// The error output of the process that could not set up the sandbox.
    fn error_output(&self) -> String {
        String::from_utf8_lossy(self.stderr.first()).trim().chars().take(400).collect()
    }
}
