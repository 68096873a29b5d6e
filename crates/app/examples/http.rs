//! A second front end: runs plans over HTTP, on the loopback and without authentication.
//!
//! ```sh
//! deed new demo
//! cargo run -p deed-app --example http -- demo 8080
//! curl -d '{"plan": "plan.yaml", "id": "week-45"}' localhost:8080/runs
//! ```

#![allow(clippy::disallowed_methods, reason = "an example reads its arguments")]

use deed_app::plans::PlanSource;
use deed_app::runs::{
    DecisionRequest, MachineOptions, RunEnvironment, RunSource, Status, decide, drive, load, open_gates, read_file,
    resume, submit, verify,
};
use deed_app::{AppError, ErrorKind, FOLDER, Session};
use deed_model::{GateDecision, RunEvent};
use deed_ports::Observer;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;

/// Answers requests about the runs of one folder.
pub(crate) struct Front {
    folder: PathBuf,
}

/// A request: method, path and body.
struct Request {
    method: String,
    path: String,
    body: Value,
}

impl Front {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Answers connections one after the other, until the listener fails.
    pub(crate) fn serve(&self, listener: &TcpListener) -> io::Result<()> {
        loop {
            let (stream, _) = listener.accept()?;
            // A client that goes away ends its own request and no other.
            if let Err(error) = self.connection(&stream) {
                eprintln!("{error}");
            }
        }
    }

    fn connection(&self, stream: &TcpStream) -> io::Result<()> {
        let request = read(stream)?;
        let (status, answer) = match self.answer(&request) {
            Ok(Some(answer)) => (200, answer),
            Ok(None) => (404, json!({ "error": "no such route" })),
            Err(error) => (status(error.kind), json!({ "error": error.to_string(), "codes": codes(&error) })),
        };
        let body = answer.to_string();
        let length = body.len();
        let mut stream = stream;
        write!(stream, "HTTP/1.1 {status} -\r\nContent-Type: application/json\r\n")?;
        write!(stream, "Content-Length: {length}\r\nConnection: close\r\n\r\n{body}")
    }

    /// The routes.
    fn answer(&self, request: &Request) -> Result<Option<Value>, AppError> {
        // A server that authenticates its callers sets the actor here.
        let session = Session { home: Some(self.folder.join(FOLDER)), actor: Some("http".to_owned()), now: None };
        let text = |name: &str| request.body.get(name).and_then(Value::as_str).map(str::to_owned);
        let parts: Vec<&str> = request.path.split('/').skip(1).collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("POST", ["runs"]) => {
                let plan = self.folder.join(text("plan").unwrap_or_else(|| "plan.yaml".to_owned()));
                let source = RunSource {
                    plan: PlanSource { path: plan, ..PlanSource::default() },
                    run_id: text("id"),
                    ..RunSource::default()
                };
                let submitted = submit(&session, &source)?;
                driven(&submitted.environment, &submitted.request.run_id).map(Some)
            }
            ("GET", ["gates"]) => {
                let open = open_gates(&session, None)?;
                Ok(Some(open.iter().map(|open| json!({ "question": open.gate.subject.question })).collect()))
            }
            ("POST", ["runs", run, "approve"]) => {
                let request = DecisionRequest {
                    run: (*run).to_owned(),
                    gate: text("gate"),
                    decision: GateDecision::Approved,
                    role: text("role"),
                    hash: None,
                    note: text("note"),
                    key: None,
                    catalog_folders: Vec::new(),
                };
                decide(&session, &request)?;
                let resumed = resume(&session, run, &[], &MachineOptions::default(), &[])?;
                driven(&resumed.environment, &resumed.run_id).map(Some)
            }
            ("GET", ["runs", run, "verify"]) => {
                let verified = verify(&session, run, &[], &[])?;
                Ok(Some(json!({ "sound": verified.is_sound(), "sealed": verified.state.sealed })))
            }
            ("GET", ["runs", run, "files", path @ ..]) => {
                let (_, store, loaded) = load(&session, run)?;
                let (_, bytes) = read_file(&store, &loaded, &path.join("/"))?;
                Ok(Some(json!({ "text": String::from_utf8_lossy(&bytes) })))
            }
            _ => Ok(None),
        }
    }
}

/// Drives a run until it ends or waits, and reports its status.
fn driven(environment: &RunEnvironment, run_id: &str) -> Result<Value, AppError> {
    let driven = drive(environment, run_id, Arc::new(Log))?;
    Ok(json!({ "run": run_id, "status": Status::undriven(&driven.state, &driven.entries).as_str() }))
}

/// Receives the events of a run as they are recorded; a server could stream them.
struct Log;

impl Observer for Log {
    fn happened(&self, event: &RunEvent) {
        if let Ok(event) = serde_json::to_string(event) {
            eprintln!("{event}");
        }
    }
}

/// The HTTP status of a kind of error. New kinds may be added, so there is a default.
fn status(kind: ErrorKind) -> u16 {
    match kind {
        ErrorKind::Refused => 422,
        ErrorKind::Usage => 400,
        ErrorKind::Environment => 503,
        _ => 500,
    }
}

fn codes(error: &AppError) -> Vec<String> {
    error.report.diagnostics().iter().map(|found| found.code.to_string()).collect()
}

/// Reads a request. Bodies are JSON; an empty or unreadable one counts as `null`.
fn read(stream: &TcpStream) -> io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        match header.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap_or(0);
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    Ok(Request { method, path, body: serde_json::from_slice(&body).unwrap_or_default() })
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_owned());
    let port = arguments.next().unwrap_or_else(|| "8080".to_owned());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}"))?;
    Front::new(PathBuf::from(folder)).serve(&listener)
}
