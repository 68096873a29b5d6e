//! Construction of JSON Pointers.

use deed_canon::Pointer;

/// A JSON Pointer from its parts.
macro_rules! pointer {
    ($($part:expr),+ $(,)?) => {{
        let mut out = String::new();
        $( out = deed_canon::Pointer::push(&out, &$part.to_string()); )+
        out
    }};
}
pub(crate) use pointer;

/// Appends the tokens of another pointer to `base`.
pub(crate) fn join(base: &str, rest: &str) -> String {
    Pointer::tokens(rest).fold(base.to_owned(), |p, token| Pointer::push(&p, &token))
}
