//! The form of a value in the place of a value: `YYYY-MM-DD`, `XXXX`, `X.Y.Z`, `...`.

/// Returns whether a text is nothing but crosses: `XXXX`, `xxxx-xxxx`.
pub(super) fn is_crossed(text: &str) -> bool {
    let crosses = text.chars().filter(|c| matches!(c, 'X' | 'x')).count();
    crosses >= 4 && text.chars().all(|c| matches!(c, 'X' | 'x' | ' ' | '-' | '.' | '/'))
}

/// Returns whether letters stand for digits, or dots for everything.
pub(super) fn is_form(whole: &str) -> bool {
    let dots = whole.chars().all(|c| matches!(c, '.' | '…')) && (whole.contains("..") || whole.contains('…'));
    let is_part = |c: char| matches!(c, 'Y' | 'M' | 'D' | 'H' | 'S' | 'T' | 'Z' | 'y' | 'm' | 'd' | 'h' | 's');
    let between = |c: char| matches!(c, '-' | '/' | ':' | '.' | ' ' | '+');
    let letters = whole.chars().filter(|c| is_part(*c)).count();
    let years = whole.contains("YYYY") || whole.contains("yyyy");
    let times = whole.contains("HH:MM") || whole.contains("hh:mm") || whole.contains("HH:mm");
    let dated = (years || times) && letters >= 4 && whole.chars().all(|c| is_part(c) || between(c));
    let digits = whole.len() >= 7
        && whole.contains("xx")
        && whole.contains('-')
        && whole.chars().all(|c| matches!(c, 'x' | '-' | ' ' | '(' | ')' | '.'));
    dots || dated || digits || is_version(whole)
}

/// `X.Y.Z`, `vX.Y.Z`, `x.x.x`, `MAJOR.MINOR.PATCH`. A range such as `1.x` has a number.
fn is_version(whole: &str) -> bool {
    let lower = whole.to_lowercase();
    let bare = lower.strip_prefix("version ").unwrap_or(&lower);
    let bare = bare.strip_prefix('v').unwrap_or(bare);
    let parts: Vec<&str> = bare.split('.').collect();
    parts.len() >= 3
        && (parts.iter().all(|part| *part == "x")
            || parts.iter().all(|part| *part == "n")
            || ["x.y.z", "a.b.c", "x.y.z.w", "major.minor.patch"].contains(&bare))
}

#[cfg(test)]
mod tests {
    use super::{is_crossed, is_form};

    #[test]
    fn forms_are_told_from_values() {
        for text in ["X.Y.Z", "x.y.z", "vX.Y.Z", "x.x.x", "vX.X.X", "N.N.N", "MAJOR.MINOR.PATCH", "YYYY-MM-DD", "..."] {
            assert!(is_form(text), "{text}");
        }
        for text in ["1.x", "1.2.x", "x.y", "v1.2.3", "a.b", "X.Y.Z Ltd"] {
            assert!(!is_form(text), "{text}");
        }
        assert!(is_crossed("XXXX-XX") && !is_crossed("XXL"));
    }
}
