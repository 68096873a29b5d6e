//! Clients of model providers, transcripts of their replies, and prices.
//!
//! A [`ModelCall`](deed_model::ModelCall) is complete before it is made. A [`Client`] writes it for the protocol of its
//! provider, reserves its worst case, sends it through the egress gateway, and reads the reply; a [`Recorder`] writes
//! both into a transcript, and a [`Replayer`] answers from one without a provider. Protocols, prices, keys and
//! transcripts are pure; clients have effects.

mod client;
mod count;
mod diagnose;
mod habits;
mod key;
mod pace;
mod price;
mod protocols;
mod provider;
mod transcript;
mod valid;

pub use client::{
    AttachmentSource, AttemptLog, BlockingClient, Client, ClientConfig, Limiter, MoneyBudget, Purse, RetryPolicy,
};
pub use count::counted_input;
pub use diagnose::{diagnostic, transcript_diagnostic};
pub use key::call_key;
pub use pace::{Pace, SystemPace, Waiting};
pub use price::{PriceFault, actual_cost, builtin_prices, check_prices, price_of, worst_case, worst_tokens};
pub use protocols::{Attachments, DecodeFault, Streaming, WireRequest, decode, encode};
pub use provider::{
    EffortField, KeyHeader, MaxTokensField, ModelFamily, Provider, SchemaOutput, SchemaSubset, Taken, ThinkingField,
    provider, providers,
};
pub use transcript::{MergeConflict, Recorder, Replayer, Transcript, TranscriptFault, merge};
pub use valid::ask_valid;
