//! A checked rule, in the form in which requests are matched.

use crate::url::{Host, NormalPath};
use deed_model::EgressScheme;

/// A rule without faults.
#[derive(Debug, Clone)]
pub(super) struct CheckedRule {
    pub(super) scheme: EgressScheme,
    pub(super) host: Host,
    pub(super) subdomains: bool,
    pub(super) port: u16,
    pub(super) paths: Vec<PathRule>,
    pub(super) methods: Vec<String>,
}

/// One path, or all below one.
#[derive(Debug, Clone)]
pub(super) enum PathRule {
    Exact(String),
    /// With its final slash.
    Below(String),
}

impl CheckedRule {
    pub(super) fn has_place(&self, scheme: EgressScheme, host: &Host, port: u16) -> bool {
        self.scheme == scheme && self.port == port && self.has_host(host)
    }

    fn has_host(&self, host: &Host) -> bool {
        match (&self.host, host) {
            (Host::Name(own), Host::Name(name)) if self.subdomains => {
                name.strip_suffix(own.as_str()).is_some_and(|front| front.is_empty() || front.ends_with('.'))
            }
            (own, host) => own == host,
        }
    }

    pub(super) fn has_path(&self, path: &NormalPath) -> bool {
        self.paths.is_empty()
            || self.paths.iter().any(|rule| match rule {
                PathRule::Exact(own) => own == path.as_str(),
                PathRule::Below(folder) => path.as_str().starts_with(folder.as_str()),
            })
    }

    pub(super) fn has_method(&self, method: &str) -> bool {
        match self.methods.is_empty() {
            true => method == "GET" || method == "HEAD",
            false => self.methods.iter().any(|own| own == method),
        }
    }
}
