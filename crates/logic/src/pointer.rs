//! JSON Pointers into a rule (RFC 6901).

/// Appends one reference token to `parent`.
pub(crate) fn child(parent: &str, token: &str) -> String {
    let mut out = String::with_capacity(parent.len() + token.len() + 1);
    out.push_str(parent);
    out.push('/');
    for c in token.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
    out
}

/// Returns the tokens of a pointer, or `None` if it is malformed.
pub(crate) fn tokens(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|t| t.replace("~1", "/").replace("~0", "~")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_undo_child() {
        let pointer = child(&child("", "a/b"), "~1");
        assert_eq!(pointer, "/a~1b/~01");
        assert_eq!(tokens(&pointer), Some(vec!["a/b".to_owned(), "~1".to_owned()]));
        assert_eq!(tokens("a"), None);
    }
}
