//! Faults of rules, each with its field.

use std::fmt;

/// A fault of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFault {
    /// The place of the rule.
    pub index: usize,
    /// The field of it.
    pub field: RuleField,
    /// The message. The value of a credential is not repeated.
    pub message: String,
}

impl fmt::Display for RuleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "egress rule {}, `{}`: {}", self.index, self.field, self.message)
    }
}

/// A field of a rule. It is shown as the way to it from the rule: `paths/0`, `credential/secret`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleField {
    /// The host.
    Host,
    /// True if names below the host are meant.
    Subdomains,
    /// The port.
    Port,
    /// The path at that place.
    Path(usize),
    /// The method at that place.
    Method(usize),
    /// The credential as a whole.
    Credential,
    /// The name of the credential's secret.
    Secret,
    /// The header that carries the credential.
    Header,
    /// The format of the header's value.
    Format,
    /// The header at that place that code may send beside the credential.
    Beside(usize),
}

impl fmt::Display for RuleField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::Subdomains => f.write_str("subdomains"),
            Self::Port => f.write_str("port"),
            Self::Path(position) => write!(f, "paths/{position}"),
            Self::Method(position) => write!(f, "methods/{position}"),
            Self::Credential => f.write_str("credential"),
            Self::Secret => f.write_str("credential/secret"),
            Self::Header => f.write_str("credential/header"),
            Self::Format => f.write_str("credential/format"),
            Self::Beside(position) => write!(f, "headers/{position}"),
        }
    }
}
