//! Wire protocols, one file each: a call becomes a request, and an answer or the events of a stream become a reply.
//!
//! All of it is pure. A stream is put together to the answer that the same protocol gives without streaming, and then
//! read by the same code; so both give the same reply.

mod anthropic;
mod draft;
mod events;
mod fault;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;
mod read;
mod subset;

pub use fault::DecodeFault;
pub(crate) use fault::message_of;

use crate::provider::Provider;
use deed_canon::ContentHash;
use deed_model::{DroppedParameter, ModelCall, ModelProtocol, ModelReply};
use events::{json_lines, server_sent};
use serde_json::Value;

/// The way in which a reply arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streaming {
    /// Part by part.
    On,
    /// As a whole.
    Off,
}

/// The bytes of attachments, by their hash.
pub type Attachments<'a> = &'a dyn Fn(&ContentHash) -> Option<Vec<u8>>;

/// A call and what is needed to write it.
#[derive(Clone, Copy)]
pub(crate) struct Writing<'a> {
    pub(crate) call: &'a ModelCall,
    pub(crate) provider: &'a Provider,
    pub(crate) attachments: Attachments<'a>,
    pub(crate) streaming: Streaming,
}

/// A request as it is sent, without the credential.
#[derive(Debug, Clone, PartialEq)]
pub struct WireRequest {
    /// The path below the base URL, with its query.
    pub path: String,
    /// The body.
    pub body: Value,
    /// The parameters that are not part of it.
    pub dropped: Vec<DroppedParameter>,
}

/// Writes a call as a request of the provider's protocol.
///
/// # Errors
/// The call names an attachment whose bytes are missing or change under its hash, or of a type that is no image.
pub fn encode(
    call: &ModelCall,
    provider: &Provider,
    attachments: Attachments<'_>,
    streaming: Streaming,
) -> Result<WireRequest, String> {
    let writing = Writing { call, provider, attachments, streaming };
    let (path, draft) = match provider.protocol {
        ModelProtocol::AnthropicMessages => anthropic::encode(writing),
        ModelProtocol::OpenaiChat => openai_chat::encode(writing),
        ModelProtocol::OpenaiResponses => openai_responses::encode(writing),
        ModelProtocol::Gemini => gemini::encode(writing),
        ModelProtocol::Ollama => ollama::encode(writing),
    }?;
    let path = provider.path.clone().unwrap_or(path).replace("{model}", &in_path(call.model.model()));
    let (body, dropped) = draft.finish();
    Ok(WireRequest { path, body, dropped })
}

/// Writes the name of a model as a part of a path.
fn in_path(model: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:@/".contains(&byte);
    model.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Reads an answer with a status of success.
///
/// # Errors
/// The answer does not follow the protocol, or breaks off.
pub fn decode(protocol: ModelProtocol, streaming: Streaming, body: &[u8]) -> Result<ModelReply, DecodeFault> {
    let text = std::str::from_utf8(body).map_err(|_| DecodeFault::BadUtf8)?;
    let whole = match streaming {
        // A server that cannot stream answers as a whole.
        Streaming::On if !text.trim_start().starts_with('{') || protocol == ModelProtocol::Ollama => {
            assembled(protocol, text)?
        }
        Streaming::On | Streaming::Off => fault::json(text)?,
    };
    fault::failure(&whole)?;
    let mut reply = match protocol {
        ModelProtocol::AnthropicMessages => anthropic::decode(&whole),
        ModelProtocol::OpenaiChat => openai_chat::decode(&whole),
        ModelProtocol::OpenaiResponses => openai_responses::decode(&whole),
        ModelProtocol::Gemini => gemini::decode(&whole),
        ModelProtocol::Ollama => ollama::decode(&whole),
    }?;
    read::numbered(&mut reply)?;
    Ok(reply)
}

fn assembled(protocol: ModelProtocol, text: &str) -> Result<Value, DecodeFault> {
    match protocol {
        ModelProtocol::AnthropicMessages => anthropic::assemble(&server_sent(text)?),
        ModelProtocol::OpenaiChat => openai_chat::assemble(&server_sent(text)?),
        ModelProtocol::OpenaiResponses => openai_responses::assemble(&server_sent(text)?),
        ModelProtocol::Gemini => gemini::assemble(&server_sent(text)?),
        ModelProtocol::Ollama => ollama::assemble(&json_lines(text)?),
    }
}
