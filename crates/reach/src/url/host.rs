//! A host in its one canonical form: a lowercase ASCII name without a final dot, or an address.
//!
//! Addresses are read in their plain spelling only. Resolvers also take `0x7f.1`, `127.1` or `2130706433` for one, so
//! a name that they could take for an address, and that is not one in the plain spelling, is refused and never looked up.

use super::UrlFault;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// A host in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Host {
    /// A name.
    Name(String),
    /// An address; one of the fourth version that is written as one of the sixth counts as what it is.
    Address(IpAddr),
}

impl Host {
    /// Reads a host; an address of the sixth version with or without brackets.
    pub fn read(text: &str) -> Result<Self, UrlFault> {
        if !text.is_ascii() {
            return Err(UrlFault::HostLetters);
        }
        if let Some(inner) = text.strip_prefix('[') {
            return address(inner.strip_suffix(']').ok_or(UrlFault::Host)?);
        }
        if text.contains(':') {
            return address(text);
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        if looks_numeric(&name) {
            // The strict reader of the standard library: four decimal numbers, none with a leading zero.
            let plain = text.parse::<Ipv4Addr>().map_err(|_| UrlFault::HostSpelling)?;
            return Ok(Self::Address(IpAddr::V4(plain)));
        }
        let whole = !name.is_empty() && name.len() <= LONGEST_NAME && name.split('.').all(is_label);
        if whole { Ok(Self::Name(name)) } else { Err(UrlFault::Host) }
    }

    /// The host as rules and decisions have it: without brackets.
    pub fn plain(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Address(address) => address.to_string(),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

fn address(text: &str) -> Result<Host, UrlFault> {
    if text.contains('%') {
        return Err(UrlFault::HostZone);
    }
    let address = text.parse::<Ipv6Addr>().map_err(|_| UrlFault::Host)?;
    Ok(Host::Address(IpAddr::V6(address).to_canonical()))
}

/// Returns whether a resolver could take it for an address: its last label is a number, decimal, octal or hexadecimal.
fn looks_numeric(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let hexadecimal = last.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    hexadecimal || (!last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()))
}

fn is_label(label: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
    !label.is_empty()
        && label.len() <= LONGEST_LABEL
        && label.bytes().all(allowed)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, UrlFault>) {
        assert_eq!(Host::read(text).map(|host| host.to_string()), expected.map(str::to_owned), "{text}");
    }

    #[test]
    fn names_have_one_form() {
        check("API.Example.TEST.", Ok("api.example.test"));
        check("xn--bcher-kva.example", Ok("xn--bcher-kva.example"));
        check("_dmarc.example.test", Ok("_dmarc.example.test"));
        check("bücher.example", Err(UrlFault::HostLetters));
        for bad in ["", ".", "a..b", "-a.test", "a-.test", "a b", "a/b", "*.example.test", "a%2eb", "a..", "a@b"] {
            check(bad, Err(UrlFault::Host));
        }
        check(&"a".repeat(64), Err(UrlFault::Host));
    }

    #[test]
    fn addresses_have_one_spelling() {
        check("127.0.0.1", Ok("127.0.0.1"));
        check("[::1]", Ok("[::1]"));
        check("::1", Ok("[::1]"));
        check("[0:0::1]", Ok("[::1]"));
        check("[::ffff:127.0.0.1]", Ok("127.0.0.1"));
        check("[::ffff:7f00:1]", Ok("127.0.0.1"));
        check("[fe80::1%eth0]", Err(UrlFault::HostZone));
        check("[fe80::1%25eth0]", Err(UrlFault::HostZone));
        check("[::1", Err(UrlFault::Host));
        check("[v1.x]", Err(UrlFault::Host));
        let odd = ["2130706433", "0x7f000001", "0x7F.1", "127.1", "0177.0.0.1", "127.0.0.01", "1.2.3.4.5", "0x", "a.1"];
        for spelling in odd.into_iter().chain(["256.0.0.1", "127.0.0.1.", "00.0.0.0"]) {
            check(spelling, Err(UrlFault::HostSpelling));
        }
    }
}
