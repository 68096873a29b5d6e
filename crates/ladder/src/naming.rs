//! Names compared across styles: `customerId`, `Customer_ID`, `customer-id` and `customer id` are one name.

use crate::excerpt::items;

/// A name without its case and without the separators between its words. A separator between two digits stays, since
/// `line_1_1` and `line_11` are two names.
pub(crate) fn folded(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len());
    for (at, c) in chars.iter().enumerate() {
        if !is_separator(*c) {
            out.extend(c.to_lowercase());
            continue;
        }
        let before = items(&chars, ..at).iter().rev().find(|c| !is_separator(**c));
        let after = items(&chars, at..).iter().find(|c| !is_separator(**c));
        let (Some(before), Some(after)) = (before, after) else {
            // A separator at either end belongs to the name: `-1` is not `1`.
            out.push(*c);
            continue;
        };
        if before.is_numeric() && after.is_numeric() && !out.ends_with('_') {
            out.push('_');
        }
    }
    out
}

/// Whether a name folds to a text that was folded before. Most names differ in their first letter, which costs nothing
/// to see.
pub(crate) fn folds_to(name: &str, text: &str) -> bool {
    let first = name.chars().next().map(|c| c.to_lowercase().eq(text.chars().take(1)));
    first.unwrap_or(text.is_empty()) && folded(name) == text
}

/// Whether two names differ in case and separators alone, or not at all.
pub(crate) fn same_but_style(a: &str, b: &str) -> bool {
    a == b || folded(a) == folded(b)
}

/// A name as a reader sees it: letters of other alphabets as the Latin ones they look like, accents and characters
/// without width left out, in no style.
pub(crate) fn skeleton(name: &str) -> String {
    let seen: String = name.trim().chars().filter_map(seen).collect();
    folded(seen.trim())
}

fn seen(c: char) -> Option<char> {
    let latin = match c {
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{300}'..='\u{36f}' => return None,
        // Full-width forms stand at a fixed distance from ASCII.
        '\u{ff01}'..='\u{ff5e}' => return char::from_u32(u32::from(c) - 0xfee0),
        'а' | 'А' | 'α' | 'Α' | 'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'В' | 'Β' | 'в' => 'b',
        'с' | 'С' | 'ϲ' | 'ç' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'Ε' | 'ε' | 'è' | 'é' | 'ê' | 'ë' => 'e',
        'һ' | 'Н' | 'Η' => 'h',
        'і' | 'І' | 'Ι' | 'ι' | 'ì' | 'í' | 'î' | 'ï' | 'ı' => 'i',
        'ј' | 'Ј' => 'j',
        'К' | 'к' | 'Κ' | 'κ' => 'k',
        'М' | 'Μ' | 'м' => 'm',
        'Ν' | 'ñ' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ѕ' | 'Ѕ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'υ' | 'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ν' | 'ѵ' => 'v',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'Υ' | 'ý' | 'ÿ' => 'y',
        'Ζ' => 'z',
        other => other,
    };
    Some(latin)
}

/// Whether two values differ in case and in the kind of their separators alone. Names may lose a separator; a value that
/// does is another word, as `re-sign` and `resign` are, and between digits the separator itself counts.
pub(crate) fn same_words(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim(), b.trim());
    a.to_lowercase() == b.to_lowercase() || spaced(a) == spaced(b)
}

/// A value in lower case with one blank between its words, however they were kept apart.
fn spaced(value: &str) -> String {
    let chars: Vec<char> = value.chars().collect();
    let mut out = String::with_capacity(value.len() + 2);
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let after = chars.get(at + 1);
        if matches!(c, '_' | '-' | ' ') {
            let between = |side: Option<&char>| side.is_some_and(|c| c.is_alphanumeric());
            let digits = [before, after].into_iter().flatten().all(|c| c.is_numeric());
            let apart = between(before) && between(after) && !digits;
            out.push(if apart { ' ' } else { *c });
            continue;
        }
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase() || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if begins {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn is_separator(c: char) -> bool {
    matches!(c, '_' | '-' | ' ' | '.')
}

#[cfg(test)]
mod tests {
    use super::{folded, same_but_style, same_words, skeleton};

    #[test]
    fn styles_of_one_name_fold_to_one_text() {
        for name in ["customer_id", "customerId", "CustomerID", "customer-id", "Customer Id", "CUSTOMER.ID"] {
            assert_eq!(folded(name), "customerid");
        }
    }

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for name in ["st\u{430}tus", "\u{455}tatus", "STATUS", "sta\u{200b}tus", "ｓｔａｔｕｓ", "státus"] {
            assert_eq!(skeleton(name), "status", "{name}");
        }
        assert_ne!(skeleton("state"), skeleton("status"));
    }

    #[test]
    fn values_differ_where_a_separator_is_lost() {
        for (a, b) in [("in_progress", "In Progress"), ("inProgress", "in-progress"), ("tier-1", "Tier 1")] {
            assert!(same_words(a, b), "{a} and {b}");
        }
        for (a, b) in
            [("re-sign", "resign"), ("1 2", "1-2"), ("12", "1-2"), ("-1", "1"), ("a.b", "a b"), ("co op", "coop")]
        {
            assert!(!same_words(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn names_that_differ_in_more_stay_apart() {
        for (a, b) in [("line_1_1", "line_11"), ("-1", "1"), ("+1", "-1"), ("_id", "id"), ("a", "b"), ("c++", "c")] {
            assert!(!same_but_style(a, b), "{a} and {b}");
        }
        assert!(same_but_style("line_1_1", "Line 1-1"));
    }
}
