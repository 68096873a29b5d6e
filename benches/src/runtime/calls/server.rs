//! A server that answers every request with the same stream of OpenAI's chat protocol, a thread for each connection.

use serde_json::json;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// The pieces of a short reply.
pub(crate) const PIECES: usize = 40;
/// The text of a piece.
pub(crate) const WORD: &str = "word ";

/// A server on the loopback.
pub(crate) struct Server {
    pub(crate) port: u16,
    text: String,
    length: usize,
}

impl Server {
    /// Starts a server whose replies have these pieces.
    pub(crate) fn start(pieces: &[&str]) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let event = |value: serde_json::Value| format!("data: {value}\n\n");
        let chunk = |delta: serde_json::Value, finish: serde_json::Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            event(json!({"id": "chat_1", "model": "bench", "choices": [choice]}))
        };
        let mut parts: Vec<String> = pieces.iter().map(|piece| chunk(json!({"content": piece}), json!(null))).collect();
        parts.push(chunk(json!({}), json!("stop")));
        let usage = json!({"prompt_tokens": 2000, "completion_tokens": pieces.len()});
        parts.push(event(json!({"id": "chat_1", "choices": [], "usage": usage})));
        parts.push("data: [DONE]\n\n".to_owned());
        let length = parts.iter().map(String::len).sum();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
        let framed = parts.iter().map(|part| format!("{:x}\r\n{part}\r\n", part.len()).into_bytes());
        let mut frames = vec![head.as_bytes().to_vec()];
        frames.extend(framed);
        frames.push(b"0\r\n\r\n".to_vec());
        let frames = Arc::new(frames);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let frames = Arc::clone(&frames);
                // The client may go at any time, which ends the connection alone.
                thread::spawn(move || answer(stream, &frames));
            }
        });
        Ok(Self { port, text: pieces.concat(), length })
    }

    /// The text of a reply.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of a reply.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Sends a request and reads its answer, and does nothing with it. Returns its length with all framing.
    pub(crate) fn exchange(&self, body: &[u8]) -> io::Result<usize> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_nodelay(true)?;
        stream.write_all(&request(body))?;
        let mut all = Vec::new();
        stream.read_to_end(&mut all)
    }
}

/// A request with a body.
pub(crate) fn request(body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn answer(mut stream: TcpStream, frames: &[Vec<u8>]) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line)? > 2 {
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or_default();
        }
        line.clear();
    }
    reader.read_exact(&mut vec![0; length])?;
    stream.set_nodelay(true)?;
    // Some pieces in one packet, as a provider sends them under load.
    for frames in frames.chunks(8) {
        stream.write_all(&frames.concat())?;
    }
    stream.shutdown(std::net::Shutdown::Write)
}
