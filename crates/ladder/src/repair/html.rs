//! Entities of HTML: `&amp;`, `&#39;`, `&#x2F;`, `&eacute;`.

use super::edit::Repair;
use super::kind::RepairKind;
use crate::excerpt::excerpt;
use std::ops::Range;

/// The names of the characters from U+00A0 on, in their order.
const LATIN: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo", "not", "shy",
    "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot", "cedil", "sup1", "ordm",
    "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig",
    "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve",
    "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN",
    "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc",
    "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml",
    "divide", "oslash", "ugrave", "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
];
/// Other characters with a name.
const NAMED: [(&str, char); 19] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("euro", '€'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("bull", '•'),
    ("trade", '™'),
    ("rarr", '→'),
    ("minus", '−'),
    ("infin", '∞'),
];
/// Longer than any entity.
const LONGEST: usize = 12;

/// The edits that decode the entities of a part of a text. Where the part has quotes of its own, an entity for a quote
/// stands within a string, and is escaped there.
pub(super) fn entities(text: &str, part: Range<usize>) -> Vec<Repair> {
    let inner = excerpt(text, part.clone());
    let has_quotes = inner.contains('"');
    let decoded = inner.match_indices('&').filter_map(|(at, _)| {
        let (c, width) = entity(excerpt(inner, at..))?;
        let start = part.start + at;
        let written = match c {
            '"' if has_quotes => "\\\"".to_owned(),
            other => other.to_string(),
        };
        Some(Repair::replace(RepairKind::ForeignEscape, start..start + width, written))
    });
    decoded.collect()
}

/// The character that an entity at the beginning of a text stands for, and the width of the entity.
pub(super) fn entity(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('&')?;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = rest.get(..end)?;
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let hex = number.strip_prefix(['x', 'X']);
            let code = hex.map_or_else(|| number.parse(), |digits| u32::from_str_radix(digits, 16)).ok()?;
            char::from_u32(code).filter(|c| *c != '\0')?
        }
        None => named(name)?,
    };
    Some((if c == '\u{a0}' { ' ' } else { c }, end + 2))
}

fn named(name: &str) -> Option<char> {
    let other = || NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c);
    let latin = LATIN.iter().position(|known| *known == name).and_then(|at| u32::try_from(at).ok());
    latin.and_then(|at| char::from_u32(0xa0 + at)).or_else(other)
}

#[cfg(test)]
mod tests {
    use super::entity;

    #[test]
    fn entities_are_decoded() {
        for (text, c) in
            [("&amp;", '&'), ("&#39;s", '\''), ("&#x2F;", '/'), ("&eacute;", 'é'), ("&yuml;", 'ÿ'), ("&nbsp;", ' ')]
        {
            assert_eq!(entity(text).map(|(c, _)| c), Some(c), "{text}");
        }
        for text in ["&", "& Co;", "&unknown;", "&#0;", "&amp"] {
            assert_eq!(entity(text), None, "{text}");
        }
    }
}
