//! Rules: read once, with all their faults, and matched with each request. What no rule allows is denied.

mod checked;
mod cover;
mod fault;
mod lint;

use crate::url::{Host, NormalPath};
use checked::CheckedRule;
use deed_model::{EgressRule, EgressScheme, EgressVerdict};

pub use cover::covers;
pub use fault::{RuleFault, RuleField};
pub use lint::secret_name;

/// A request, as far as rules concern it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'a> {
    /// The scheme.
    pub scheme: EgressScheme,
    /// The host.
    pub host: &'a Host,
    /// The port.
    pub port: u16,
    /// The method.
    pub method: &'a str,
    /// The path.
    pub path: &'a NormalPath,
}

/// The decision of the rules about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ruling {
    /// `Allowed`, or the most specific reason why it is not: the host, the path or the method.
    pub verdict: EgressVerdict,
    /// The first rule that allows it.
    pub rule: Option<usize>,
}

/// Rules that have no fault. Without any, nothing is allowed.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    rules: Vec<EgressRule>,
    listed: Vec<CheckedRule>,
}

impl Rules {
    /// Reads rules, or returns all their faults.
    pub fn read(rules: Vec<EgressRule>) -> Result<Self, Vec<RuleFault>> {
        let mut faults = Vec::new();
        let mut read = Self::default();
        for (index, rule) in rules.into_iter().enumerate() {
            match lint::read(index, rule) {
                Ok((rule, listed)) => {
                    read.rules.push(rule);
                    read.listed.push(listed);
                }
                Err(found) => faults.extend(found),
            }
        }
        if faults.is_empty() { Ok(read) } else { Err(faults) }
    }

    /// The rules in canonical form, in their order.
    pub fn rules(&self) -> &[EgressRule] {
        &self.rules
    }

    /// Decides about a request.
    pub fn decide(&self, target: &Target<'_>) -> Ruling {
        let mut verdict = EgressVerdict::HostNotListed;
        for (index, rule) in self.listed.iter().enumerate() {
            if !rule.has_place(target.scheme, target.host, target.port) {
                continue;
            }
            if rule.has_path(target.path) {
                if rule.has_method(target.method) {
                    return Ruling { verdict: EgressVerdict::Allowed, rule: Some(index) };
                }
                verdict = EgressVerdict::MethodNotListed;
            } else if verdict == EgressVerdict::HostNotListed {
                verdict = EgressVerdict::PathNotListed;
            }
        }
        Ruling { verdict, rule: None }
    }

    /// Decides whether a tunnel may be opened at all. What goes through it is decided one by one.
    pub fn decide_tunnel(&self, host: &Host, port: u16) -> Ruling {
        match self.listed.iter().position(|rule| rule.has_place(EgressScheme::Https, host, port)) {
            Some(index) => Ruling { verdict: EgressVerdict::Allowed, rule: Some(index) },
            None => Ruling { verdict: EgressVerdict::HostNotListed, rule: None },
        }
    }
}
