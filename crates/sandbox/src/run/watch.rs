//! Watches a sandbox until nothing of it is left: its streams, its time, what it uses, and who wants it stopped.

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

/// How long the guard may take to end its own tree where nothing else can.
const OWN_END: Duration = Duration::from_millis(100);

/// How long the last bytes may take once everything was ended.
const LAST_BYTES: Duration = Duration::from_secs(1);

/// The signal for too much CPU.
const SIGXCPU: i32 = 24;

/// The signal for too large a file.
const SIGXFSZ: i32 = 25;

/// A sandbox that is being watched.
pub(super) struct Watched<'a> {
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
    /// What was used, once nothing can use more.
    used: Option<Used>,
    stopped: Option<(Ended, Instant)>,
}

/// Our ends of what leads to a sandbox.
type Ends = (Line, Stream<ChildStdout>, Stream<ChildStderr>);

fn ends(child: &mut Child, line: UnixStream, keep: u64) -> Result<Ends, String> {
    let stdout = child.stdout.take().ok_or("the output is not there")?;
    let stderr = child.stderr.take().ok_or("the output of errors is not there")?;
    Ok((Line::new(line)?, Stream::new(stdout, keep)?, Stream::new(stderr, keep)?))
}

/// What all processes together have used.
struct Used {
    /// What was used up.
    up: Option<Ended>,
    cpu_ms: Option<u64>,
}

impl<'a> Watched<'a> {
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

    /// Watches until the guard is gone and the streams are closed.
    pub(super) fn watch_to_the_end(mut self, control: &Control) -> Outcome {
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
        // What was killed is waited for, so that nothing is left behind.
        let _ = self.child.wait();
        self.drain_the_rest();
        self.outcome()
    }

    /// Waits for a stream, the other thread, or the next time that something is due.
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
        // An interrupted wait is as good as one that is over.
        let _ = poll(&mut watched, PollTimeout::from(timeout));
    }

    fn listen(&mut self) {
        self.stdout.drain();
        self.stderr.drain();
        for word in self.line.hear() {
            match word {
                GuardMessage::Started => self.started = true,
                GuardMessage::Ended(status) => {
                    self.status = Some(status);
                    self.deadline = Instant::now() + LAST_BYTES;
                    // With process ids of its own nothing is left but the guard, and that takes its time to vanish.
                    if self.started && self.stopped.is_none() && self.plan.bwrap.is_some() {
                        self.used = Some(self.reckon());
                    }
                }
            }
        }
    }

    fn reason_to_stop(&mut self, control: &Control) -> Option<Ended> {
        if self.status.is_some() {
            // The program has ended; a guard that does not follow it is not waited for.
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

    /// What of the limits of all processes together is used up.
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

    /// Ends it: with namespaces by ending the outermost process, without them by the guard's own hand.
    fn stop(&mut self, reason: Ended) {
        self.line.hang_up();
        self.stopped = Some((reason, Instant::now()));
        if self.plan.bwrap.is_some() {
            self.kill();
        }
    }

    fn kill(&mut self) {
        // One that is gone already is what is wanted.
        let _ = self.child.kill();
        self.groups.end_all();
    }

    /// Takes the last bytes. Where a process has got away from the guard, it is not waited for.
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

    fn reckon(&mut self) -> Used {
        let cpu_ms = match self.groups.cpu_time() {
            CpuTime::Milliseconds(used) => Some(used),
            CpuTime::NotCounted | CpuTime::Unreadable => None,
        };
        Used { up: if self.started { self.used_up() } else { None }, cpu_ms }
    }

    fn outcome(mut self) -> Outcome {
        let used = self.used.take().unwrap_or_else(|| self.reckon());
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

    /// What the end is called: why it was stopped, what was used up, or what the guard says.
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
            None => Ended::CouldNotStart(self.last_words()),
        }
    }

    /// What was said as an error by whoever could not raise the walls.
    fn last_words(&self) -> String {
        String::from_utf8_lossy(self.stderr.first()).trim().chars().take(400).collect()
    }
}
