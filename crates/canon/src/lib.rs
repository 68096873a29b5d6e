//! Canonical JSON, typed hashes, content-derived ids, signatures and hash chains.
//!
//! Everything that Deed hashes or signs passes through this crate: a strict reader that refuses ambiguous documents, an
//! RFC 8785 writer that streams into SHA-256, and the envelope and chain formats built on them. The crate uses no
//! clock, file, environment variable or random source.
//!
//! ```
//! let value = deed_canon::parse(br#"{"b": 1.0, "a": [true]}"#).unwrap();
//! assert_eq!(deed_canon::to_canonical(&value).unwrap(), br#"{"a":[true],"b":1}"#);
//! assert!(deed_canon::parse(br#"{"a": 1, "a": 2}"#).is_err());
//! ```

mod chain;
mod dsse;
mod error;
mod fault;
mod hash;
mod hex;
mod id;
mod invariant;
mod members;
mod number;
mod parse;
mod scalar;
mod ser;
mod sign;
mod statement;
mod time;
mod tree;
mod write;

pub use chain::{Break, BreakKind, ChainHead, Link, append, verify_chain};
pub use dsse::{Envelope, EnvelopeSignature, Verified, pre_authentication_encoding};
pub use error::{CanonError, DsseError, HashParseError, KeyError, ParseError, ParseErrorKind, TagError};
pub use hash::{ContentHash, TypeTag, hash, hash_of, hash_of_with};
pub use id::derive_id;
pub use invariant::{Invariant, broken};
pub use members::Members;
pub use number::number_from_f64;
pub use parse::{MAX_DEPTH, parse, parse_tree};
pub use scalar::{is_plain_json, put_json_string};
pub use ser::{Scratch, to_canonical_of};
pub use sign::{KeyId, PublicKey, SigningKey};
pub use statement::{IN_TOTO_PAYLOAD_TYPE, STATEMENT_TYPE, Statement, Subject};
pub use time::timestamp;
pub use tree::{Member, Node, NodeKind, Pointer, Span};
pub use write::{canonical_string, to_canonical, utf16_cmp};
