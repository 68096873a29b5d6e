//! Egress as values: rules, URLs and addresses.
//!
//! Rules as they were written enter; what leaves is [`Rules`] that can be asked about a request, or every fault of
//! them with its field. The compiler of plans, the runtime and the egress gateway read rules here and nowhere else, so none
//! of them takes what another refuses. A URL is read in one way only or not at all, an address on one of the lists is
//! not public, and what a run needed becomes the smallest rules that would have allowed it.
//!
//! The crate is pure: it resolves no name and opens no connection. The value of a credential is never
//! repeated in a message.

mod address;
mod endpoint;
mod headers;
mod learn;
mod rules;
mod url;
mod words;

pub use address::{Special, special};
pub use endpoint::{base_path, resolved};
pub use headers::{alike, is_descriptive, is_forwarding, is_of_connection, is_overriding, is_token};
pub use learn::{LeftOut, capability, left_out, needed, spelled, suggest, yaml};
pub use rules::{RuleFault, RuleField, Rules, Ruling, Target, covers, secret_name};
pub use url::{Host, Location, NormalPath, UrlFault, read_authority, read_query};
pub use words::in_words;
