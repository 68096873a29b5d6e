//! Models: who may ask one, with which settings, and what was asked and answered.

mod attempt;
mod call;
mod consumer;
mod message;
mod model_id;
mod parameters;
mod price;
mod protocol;
mod reply;
mod reply_contract;
mod tool;
mod transcript;
mod usage;

pub use attempt::{AttemptOutcome, AttemptPayment, ModelAttempt};
pub use call::{ModelAttachment, ModelCall, ModelCallKey};
pub use consumer::ModelConsumer;
pub use message::{MessagePart, MessageRole, ModelMessage};
pub use model_id::{ModelId, ModelIdError};
pub use parameters::{DroppedParameter, ModelParameters, ReasoningEffort, ReasoningRequest};
pub use price::{LongInputPrice, ModelCost, ModelPrice, PriceCheck, PriceTable};
pub use protocol::ModelProtocol;
pub use reply::{ModelReply, OutputCheck, ReplyNote, StopReason};
pub use reply_contract::ReplyContract;
pub use tool::{ModelTool, ToolChoice};
pub use transcript::{RecordedModelCall, ReplyOrigin, TranscriptEnd, TranscriptHead, TranscriptLine};
pub use usage::ModelUsage;
