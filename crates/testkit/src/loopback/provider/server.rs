//! The server: one thread for each connection, one answer for each.

use super::fault::BROKEN;
use super::gate::Gate;
use super::{Dialect, Fault, ScriptedReply};
use crate::loopback::ReceivedRequest;
use bytes::Bytes;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

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
    sent: Arc<AtomicU64>,
    gate: Arc<Gate>,
}

impl ProviderServer {
    /// Starts a server that speaks a protocol.
    pub fn start(dialect: Dialect, turns: Vec<Turn>) -> Self {
        Self::held(dialect, turns, 1, 1)
    }

    /// Starts a server that answers when so many requests wait at once, or when the last of all has come.
    pub fn held(dialect: Dialect, turns: Vec<Turn>, together: u64, last: u64) -> Self {
        assert!(!turns.is_empty(), "a script has a turn at least");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let own = Self { port, seen: Arc::default(), sent: Arc::default(), gate: Arc::new(Gate::new(together, last)) };
        let (seen, sent, gate) = (Arc::clone(&own.seen), Arc::clone(&own.sent), Arc::clone(&own.gate));
        let turns = Arc::new(turns);
        thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let (seen, sent) = (Arc::clone(&seen), Arc::clone(&sent));
                let (gate, turns) = (Arc::clone(&gate), Arc::clone(&turns));
                // The client may go at any time, which ends the connection alone.
                thread::spawn(move || serve(&mut stream, dialect, &turns, &seen, &sent, &gate));
            }
        });
        own
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The most requests that waited for an answer at once.
    pub fn most_at_once(&self) -> u64 {
        self.gate.most()
    }

    /// The bytes of endless and huge answers that clients took.
    pub fn taken(&self) -> u64 {
        self.sent.load(Ordering::SeqCst)
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

fn serve(
    stream: &mut TcpStream,
    dialect: Dialect,
    turns: &[Turn],
    seen: &Mutex<Vec<ReceivedRequest>>,
    sent: &AtomicU64,
    gate: &Gate,
) -> Option<()> {
    let request = received(stream)?;
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(request.clone());
        seen.len() - 1
    };
    gate.pass();
    if let Some(what) = dialect.objection(&request.target, &request.headers, &body) {
        let error = json!({"error": {"type": "invalid_request_error", "message": format!("bad {what}")}}).to_string();
        return whole(stream, 400, "application/json", &[], error.as_bytes());
    }
    let Turn { reply, fault } = turns.get(number).or(turns.last()).unwrap().clone();
    let reply = fault.map_or(reply.clone(), |fault| fault.applied(reply));
    let streams = dialect.is_stream(&request.target, &body);
    match fault {
        Some(Fault::Redirect) => whole(stream, 307, "text/plain", &[("location", "/elsewhere".to_owned())], b""),
        Some(Fault::Page) => whole(stream, 200, "text/html", &[], b"<!doctype html>\n<title>Sign in</title>\n"),
        Some(Fault::Status(status, wait)) => {
            let wait: Vec<_> = wait.into_iter().map(|seconds| ("retry-after", seconds.to_string())).collect();
            let error = json!({"error": {"type": "scripted", "message": "scripted failure"}}).to_string();
            whole(stream, status, "application/json", &wait, error.as_bytes())
        }
        Some(Fault::Refusal(status, wait, body)) => {
            let wait = (!wait.is_empty()).then(|| ("retry-after", wait.to_owned()));
            whole(stream, status, "application/json", wait.as_slice(), body.as_bytes())
        }
        Some(Fault::Silent) => {
            // Waits until the client goes.
            let _ = stream.read_exact(&mut [0; 1]);
            None
        }
        Some(Fault::Huge(megabytes)) => huge(stream, dialect, streams, megabytes, sent),
        fault if streams => pieces(stream, dialect, dialect.stream(&reply), fault, sent),
        fault => one(stream, dialect.whole(&reply).to_string(), fault, sent),
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
fn one(stream: &mut TcpStream, body: String, fault: Option<Fault>, sent: &AtomicU64) -> Option<()> {
    let body = broken(&body);
    match fault {
        Some(Fault::Cut | Fault::Idle | Fault::Endless | Fault::Drip) => {
            let length = match fault {
                Some(Fault::Endless) => usize::MAX >> 8,
                // Less than any limit, and more than will ever drip.
                Some(Fault::Drip) => 1 << 17,
                _ => body.len(),
            };
            let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).ok()?;
            stream.write_all(&body[..body.len() / 2]).ok()?;
            after(stream, fault, b" ", sent)
        }
        _ => whole(stream, 200, "application/json", &[], &body),
    }
}

/// Answers part by part.
fn pieces(
    stream: &mut TcpStream,
    dialect: Dialect,
    mut parts: Vec<String>,
    fault: Option<Fault>,
    sent: &AtomicU64,
) -> Option<()> {
    let media = dialect.stream_type();
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: {media}\r\nrequest-id: req_1\r\ntransfer-encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    let stops = matches!(fault, Some(Fault::Cut | Fault::Idle | Fault::Endless | Fault::Drip));
    if stops {
        parts.truncate(parts.len() / 2);
    }
    for part in &parts {
        chunk(stream, &broken(part))?;
    }
    if stops {
        let mut nothing = Vec::new();
        chunk(&mut nothing, dialect.nothing().as_bytes())?;
        return after(stream, fault, &nothing, sent);
    }
    stream.write_all(b"0\r\n\r\n").ok()
}

/// Answers with so many megabytes of a text that is one part of the reply, as far as the client takes them.
fn huge(stream: &mut TcpStream, dialect: Dialect, streams: bool, megabytes: u32, sent: &AtomicU64) -> Option<()> {
    let media = if streams { dialect.stream_type() } else { "application/json" };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {media}\r\ntransfer-encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    let begin: &[u8] =
        if dialect.stream_type() == media && media == "text/event-stream" { b"data: {\"x\":\"" } else { b"{\"x\":\"" };
    chunk(stream, begin)?;
    let block = vec![b'x'; 1 << 16];
    for _ in 0..u64::from(megabytes) * 16 {
        chunk(stream, &block)?;
        sent.fetch_add(block.len() as u64, Ordering::SeqCst);
    }
    stream.write_all(b"0\r\n\r\n").ok()
}

/// Ends as the fault says: at once, never, or with more and more.
fn after(stream: &mut TcpStream, fault: Option<Fault>, more: &[u8], sent: &AtomicU64) -> Option<()> {
    match fault {
        Some(Fault::Idle) => {
            // Waits until the client goes.
            let _ = stream.read_exact(&mut [0; 1]);
        }
        Some(Fault::Endless) => {
            let many = more.repeat(256);
            while stream.write_all(&many).is_ok() {
                sent.fetch_add(many.len() as u64, Ordering::SeqCst);
            }
        }
        Some(Fault::Drip) => {
            stream.set_read_timeout(Some(Duration::from_millis(10))).ok()?;
            // A read that ends without a byte is a client that went; one that times out is one that waits.
            while stream.write_all(more).is_ok() && stream.read(&mut [0; 1]).is_err() {}
        }
        _ => {}
    }
    None
}

fn chunk(out: &mut impl Write, bytes: &[u8]) -> Option<()> {
    // In one go, as servers do: three writes would be three packets.
    let mut whole = format!("{:x}\r\n", bytes.len()).into_bytes();
    whole.extend_from_slice(bytes);
    whole.extend_from_slice(b"\r\n");
    out.write_all(&whole).ok()
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
