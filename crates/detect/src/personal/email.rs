//! Email addresses: the practical part of RFC 5321, outside the reserved example domains.
//!
//! Reserved domains (RFC 2606) belong to no person, so an address there is not personal.

use std::ops::Range;
use std::sync::LazyLock;

use deed_canon::Invariant;
use regex::Regex;

use crate::bytes::{part, part_of};

static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"[A-Za-z0-9](?:[A-Za-z0-9._%+'\-]{0,62}[A-Za-z0-9_+\-])?@",
        r"(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?\.){1,8}",
        r"(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9\-]{2,59})(?-u:\b)"
    ))
    .invariant("the pattern of email addresses compiles")
});

/// Top-level domains and domains reserved for examples and tests.
const RESERVED: &[&str] = &["example", "test", "invalid", "localhost", "example.com", "example.net", "example.org"];

/// Extensions of file names that are not top-level domains, as in `icon@2x.png`.
const FILES: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "mjs", "ts", "tsx", "json", "yaml", "yml", "txt", "html",
    "lock", "toml", "xml",
];

/// The bytes before a user name in which the scheme of a URL is looked for.
const LONGEST_USER: usize = 160;

/// The bytes of every personal email address in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    PATTERN
        .find_iter(text)
        .filter(|address| {
            let domain = address.as_str().rsplit_once('@').map_or("", |(_, domain)| domain);
            is_personal_domain(domain)
                && !is_url_user(text, address.start())
                && !is_remote(text, address.as_str(), address.end())
        })
        .map(|address| address.range())
        .collect()
}

/// Returns true if some `@` stands between what may be a name and what may be a domain.
pub(super) fn may_be_in(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'@', bytes).any(|at| {
        let name = at.checked_sub(1).and_then(|before| bytes.get(before)).copied().unwrap_or_default();
        let domain = part(bytes, at + 1..);
        let label = domain.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        let named = name.is_ascii_alphanumeric() || matches!(name, b'_' | b'+' | b'-');
        named && label > 0 && domain.get(label) == Some(&b'.')
    })
}

fn is_personal_domain(domain: &str) -> bool {
    let domain = domain.to_ascii_lowercase();
    let ends = |name: &&str| domain.strip_suffix(*name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !RESERVED.iter().any(ends) && !FILES.iter().any(ends) && !is_version(&domain)
}

/// Returns true if what follows `@` is a version, as in the package reference `pack@1.0.0-beta.rc`.
fn is_version(domain: &str) -> bool {
    let number = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit());
    let mut labels = domain.strip_prefix('v').unwrap_or(domain).split('.');
    labels.next().is_some_and(number) && labels.next().is_some_and(number)
}

/// Returns true if the address is the user of a URL, as in `https://user:pass@host.com`.
fn is_url_user(text: &str, start: usize) -> bool {
    let from = text.floor_char_boundary(start.saturating_sub(LONGEST_USER));
    let before = part_of(text, from..start);
    let token = before.rsplit_once(char::is_whitespace).map_or(before, |(_, token)| token);
    token.rsplit_once("://").is_some_and(|(_, rest)| !rest.contains(['/', '?', '"', '\'', ',']))
}

/// Returns true if the address is a Git remote, as in `git@host.com:owner/name`.
fn is_remote(text: &str, address: &str, end: usize) -> bool {
    address.starts_with("git@") && text.as_bytes().get(end) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::testing::found;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(found(find, text), expected, "in {text:?}");
    }

    #[test]
    fn finds_addresses() {
        check("write to a.b+c@mail.acme.co.uk.", &["a.b+c@mail.acme.co.uk"]);
        check("<jane_doe@acme.io>, \"o'neil@acme.io\"", &["jane_doe@acme.io", "o'neil@acme.io"]);
        check("mailto:jane@acme.io?subject=x", &["jane@acme.io"]);
        check("https://acme.io/u?mail=jane@acme.io", &["jane@acme.io"]);
    }

    #[test]
    fn passes_over_what_names_no_person() {
        for text in [
            "ctxpack.support@1.0.0",
            "pack@1.0.0-beta.rc",
            "pack@v2.1.alpha",
            "jane@example.com",
            "jane@mail.example.org",
            "jane@acme.test",
            "jane@localhost",
            "icon@2x.png",
            "git@github.com:acme/box",
            "https://user:pass@host.com/",
            "postgres://user@host.com/db",
            "@scope/pack",
            "a@b",
        ] {
            check(text, &[]);
        }
    }
}
