//! A process of a case, seen from outside: it is sent off, listened to, and let go or killed.

use crate::conformance::task::{Order, Told, VARIABLE};
use deed_model::RunEvent;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long anything may take before a case gives up. It is never waited for in vain by an engine that passes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A process that does one task.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Told>,
}

impl Process {
    /// Starts a process of this program, and waits until its engine is open.
    pub(crate) fn ready(order: &Order) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .env(VARIABLE, serde_json::to_string(order).unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // Whoever listened may have gone on.
                let _ = sender.send(serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}")));
            }
        });
        let process = Self { child, input, lines };
        assert_eq!(process.next(), Told::Ready);
        process
    }

    /// Lets it do its task.
    pub(crate) fn go(&mut self) {
        writeln!(self.input.as_mut().unwrap()).unwrap();
    }

    /// What it says next.
    #[track_caller]
    pub(crate) fn next(&self) -> Told {
        self.next_within(PATIENCE).expect("the process says something")
    }

    /// What it says next, if it says anything so soon.
    #[track_caller]
    pub(crate) fn next_within(&self, patience: Duration) -> Option<Told> {
        match self.lines.recv_timeout(patience) {
            Ok(told) => Some(told),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the process ended without a word"),
        }
    }

    /// Waits until it tells of an event.
    #[track_caller]
    pub(crate) fn until(&self, wanted: impl Fn(&RunEvent) -> bool) -> RunEvent {
        loop {
            match self.next() {
                Told::Happened(event) if wanted(&event) => return *event,
                Told::Happened(_) => {}
                other => panic!("it told of no such event: {other:?}"),
            }
        }
    }

    /// What came of its task.
    #[track_caller]
    pub(crate) fn result(&self) -> Told {
        loop {
            match self.next() {
                Told::Happened(_) => {}
                other => return other,
            }
        }
    }

    /// Lets it end by itself; what came of its task.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Told {
        let result = self.result();
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
        result
    }

    /// Kills it, as a machine that is out of memory does: nothing of it is asked or told.
    pub(crate) fn kill(mut self) {
        assert!(self.child.try_wait().unwrap().is_none(), "it has ended by itself");
        self.child.kill().unwrap();
        assert!(!self.child.wait().unwrap().success(), "it has ended by itself");
    }
}

impl Drop for Process {
    /// A case that fails leaves nobody behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
