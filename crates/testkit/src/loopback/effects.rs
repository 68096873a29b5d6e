//! The other side of what code does: a server that does something once for each `Idempotency-Key`, remembers every
//! request, and can keep an answer back. It has threads of its own, so that it outlives whoever is killed.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How long somebody waits for a request that has to come.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many requests came for each effect, by the key that they came with. Each key is one effect.
pub type Book = BTreeMap<String, BTreeMap<String, usize>>;

/// What a request asks for, by its path and its body; none where it makes no sense.
type Name = fn(&str, &[u8]) -> Option<String>;

/// The server.
pub struct Effects {
    /// Where it listens on 127.0.0.1.
    pub port: u16,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    book: Book,
    /// Requests whose answer is kept back: who is told that one came, and who says when it is answered.
    held: Vec<(String, Sender<()>, Receiver<()>)>,
    /// After so many more requests somebody is told.
    watched: Option<(u64, Sender<()>)>,
}

/// A request whose answer is kept back. Dropped, it is never answered.
pub struct Held {
    what: String,
    arrived: Receiver<()>,
    release: Sender<()>,
}

impl Held {
    /// Waits until it has come: the effect has happened, and nobody knows of it yet.
    #[track_caller]
    pub fn arrived(&self) {
        assert!(self.arrived.recv_timeout(PATIENCE).is_ok(), "no request came for `{}`", self.what);
    }

    /// Returns whether it comes within this time.
    pub fn arrives_within(&self, time: Duration) -> bool {
        self.arrived.recv_timeout(time).is_ok()
    }

    /// Lets it be answered.
    pub fn release(self) {
        // Whoever asked may be dead.
        let _ = self.release.send(());
    }
}

impl Effects {
    /// Effects that are called by the path of a request, and done at once.
    pub fn by_path() -> Self {
        Self::new(|path, _| Some(path.trim_start_matches('/').to_owned()), Duration::ZERO)
    }

    /// Effects that are called as a function says, by a side that takes its time to answer.
    pub fn new(name: Name, pause: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let inner: Arc<Mutex<Inner>> = Arc::default();
        let shared = Arc::clone(&inner);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let inner = Arc::clone(&shared);
                // A client that was killed leaves half a request or nobody to answer: neither is an effect.
                thread::spawn(move || serve(&stream, &inner, name, pause));
            }
        });
        Self { port, inner }
    }

    /// All that was done since the last time.
    pub fn take(&self) -> Book {
        std::mem::take(&mut self.inner.lock().unwrap().book)
    }

    /// These effects have happened since the last time, each once, and no other. Gives how many requests were sent a
    /// second time.
    #[track_caller]
    pub fn each_once(&self, expected: &[&str]) -> usize {
        let book = self.take();
        let happened: Vec<(&str, usize)> = book.iter().map(|(what, keys)| (what.as_str(), keys.len())).collect();
        let mut wanted: Vec<(&str, usize)> = expected.iter().map(|what| (*what, 1)).collect();
        wanted.sort_unstable();
        assert_eq!(happened, wanted, "effects by what they are, and how often they happened");
        sent_again(&book)
    }

    /// Keeps back the answer to the next request for an effect.
    pub fn hold(&self, what: &str) -> Held {
        let ((came, arrived), (release, released)) = (channel(), channel());
        self.inner.lock().unwrap().held.push((what.to_owned(), came, released));
        Held { what: what.to_owned(), arrived, release }
    }

    /// Tells when so many more requests have come, the last of which is not answered yet.
    pub fn watch(&self, requests: u64) -> Receiver<()> {
        let (sender, receiver) = channel();
        self.inner.lock().unwrap().watched = Some((requests, sender));
        receiver
    }
}

/// How many requests were sent a second time.
pub fn sent_again(book: &Book) -> usize {
    book.values().flat_map(BTreeMap::values).map(|requests| requests - 1).sum()
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
        // The effect itself: nothing but its count.
        *inner.book.entry(what.clone()).or_default().entry(key).or_default() += 1;
        inner.tell();
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
