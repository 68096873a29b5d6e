//! The other side: an HTTP server on the loopback that does something once for each `Idempotency-Key`, and remembers
//! every request.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What was asked for, such as `s02 0`, and what became of each key that came with it.
pub(crate) type Book = BTreeMap<String, BTreeMap<String, Done>>;

/// What became of a key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) requests: usize,
    pub(crate) effects: usize,
}

/// The server.
pub(crate) struct Effects {
    pub(crate) port: u16,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    book: Book,
    /// The request that is done and never answered, and who is told that it came.
    held: Option<(String, Sender<()>)>,
    /// After so many more requests somebody is told.
    watched: Option<(u64, Sender<()>)>,
}

impl Effects {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let inner: Arc<Mutex<Inner>> = Arc::default();
        let shared = Arc::clone(&inner);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let inner = Arc::clone(&shared);
                // A client that was killed leaves half a request or nobody to answer: neither is an effect.
                thread::spawn(move || serve(&stream, &inner));
            }
        });
        Self { port, inner }
    }

    /// All that was done since the last time.
    pub(crate) fn take(&self) -> Book {
        std::mem::take(&mut self.inner.lock().unwrap().book)
    }

    /// Tells when so many more requests have come, the last of which is not answered yet.
    pub(crate) fn watch(&self, requests: u64) -> Receiver<()> {
        let (sender, receiver) = channel();
        self.inner.lock().unwrap().watched = Some((requests, sender));
        receiver
    }

    /// The next request of this kind is done, told of, and never answered.
    pub(crate) fn hold(&self, what: &str) -> Receiver<()> {
        let (sender, receiver) = channel();
        self.inner.lock().unwrap().held = Some((what.to_owned(), sender));
        receiver
    }
}

impl Inner {
    fn tell(&mut self) {
        if let Some((left, sender)) = &mut self.watched {
            *left -= 1;
            if *left == 0 {
                // Whoever wanted to know may have gone on.
                let _ = sender.send(());
                self.watched = None;
            }
        }
    }
}

fn serve(stream: &TcpStream, inner: &Mutex<Inner>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut path, mut key, mut length) = (String::new(), String::new(), 0);
    for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        match line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value)) {
            Some((name, value)) if name == "idempotency-key" => key = value.to_owned(),
            Some((name, value)) if name == "content-length" => length = value.parse().ok()?,
            Some(_) => {}
            None => path = line.split(' ').nth(1)?.to_owned(),
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let item = serde_json::from_slice::<serde_json::Value>(&body).ok()?["item"].to_string();
    let what = format!("{} {item}", path.rsplit('/').next()?);
    let held = {
        let mut inner = inner.lock().unwrap();
        let done = inner.book.entry(what.clone()).or_default().entry(key).or_default();
        done.requests += 1;
        // The effect itself: nothing but its count, and once for each key.
        done.effects = 1;
        inner.tell();
        inner.held.take_if(|(held, _)| *held == what)
    };
    if let Some((_, arrived)) = held {
        arrived.send(()).ok()?;
        // Until the other side is gone.
        reader.read_to_end(&mut Vec::new()).ok()?;
        return None;
    }
    // A side that takes its time, so that some processes die while they wait for its answer.
    thread::sleep(Duration::from_millis(8));
    let answer = format!("{{\"done\":{what:?}}}");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length";
    let mut stream = stream;
    write!(stream, "{head}: {}\r\n\r\n{answer}", answer.len()).ok()
}
