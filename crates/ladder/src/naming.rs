//! Names compared across styles: `customerId`, `Customer_ID`, `customer-id` and `customer id` are one name.

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
        let before = chars.get(..at).unwrap_or_default().iter().rev().find(|c| !is_separator(**c));
        let after = chars.get(at..).unwrap_or_default().iter().find(|c| !is_separator(**c));
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

fn is_separator(c: char) -> bool {
    matches!(c, '_' | '-' | ' ' | '.')
}

#[cfg(test)]
mod tests {
    use super::{folded, same_but_style};

    #[test]
    fn styles_of_one_name_fold_to_one_text() {
        for name in ["customer_id", "customerId", "CustomerID", "customer-id", "Customer Id", "CUSTOMER.ID"] {
            assert_eq!(folded(name), "customerid");
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
