//! A process of a case, seen from outside: it is started, observed, and finished or killed.

use crate::conformance::task::{Message, Order, VARIABLE};
use deed_model::RunEvent;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The timeout of a case. An engine that passes never reaches it.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// A process that does one task.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Message>,
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
                // The case may have stopped listening.
                let _ = sender.send(serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}")));
            }
        });
        let process = Self { child, input, lines };
        assert_eq!(process.next(), Message::Ready);
        process
    }

    /// Starts its task.
    pub(crate) fn go(&mut self) {
        writeln!(self.input.as_mut().unwrap()).unwrap();
    }

    /// Its next message.
    #[track_caller]
    pub(crate) fn next(&self) -> Message {
        self.next_within(TIMEOUT).expect("the process sends a message")
    }

    /// Its next message, if it comes within this time.
    #[track_caller]
    pub(crate) fn next_within(&self, timeout: Duration) -> Option<Message> {
        match self.lines.recv_timeout(timeout) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the process ended without a message"),
        }
    }

    /// Waits until it reports an event.
    #[track_caller]
    pub(crate) fn until(&self, wanted: impl Fn(&RunEvent) -> bool) -> RunEvent {
        loop {
            match self.next() {
                Message::Happened(event) if wanted(&event) => return *event,
                Message::Happened(_) => {}
                other => panic!("it did not report the event: {other:?}"),
            }
        }
    }

    /// The result of its task.
    #[track_caller]
    pub(crate) fn result(&self) -> Message {
        loop {
            match self.next() {
                Message::Happened(_) => {}
                other => return other,
            }
        }
    }

    /// Lets it end by itself, and returns the result of its task.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Message {
        let result = self.result();
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
        result
    }

    /// Kills it without warning, as a machine that is out of memory does.
    pub(crate) fn kill(mut self) {
        assert!(self.child.try_wait().unwrap().is_none(), "it has ended by itself");
        self.child.kill().unwrap();
        assert!(!self.child.wait().unwrap().success(), "it has ended by itself");
    }
}

impl Drop for Process {
    /// A failing case leaves no process behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
