//! The lint of rules, before any request is decided by them.

use super::checked::{CheckedRule, PathRule};
use super::{RuleFault, RuleField};
use crate::headers::{alike, is_token, may_be_allowed, may_carry_credential};
use crate::url::{Host, NormalPath};
use deed_diag::quote;
use deed_model::{EgressCredential, EgressRule, EgressScheme};

/// Methods that no rule can allow: the first is what tunnels are made of, the others give back the headers of a
/// request, credentials among them.
const NEVER: [&str; 3] = ["CONNECT", "TRACE", "TRACK"];

struct Faults {
    index: usize,
    found: Vec<RuleFault>,
}

impl Faults {
    fn add(&mut self, field: RuleField, message: impl Into<String>) {
        self.found.push(RuleFault { index: self.index, field, message: message.into() });
    }
}

/// The rule in canonical form and in the form in which it is asked, or all its faults.
pub(super) fn read(index: usize, mut rule: EgressRule) -> Result<(EgressRule, CheckedRule), Vec<RuleFault>> {
    let mut faults = Faults { index, found: Vec::new() };
    let host = host(&rule, &mut faults);
    let paths = rule.paths.iter().enumerate();
    let paths = paths.filter_map(|(position, path)| path_rule(position, path, &mut faults)).collect();
    let methods = rule.methods.iter().enumerate();
    methods.for_each(|(position, method)| check_method(position, method, &mut faults));
    if rule.port == Some(0) {
        faults.add(RuleField::Port, "port 0 is not valid");
    }
    if let Some(credential) = &rule.credential {
        check_credential(credential, &mut faults);
        if rule.scheme == EgressScheme::Http && !rule.private_addresses {
            let message = "a secret is sent over `https` only, unless `private_addresses` is true";
            faults.add(RuleField::Credential, message);
        }
    }
    let headers = rule.headers.iter().enumerate();
    headers.for_each(|(position, name)| check_beside(position, name, rule.credential.as_ref(), &mut faults));
    match host {
        Some(host) if faults.found.is_empty() => {
            rule.host = host.plain();
            let port = rule.port.unwrap_or(rule.scheme.port());
            let (scheme, subdomains, methods) = (rule.scheme, rule.subdomains, rule.methods.clone());
            Ok((rule, CheckedRule { scheme, host, subdomains, port, paths, methods }))
        }
        _ => Err(faults.found),
    }
}

fn host(rule: &EgressRule, faults: &mut Faults) -> Option<Host> {
    if rule.host.contains('*') {
        faults.add(RuleField::Host, "a `*` is not read here; write the host above and `subdomains: true`");
        return None;
    }
    let host = match Host::read(&rule.host) {
        Ok(host) => host,
        Err(fault) => {
            faults.add(RuleField::Host, fault.to_string());
            return None;
        }
    };
    match &host {
        Host::Address(_) if rule.subdomains => faults.add(RuleField::Subdomains, "an address has no names below it"),
        Host::Name(name) if rule.subdomains && !name.contains('.') => {
            let message = format!("`{name}` has one label only; all names below it are too many");
            faults.add(RuleField::Subdomains, message);
        }
        Host::Address(_) | Host::Name(_) => {}
    }
    Some(host)
}

fn path_rule(position: usize, path: &str, faults: &mut Faults) -> Option<PathRule> {
    let field = RuleField::Path(position);
    let (folder, below) = match path.strip_suffix("/*") {
        Some(folder) => (format!("{folder}/"), true),
        None => (path.to_owned(), false),
    };
    if folder.contains('*') {
        faults.add(field, format!("a `*` stands for the last segment only: {}", quote(path)));
        return None;
    }
    match NormalPath::read(&folder) {
        Ok(normal) if normal.as_str() == folder && below => Some(PathRule::Below(folder)),
        Ok(normal) if normal.as_str() == folder => Some(PathRule::Exact(folder)),
        Ok(normal) => {
            let star = if below { "*" } else { "" };
            faults.add(field, format!("{} must be written `{normal}{star}`", quote(path)));
            None
        }
        Err(fault) => {
            faults.add(field, format!("{}: {fault}", quote(path)));
            None
        }
    }
}

fn check_method(position: usize, method: &str, faults: &mut Faults) {
    let field = RuleField::Method(position);
    if !is_token(method.as_bytes()) || method.bytes().any(|b| b.is_ascii_lowercase()) {
        faults.add(field, format!("{} is not a method in capitals", quote(method)));
    } else if NEVER.contains(&method) {
        faults.add(field, format!("`{method}` cannot be allowed"));
    }
}

/// Nothing of a credential is quoted: an author may have written the secret itself, in any of the three fields.
fn check_credential(credential: &EgressCredential, faults: &mut Faults) {
    if secret_name(&credential.secret).is_none() {
        let message = "a secret is named as `secret://name`, with a-z, 0-9, `_`, `.` and `-`, and never written down";
        faults.add(RuleField::Secret, message);
    }
    if !is_token(credential.header.as_bytes()) {
        faults.add(RuleField::Header, "it is not a name of a header");
    } else if !may_carry_credential(&credential.header) {
        faults.add(RuleField::Header, "a header of this name cannot carry a secret");
    }
    if let Some(format) = &credential.format {
        let printable = format.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
        if format.matches("{}").count() != 1 || !printable || format.trim() != format {
            let message = "the format is not printable text with `{}` once, without spaces around it";
            faults.add(RuleField::Format, message);
        }
    }
}

/// A header that code may send beside the credential: it must not change what was decided, or be the credential's own.
fn check_beside(position: usize, name: &str, credential: Option<&EgressCredential>, faults: &mut Faults) {
    let field = RuleField::Beside(position);
    match credential {
        None => faults.add(field, "without a credential, code may send any header"),
        Some(_) if !is_token(name.as_bytes()) => faults.add(field, "it is not a name of a header"),
        Some(own) if alike(&own.header) == alike(name) => {
            faults.add(field, format!("{} carries the credential", quote(name)));
        }
        Some(_) if !may_be_allowed(name) => {
            faults.add(field, format!("{} could change what is decided about a request", quote(name)));
        }
        Some(_) => {}
    }
}

/// The name in `secret://name`.
pub fn secret_name(reference: &str) -> Option<&str> {
    let name = reference.strip_prefix("secret://")?;
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let begins = name.bytes().next().is_some_and(letter);
    (begins && name.bytes().all(|b| letter(b) || b"_.-".contains(&b))).then_some(name)
}
