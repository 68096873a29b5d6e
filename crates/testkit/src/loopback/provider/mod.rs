//! A scripted provider of models: it speaks each wire protocol, streams included, and injects faults.
//!
//! The protocols are written here a second time and by hand, so that a client is never tested against itself.

mod anthropic;
mod dialect;
mod fault;
mod gate;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;
mod server;

pub use dialect::Dialect;
pub use fault::Fault;
pub use server::{ProviderServer, Turn};

use serde_json::Value;

/// A reply of the script, in no protocol.
#[derive(Debug, Clone, Default)]
pub struct ScriptedReply {
    /// The thinking.
    pub thinking: Option<String>,
    /// The text.
    pub text: String,
    /// The calls of tools: id, name and arguments.
    pub calls: Vec<(String, String, Value)>,
    /// The reason of the end.
    pub stop: Stop,
    /// The usage; none if it is not reported.
    pub usage: Option<Usage>,
    /// True if thinking comes in signed blocks where the protocol has them besides plain text.
    pub signed: bool,
}

/// The reason why a scripted reply ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stop {
    /// It is done, or calls tools if there are any.
    #[default]
    Done,
    /// The maximum number of tokens was reached.
    Length,
    /// The model refuses.
    Refusal,
    /// A filter stopped it.
    Filter,
}

/// The usage that is reported: all input, the cached part of it, all output, and the part of it that is thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// All input.
    pub input: i64,
    /// The part of the input that a cache held.
    pub cached: i64,
    /// All output.
    pub output: i64,
    /// The part of the output that is thinking.
    pub reasoning: i64,
    /// The part of the input that was written to a cache.
    pub written: i64,
}

impl ScriptedReply {
    /// A reply of text with usage.
    pub fn text(text: &str) -> Self {
        let usage = Some(Usage { input: 20, cached: 8, output: 12, reasoning: 0, written: 0 });
        Self { text: text.to_owned(), usage, ..Self::default() }
    }

    /// The same with thinking.
    pub fn thinking(mut self, thinking: &str) -> Self {
        self.thinking = Some(thinking.to_owned());
        self
    }

    /// The same with its thinking in signed blocks.
    pub fn signed(mut self) -> Self {
        self.signed = true;
        self
    }

    /// The same with a call of a tool.
    pub fn call(mut self, id: &str, name: &str, arguments: Value) -> Self {
        self.calls.push((id.to_owned(), name.to_owned(), arguments));
        self
    }

    /// The same with another end.
    pub fn stopped(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// The text in pieces of a few characters.
    fn pieces(text: &str) -> Vec<String> {
        let letters: Vec<char> = text.chars().collect();
        letters.chunks(5).map(|piece| piece.iter().collect()).collect()
    }
}

/// The signature that scripted thinking carries.
pub const SIGNATURE: &str = "c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg==";

/// An event of a stream, as text.
fn event(name: Option<&str>, data: &Value) -> String {
    let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {data}\n\n")
}
