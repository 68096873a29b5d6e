//! The server: one thread for each connection, one answer for each.

use super::fault::BROKEN;
use super::{Dialect, Fault, ScriptedReply};
use crate::loopback::ReceivedRequest;
use bytes::Bytes;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// An answer of the script.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The reply.
    pub reply: ScriptedReply,
    /// The fault, if there is one.
    pub fault: Option<Fault>,
}

impl From<ScriptedReply> for Turn {
    fn from(reply: ScriptedReply) -> Self {
        Self { reply, fault: None }
    }
}

impl From<Fault> for Turn {
    fn from(fault: Fault) -> Self {
        Self { reply: ScriptedReply::text("The answer is 42, n\u{e9}."), fault: Some(fault) }
    }
}

/// A scripted provider. Each request gets the next turn; the last one is repeated.
pub struct ProviderServer {
    /// Its port on 127.0.0.1.
    pub port: u16,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl ProviderServer {
    /// Starts a server that speaks a protocol.
    pub fn start(dialect: Dialect, turns: Vec<Turn>) -> Self {
        assert!(!turns.is_empty(), "a script has a turn at least");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let (kept, turns) = (Arc::clone(&seen), Arc::new(turns));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (seen, turns) = (Arc::clone(&kept), Arc::clone(&turns));
                // The client may go at any time, which ends the connection alone.
                thread::spawn(move || serve(stream, dialect, &turns, &seen));
            }
        });
        Self { port, seen }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The received requests, in order.
    pub fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }

    /// The bodies of the received requests.
    pub fn bodies(&self) -> Vec<Value> {
        self.seen().iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }
}

fn serve(mut stream: TcpStream, dialect: Dialect, turns: &[Turn], seen: &Mutex<Vec<ReceivedRequest>>) -> Option<()> {
    let request = received(&stream)?;
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(request.clone());
        seen.len() - 1
    };
    if let Some(what) = dialect.objection(&request.target, &request.headers, &body) {
        let error = json!({"error": {"type": "invalid_request_error", "message": format!("bad {what}")}}).to_string();
        return whole(&mut stream, 400, "application/json", &[], error.as_bytes());
    }
    let Turn { reply, fault } = turns.get(number).or(turns.last()).unwrap().clone();
    let reply = fault.map_or(reply.clone(), |fault| fault.applied(reply));
    let streams = dialect.is_stream(&request.target, &body);
    match fault {
        Some(Fault::Redirect) => whole(&mut stream, 307, "text/plain", &[("location", "/elsewhere".to_owned())], b""),
        Some(Fault::Page) => whole(&mut stream, 200, "text/html", &[], b"<!doctype html>\n<title>Sign in</title>\n"),
        Some(Fault::Status(status, wait)) => {
            let wait: Vec<_> = wait.into_iter().map(|seconds| ("retry-after", seconds.to_string())).collect();
            let error = json!({"error": {"type": "scripted", "message": "scripted failure"}}).to_string();
            whole(&mut stream, status, "application/json", &wait, error.as_bytes())
        }
        fault if streams => pieces(&mut stream, dialect, dialect.stream(&reply), fault),
        fault => one(&mut stream, dialect.whole(&reply).to_string(), fault),
    }
}

/// Reads a request.
fn received(stream: &TcpStream) -> Option<ReceivedRequest> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(ReceivedRequest { method, target, headers, body: Bytes::from(body) })
}

fn whole(stream: &mut TcpStream, status: u16, media: &str, headers: &[(&str, String)], body: &[u8]) -> Option<()> {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\ncontent-type: {media}\r\ncontent-length: {}\r\n", body.len());
    headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    stream.write_all(format!("{head}request-id: req_1\r\nconnection: close\r\n\r\n").as_bytes()).ok()?;
    stream.write_all(body).ok()
}

/// Answers as a whole.
fn one(stream: &mut TcpStream, body: String, fault: Option<Fault>) -> Option<()> {
    let body = broken(&body);
    match fault {
        Some(Fault::Cut | Fault::Idle | Fault::Endless) => {
            let length = if fault == Some(Fault::Endless) { usize::MAX >> 8 } else { body.len() };
            let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).ok()?;
            stream.write_all(&body[..body.len() / 2]).ok()?;
            after(stream, fault, b" ")
        }
        _ => whole(stream, 200, "application/json", &[], &body),
    }
}

/// Answers part by part.
fn pieces(stream: &mut TcpStream, dialect: Dialect, mut parts: Vec<String>, fault: Option<Fault>) -> Option<()> {
    let media = dialect.stream_type();
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: {media}\r\nrequest-id: req_1\r\ntransfer-encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    let stops = matches!(fault, Some(Fault::Cut | Fault::Idle | Fault::Endless));
    if stops {
        parts.truncate(parts.len() / 2);
    }
    for part in &parts {
        chunk(stream, &broken(part))?;
    }
    if stops {
        let mut nothing = Vec::new();
        chunk(&mut nothing, dialect.nothing().as_bytes())?;
        return after(stream, fault, &nothing);
    }
    stream.write_all(b"0\r\n\r\n").ok()
}

/// Ends as the fault says: at once, never, or with more and more.
fn after(stream: &mut TcpStream, fault: Option<Fault>, more: &[u8]) -> Option<()> {
    match fault {
        Some(Fault::Idle) => {
            // Waits until the client goes.
            let _ = stream.read_exact(&mut [0; 1]);
        }
        Some(Fault::Endless) => while stream.write_all(more).is_ok() {},
        _ => {}
    }
    None
}

fn chunk(out: &mut impl Write, bytes: &[u8]) -> Option<()> {
    out.write_all(format!("{:x}\r\n", bytes.len()).as_bytes()).ok()?;
    out.write_all(bytes).ok()?;
    out.write_all(b"\r\n").ok()
}

fn broken(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, piece) in text.split(BROKEN).enumerate() {
        if number > 0 {
            out.extend_from_slice(b"\xff\xfe");
        }
        out.extend_from_slice(piece.as_bytes());
    }
    out
}
