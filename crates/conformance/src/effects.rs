//! The other side: a server on the loopback that does something once for each `Idempotency-Key`, remembers every
//! request, and can keep an answer back.

use crate::process::PATIENCE;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// How many requests came for each effect, by the key that they came with.
type Book = BTreeMap<String, BTreeMap<String, usize>>;

/// The server.
pub(crate) struct Effects {
    port: u16,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    book: Book,
    /// Requests whose answer is kept back: who is told that one came, and who says when it is answered.
    held: Vec<(String, Sender<()>, Receiver<()>)>,
}

/// A request whose answer is kept back. Dropped, it is never answered.
pub(crate) struct Held {
    what: String,
    arrived: Receiver<()>,
    release: Sender<()>,
}

impl Held {
    /// Waits until it has come: the effect has happened, and nobody knows of it yet.
    #[track_caller]
    pub(crate) fn arrived(&self) {
        assert!(self.arrived.recv_timeout(PATIENCE).is_ok(), "no request came for `{}`", self.what);
    }

    /// Lets it be answered.
    pub(crate) fn release(self) {
        // Whoever asked may be dead.
        let _ = self.release.send(());
    }
}

impl Effects {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let inner: Arc<Mutex<Inner>> = Arc::default();
        let shared = Arc::clone(&inner);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let inner = Arc::clone(&shared);
                // A client that was killed leaves half a request or nobody to answer: neither is an effect.
                std::thread::spawn(move || serve(&stream, &inner));
            }
        });
        Self { port, inner }
    }

    /// Where an effect is asked for.
    pub(crate) fn url(&self, what: &str) -> String {
        format!("http://127.0.0.1:{}/{what}", self.port)
    }

    /// The rule that lets code reach it.
    pub(crate) fn rule(&self) -> Value {
        json!({
            "scheme": "http", "host": "127.0.0.1", "port": self.port, "methods": ["POST"],
            "private_addresses": true, "repeat": "by_key",
        })
    }

    /// Keeps back the answer to the next request for an effect.
    pub(crate) fn hold(&self, what: &str) -> Held {
        let ((came, arrived), (release, released)) = (channel(), channel());
        self.inner.lock().unwrap().held.push((what.to_owned(), came, released));
        Held { what: what.to_owned(), arrived, release }
    }

    /// These effects have happened since the last time, each once, and no other. Gives how many requests were sent a
    /// second time.
    #[track_caller]
    pub(crate) fn each_once(&self, expected: &[&str]) -> usize {
        let book = std::mem::take(&mut self.inner.lock().unwrap().book);
        let happened: Vec<(&str, usize)> = book.iter().map(|(what, keys)| (what.as_str(), keys.len())).collect();
        let mut wanted: Vec<(&str, usize)> = expected.iter().map(|what| (*what, 1)).collect();
        wanted.sort_unstable();
        assert_eq!(happened, wanted, "effects by what they are, and how often they happened");
        book.values().flat_map(BTreeMap::values).map(|requests| requests - 1).sum()
    }
}

fn serve(stream: &TcpStream, inner: &Mutex<Inner>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut what, mut key, mut length) = (String::new(), String::new(), 0);
    for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        match line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value)) {
            Some((name, value)) if name == "idempotency-key" => key = value.to_owned(),
            Some((name, value)) if name == "content-length" => length = value.parse().ok()?,
            Some(_) => {}
            None => what = line.split(' ').nth(1)?.trim_start_matches('/').to_owned(),
        }
    }
    reader.read_exact(&mut vec![0; length]).ok()?;
    let held = {
        let mut inner = inner.lock().unwrap();
        *inner.book.entry(what.clone()).or_default().entry(key).or_default() += 1;
        let place = inner.held.iter().position(|(held, ..)| *held == what);
        place.map(|place| inner.held.remove(place))
    };
    if let Some((_, came, released)) = held {
        came.send(()).ok()?;
        released.recv().ok()?;
    }
    let answer = json!({ "done": what }).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length";
    let mut stream = stream;
    write!(stream, "{head}: {}\r\n\r\n{answer}", answer.len()).ok()
}
