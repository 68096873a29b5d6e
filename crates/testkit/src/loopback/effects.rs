//! The receiver of effects: a server that performs an effect once for each `Idempotency-Key`, records every request, and
//! can hold back an answer. It has threads of its own, so that it outlives killed clients.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The time to wait for an expected request.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The number of requests for each effect, by their key. Each key is one effect.
pub type Book = BTreeMap<String, BTreeMap<String, usize>>;

/// Names the effect of a request by its path and its body; `None` for a malformed request.
type Name = fn(&str, &[u8]) -> Option<String>;

/// The server.
pub struct Effects {
    /// Its port on 127.0.0.1.
    pub port: u16,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    book: Book,
    /// Requests whose answer is held back: the channel that reports the arrival, and the one that releases the answer.
    held: Vec<(String, Sender<()>, Receiver<()>)>,
    /// The number of requests after which the channel is notified.
    watched: Option<(u64, Sender<()>)>,
}

/// A request whose answer is held back. If it is dropped, the request is never answered.
pub struct HeldRequest {
    what: String,
    arrived: Receiver<()>,
    release: Sender<()>,
}

impl HeldRequest {
    /// Waits until it has arrived: the effect has happened, and the client does not know yet.
    #[track_caller]
    pub fn arrived(&self) {
        assert!(self.arrived.recv_timeout(TIMEOUT).is_ok(), "no request came for `{}`", self.what);
    }

    /// Returns whether it arrives within this time.
    pub fn arrives_within(&self, time: Duration) -> bool {
        self.arrived.recv_timeout(time).is_ok()
    }

    /// Releases the answer.
    pub fn release(self) {
        // The client may have been killed.
        let _ = self.release.send(());
    }
}

impl Effects {
    /// Effects that are named by the path of a request, and performed at once.
    pub fn by_path() -> Self {
        Self::new(|path, _| Some(path.trim_start_matches('/').to_owned()), Duration::ZERO)
    }

    /// Effects that are named by a function, on a server that answers after a pause.
    pub fn new(name: Name, pause: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let inner: Arc<Mutex<Inner>> = Arc::default();
        let shared = Arc::clone(&inner);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let inner = Arc::clone(&shared);
                // A killed client leaves half a request or a closed connection: neither is an effect.
                thread::spawn(move || serve(&stream, &inner, name, pause));
            }
        });
        Self { port, inner }
    }

    /// All effects since the last call.
    pub fn take(&self) -> Book {
        std::mem::take(&mut self.inner.lock().unwrap().book)
    }

    /// Asserts that exactly these effects have happened since the last call, each once. Returns the number of requests
    /// that were sent a second time.
    #[track_caller]
    pub fn each_once(&self, expected: &[&str]) -> usize {
        let book = self.take();
        let happened: Vec<(&str, usize)> = book.iter().map(|(what, keys)| (what.as_str(), keys.len())).collect();
        let mut wanted: Vec<(&str, usize)> = expected.iter().map(|what| (*what, 1)).collect();
        wanted.sort_unstable();
        assert_eq!(happened, wanted, "effects by what they are, and how often they happened");
        sent_again(&book)
    }

    /// Holds back the answer to the next request for an effect.
    pub fn hold(&self, what: &str) -> HeldRequest {
        let ((came, arrived), (release, released)) = (channel(), channel());
        self.inner.lock().unwrap().held.push((what.to_owned(), came, released));
        HeldRequest { what: what.to_owned(), arrived, release }
    }

    /// Notifies when `requests` more requests have arrived, before the last of them is answered.
    pub fn watch(&self, requests: u64) -> Receiver<()> {
        let (sender, receiver) = channel();
        self.inner.lock().unwrap().watched = Some((requests, sender));
        receiver
    }
}

/// The number of requests that were sent a second time.
pub fn sent_again(book: &Book) -> usize {
    book.values().flat_map(BTreeMap::values).map(|requests| requests - 1).sum()
}

impl Inner {
    fn notify(&mut self) {
        if let Some((left, sender)) = &mut self.watched {
            *left -= 1;
            if *left == 0 {
                // The watcher may have stopped waiting.
                let _ = sender.send(());
                self.watched = None;
            }
        }
    }
}

fn serve(stream: &TcpStream, inner: &Mutex<Inner>, name: Name, pause: Duration) -> Option<()> {
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
    let what = name(&path, &body)?;
    let held = {
        let mut inner = inner.lock().unwrap();
        // The effect itself is only its count.
        *inner.book.entry(what.clone()).or_default().entry(key).or_default() += 1;
        inner.notify();
        let place = inner.held.iter().position(|(held, ..)| *held == what);
        place.map(|place| inner.held.remove(place))
    };
    if let Some((_, came, released)) = held {
        came.send(()).ok()?;
        released.recv().ok()?;
    }
    thread::sleep(pause);
    let answer = format!("{{\"done\":{what:?}}}");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length";
    let mut stream = stream;
    write!(stream, "{head}: {}\r\n\r\n{answer}", answer.len()).ok()
}
