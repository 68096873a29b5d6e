//! What must hold of a rule before it is asked anything.

use super::RuleFault;
use super::listed::{Listed, PathRule};
use crate::headers;
use crate::url::{Host, NormalPath};
use deed_model::{EgressCredential, EgressRule, EgressScheme};

/// Methods that no rule can allow: the first is what tunnels are made of, the others give back the headers of a
/// request, credentials among them.
const NEVER: [&str; 3] = ["CONNECT", "TRACE", "TRACK"];

struct Faults {
    index: usize,
    found: Vec<RuleFault>,
}

impl Faults {
    fn add(&mut self, field: &'static str, message: impl Into<String>) {
        self.found.push(RuleFault { index: self.index, field, message: message.into() });
    }
}

/// The rule in canonical form and in the form in which it is asked, or all its faults.
pub(super) fn read(index: usize, mut rule: EgressRule) -> Result<(EgressRule, Listed), Vec<RuleFault>> {
    let mut faults = Faults { index, found: Vec::new() };
    let host = host(&rule, &mut faults);
    let paths = rule.paths.iter().filter_map(|path| path_rule(path, &mut faults)).collect();
    rule.methods.iter().for_each(|method| check_method(method, &mut faults));
    if rule.port == Some(0) {
        faults.add("port", "there is no port 0");
    }
    if let Some(credential) = &rule.credential {
        check_credential(credential, &mut faults);
        if rule.scheme == EgressScheme::Http && !rule.private_addresses {
            faults.add("credential", "a secret is sent over `https` only, unless `private_addresses` is true");
        }
    }
    match host {
        Some(host) if faults.found.is_empty() => {
            rule.host = host.plain();
            let port = rule.port.unwrap_or(rule.scheme.port());
            let (scheme, subdomains, methods) = (rule.scheme, rule.subdomains, rule.methods.clone());
            Ok((rule, Listed { scheme, host, subdomains, port, paths, methods }))
        }
        _ => Err(faults.found),
    }
}

fn host(rule: &EgressRule, faults: &mut Faults) -> Option<Host> {
    if rule.host.contains('*') {
        faults.add("host", "a `*` is not read here; write the host above and `subdomains: true`");
        return None;
    }
    let host = match Host::read(&rule.host) {
        Ok(host) => host,
        Err(fault) => {
            faults.add("host", fault.to_string());
            return None;
        }
    };
    match &host {
        Host::Address(_) if rule.subdomains => faults.add("subdomains", "an address has no names below it"),
        Host::Name(name) if rule.subdomains && !name.contains('.') => {
            faults.add("subdomains", format!("`{name}` has one label only; all names below it are too many"));
        }
        Host::Address(_) | Host::Name(_) => {}
    }
    Some(host)
}

fn path_rule(path: &str, faults: &mut Faults) -> Option<PathRule> {
    let (folder, below) = match path.strip_suffix("/*") {
        Some(folder) => (format!("{folder}/"), true),
        None => (path.to_owned(), false),
    };
    if folder.contains('*') {
        faults.add("paths", format!("a `*` stands for the last segment only: {}", headers::quote(path)));
        return None;
    }
    match NormalPath::read(&folder) {
        Ok(normal) if normal.as_str() == folder && below => Some(PathRule::Below(folder)),
        Ok(normal) if normal.as_str() == folder => Some(PathRule::Exact(folder)),
        Ok(normal) => {
            let star = if below { "*" } else { "" };
            faults.add("paths", format!("{} must be written `{normal}{star}`", headers::quote(path)));
            None
        }
        Err(fault) => {
            faults.add("paths", format!("{}: {fault}", headers::quote(path)));
            None
        }
    }
}

fn check_method(method: &str, faults: &mut Faults) {
    if !headers::is_token(method.as_bytes()) || method.bytes().any(|b| b.is_ascii_lowercase()) {
        faults.add("methods", format!("{} is no method in capitals", headers::quote(method)));
    } else if NEVER.contains(&method) {
        faults.add("methods", format!("`{method}` cannot be allowed"));
    }
}

fn check_credential(credential: &EgressCredential, faults: &mut Faults) {
    if secret_name(&credential.secret).is_none() {
        faults.add("credential", "the secret is not written `secret://name`, with a-z, 0-9, `_`, `.` and `-`");
    }
    if !headers::is_token(credential.header.as_bytes()) {
        faults.add("credential", format!("{} is no name of a header", headers::quote(&credential.header)));
    } else if !headers::may_carry_credential(&credential.header) {
        faults.add("credential", format!("the header `{}` cannot carry a secret", credential.header));
    }
    if let Some(format) = &credential.format {
        let printable = format.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
        if format.matches("{}").count() != 1 || !printable || format.trim() != format {
            faults.add("credential", "the format is not printable text with `{}` once, without spaces around it");
        }
    }
}

/// The name in `secret://name`.
pub(crate) fn secret_name(reference: &str) -> Option<&str> {
    let name = reference.strip_prefix("secret://")?;
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let begins = name.bytes().next().is_some_and(letter);
    (begins && name.bytes().all(|b| letter(b) || b"_.-".contains(&b))).then_some(name)
}
