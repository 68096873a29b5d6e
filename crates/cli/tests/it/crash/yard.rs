//! A project with a plan and the other side of its effects, and what has to be so when a run of it has ended.

use super::left;
use super::shape::Shape;
use crate::common::{Project, Ran};
use deed_testkit::loopback::{Book, Effects, sent_again};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// The options that approve what a run asks for.
pub(crate) const APPROVED: &[&str] = &["--approve", "lead"];

/// The other side takes its time, so that some processes die while they wait for its answer.
const TAKES: Duration = Duration::from_millis(8);

pub(crate) struct Yard {
    pub(crate) project: Project,
    pub(crate) effects: Effects,
    pub(crate) shape: Shape,
}

/// The end of a process.
#[derive(Debug)]
pub(crate) enum Fate {
    Killed,
    Exited(i32),
}

/// The result of an undisturbed run: files and their hashes.
pub(crate) type Files = Vec<(String, String)>;

impl Yard {
    pub(crate) fn new(shape: Shape) -> Self {
        let yard = Self { project: Project::bare(), effects: Effects::new(named, TAKES), shape };
        yard.project.ok(&["init", "--tenant", "t"]);
        yard.project.write("plan.yaml", shape.yaml(yard.effects.port));
        yard
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.project.path("")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.project.command(args);
        let told = std::fs::File::create(self.project.path("told.txt")).unwrap();
        command.env_remove("DEED_NOW").stdout(Stdio::null()).stderr(told);
        command
    }

    /// `deed run`, or `deed runs resume`, of a run.
    pub(crate) fn start(&self, verb: &[&str], more: &[&str]) -> Child {
        let machine = ["--resolve", "effects.example.test=127.0.0.1"];
        self.command(&[verb, &machine, more].concat()).spawn().unwrap()
    }

    /// The output of the process that was started last.
    pub(crate) fn told(&self) -> String {
        std::fs::read_to_string(self.project.path("told.txt")).unwrap_or_default()
    }

    /// Lets a process live until a request has come, and for so long after it.
    pub(crate) fn live_until(&self, mut child: Child, request: &Receiver<()>, so_long: Duration) -> Fate {
        while request.recv_timeout(Duration::from_millis(10)) == Err(RecvTimeoutError::Timeout) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
        }
        self.live(child, so_long)
    }

    /// Lets a process live so long and no longer, and makes sure that it took its sandboxes along.
    pub(crate) fn live(&self, mut child: Child, so_long: Duration) -> Fate {
        std::thread::sleep(so_long);
        // It may have ended by itself.
        let _ = child.kill();
        let fate = fate(child.wait().unwrap());
        left::no_code(&self.folder(), "after a kill");
        fate
    }

    /// Goes on with a run without any disturbance.
    pub(crate) fn finish(&self, run: &str) {
        let status = self.start(&["runs", "resume", run], APPROVED).wait().unwrap();
        assert_eq!(status.code(), Some(0), "{}\n{}", self.told(), self.events(run));
    }

    /// A whole run without any disturbance, and the files it leaves.
    pub(crate) fn undisturbed(&self, run: &str) -> Files {
        let status = self.start(&submitting(run), APPROVED).wait().unwrap();
        assert_eq!(status.code(), Some(0), "{}", self.told());
        let files = self.files(run);
        self.ended_well(run, &files);
        files
    }

    pub(crate) fn files(&self, run: &str) -> Files {
        let listed = self.project.json(&["artifacts", "list", run]);
        let listed = listed["data"].as_array().unwrap();
        let text = |file: &Value, name: &str| file[name].as_str().unwrap().to_owned();
        listed.iter().map(|file| (text(file, "path"), text(file, "sha256"))).collect()
    }

    /// The journal of a run, a line for each event.
    pub(crate) fn events(&self, run: &str) -> String {
        self.project.run(&["runs", "events", run]).stdout
    }

    pub(crate) fn gate(&self, args: &[&str]) -> Ran {
        self.project.run(&[&["gate"], args].concat())
    }

    /// Everything that must hold of a run that has ended, however often its processes died. Gives how many requests
    /// were sent a second time.
    #[track_caller]
    pub(crate) fn ended_well(&self, run: &str, files: &Files) -> usize {
        let book = self.effects.take();
        let told = || format!("{run}\n{book:#?}\n{}", self.events(run));
        let shown = self.project.json(&["runs", "show", run]);
        assert_eq!(shown["data"]["status"], "succeeded", "{}", told());
        assert_eq!(self.files(run), *files, "{}", told());
        let keys: Vec<(String, usize)> = book.iter().map(|(what, keys)| (what.clone(), keys.len())).collect();
        assert_eq!(keys, self.shape.expected(), "{}", told());
        assert_eq!(self.answered(run), keys_of(&book), "{}", told());
        self.sound(run);
        sent_again(&book)
    }

    /// The journal and the signatures hold, and no file and no process is left.
    #[track_caller]
    pub(crate) fn sound(&self, run: &str) {
        self.project.ok(&["journal", "verify"]);
        self.project.ok(&["receipts", "verify", run]);
        left::none(&self.folder(), "after the end");
        let staged = std::fs::read_dir(self.project.path(".deed/stage")).unwrap().count();
        assert_eq!(staged, 0, "{run}: a stage is left");
    }

    /// Keys of all calls that the journal has an answer to.
    fn answered(&self, run: &str) -> BTreeSet<String> {
        let ended = self.project.json(&["runs", "events", run, "--kind", "call_ended"]);
        let key = |entry: &Value| entry["event"]["answer"]["key"].as_str().unwrap().to_owned();
        ended["data"].as_array().unwrap().iter().map(key).collect()
    }

    /// The number of events of a kind.
    pub(crate) fn count(&self, run: &str, kind: &str) -> usize {
        self.project.json(&["runs", "events", run, "--kind", kind])["data"].as_array().unwrap().len()
    }
}

/// `deed run` of the plan under a name: the same name with the same content is the same run.
pub(crate) fn submitting(run: &str) -> [&str; 5] {
    ["run", "--plan", "plan.yaml", "--id", run]
}

/// The subject of a request: the step, and which of its items.
fn named(path: &str, body: &[u8]) -> Option<String> {
    let item = serde_json::from_slice::<Value>(body).ok()?["item"].to_string();
    Some(format!("{} {item}", path.rsplit('/').next()?))
}

fn keys_of(book: &Book) -> BTreeSet<String> {
    book.values().flat_map(|keys| keys.keys().cloned()).collect()
}

fn fate(status: ExitStatus) -> Fate {
    match (status.code(), status.signal()) {
        (Some(code), _) => Fate::Exited(code),
        (None, Some(9)) => Fate::Killed,
        (None, signal) => panic!("ended by signal {signal:?}"),
    }
}
