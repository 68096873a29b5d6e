//! Notes on what the gateway dropped, changed or concealed.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that was done to a request or to its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// A header of the request was not passed on.
    HeaderDropped {
        /// Its name.
        name: String,
        /// The reason.
        why: Dropped,
    },
    /// The answer was asked for without compression, so that an echo of the secret could be seen.
    AskedPlain,
    /// The answer repeated a secret, which was replaced.
    SecretConcealed {
        /// The name of the secret.
        secret: String,
        /// The number of occurrences.
        times: usize,
    },
    /// Headers after the body of the request were not passed on.
    TrailersDropped,
    /// The answer is a redirect of a request that costs or changes something: to follow it is a request of its own.
    RedirectNotFollowed,
}

/// The reason why a header was not passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dropped {
    /// It speaks of a connection, or to a proxy.
    Connection,
    /// It follows from the URL or from the body.
    Derived,
    /// The rule puts a credential there.
    Credential,
    /// It says who asks, or through whom, and only a proxy may say that.
    Forwarding,
    /// The request carries a credential, and the header neither describes it nor is listed by the rule.
    NotListed,
    /// It may not be shown to another host than it was meant for.
    OtherHost,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeaderDropped { name, why } => {
                let why = match why {
                    Dropped::Connection => "it speaks of the connection",
                    Dropped::Derived => "it follows from the url and the body",
                    Dropped::Credential => "the rule puts a credential there",
                    Dropped::Forwarding => "it says who asks or through whom, which only a proxy may say",
                    Dropped::NotListed => "beside a credential, only what the rule lists under `headers` is sent",
                    Dropped::OtherHost => "the redirect leads to another host",
                };
                write!(f, "the header `{name}` was dropped: {why}")
            }
            Self::AskedPlain => f.write_str("the answer was asked for without compression"),
            Self::SecretConcealed { secret, times } => {
                write!(f, "the answer repeated the secret `{secret}` {times} times; it was replaced")
            }
            Self::TrailersDropped => f.write_str("headers after the body were dropped"),
            Self::RedirectNotFollowed => f.write_str(
                "the redirect was not followed, since that would cost or change something: make the request yourself",
            ),
        }
    }
}
