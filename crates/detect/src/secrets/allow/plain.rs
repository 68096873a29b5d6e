//! Values under a telling name that are words, numbers, paths or code.

/// Returns true if the value is made of words or numbers alone, or is a path or a dotted name.
///
/// Random material of sixteen characters all but always mixes letters and digits.
pub(super) fn is_plain(value: &str) -> bool {
    let letters = value.bytes().any(|b| b.is_ascii_alphabetic());
    let digits = value.bytes().any(|b| b.is_ascii_digit());
    !letters || !digits || is_path(value) || is_words_and_numbers(value) || is_moment(value)
}

/// Returns true if a password's value is a bare word, a bare number or a path.
pub(super) fn is_plain_password(value: &str) -> bool {
    let letters = value.chars().any(char::is_alphabetic);
    let marks = value.chars().any(|c| !c.is_alphabetic() && !matches!(c, '_' | '-' | '.' | ':'));
    !letters || !marks || is_path(value) || is_words_and_numbers(value) || is_moment(value) || value.contains("()")
}

/// Returns true if the value is a date, with or without a time of day.
fn is_moment(value: &str) -> bool {
    let (date, time) = value.split_at_checked(10).unwrap_or_default();
    let dated = date.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-' || byte == b'/',
        _ => byte.is_ascii_digit(),
    });
    let timed = |byte: u8| {
        byte.is_ascii_digit() || matches!(byte, b'T' | b't' | b' ' | b':' | b'.' | b'+' | b'-' | b'Z' | b'z')
    };
    date.len() == 10 && dated && time.bytes().all(timed)
}

/// Returns true if a call follows, so that the value is a function's name.
pub(super) fn is_called(text: &str, end: usize) -> bool {
    text.as_bytes().get(end).is_some_and(|next| matches!(next, b'(' | b'['))
}

fn is_path(value: &str) -> bool {
    ["/", "./", "../", "~/", "http://", "https://"].iter().any(|lead| value.starts_with(lead))
        && value.bytes().filter(|b| *b == b'/').count() >= 2
}

/// Returns true if every piece between separators is a word or a number, as in `refund-v2-2026.11`.
fn is_words_and_numbers(value: &str) -> bool {
    let mut pieces = value.split(['-', '_', '.', '/', ':', '@']).filter(|piece| !piece.is_empty());
    value.contains(['-', '_', '.', '/', ':', '@']) && pieces.all(is_word_or_number)
}

/// Digits, or letters in one case with up to two digits after, like `pkcs8`, or a mark like `4o`.
fn is_word_or_number(piece: &str) -> bool {
    let letters = piece.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = piece.len() - letters.len();
    let tail = letters.get(1..).unwrap_or_default();
    let in_one_case = letters.bytes().all(|b| b.is_ascii_uppercase()) || tail.bytes().all(|b| b.is_ascii_lowercase());
    let word = letters.bytes().all(|b| b.is_ascii_alphabetic()) && in_one_case;
    letters.is_empty() || (word && digits <= 2) || piece.len() <= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_paths_are_plain() {
        for value in [
            "internal_gateway_reference",
            "refund-v2-2026.11",
            "20261115061042000",
            "/etc/ssl/private/key1.pem",
            "Resource.Token.v1",
            "MSV1_0_PROTOCOL_MESSAGE_TYPE",
            "other.colon2_token",
        ] {
            assert!(is_plain(value), "{value}");
        }
    }

    #[test]
    fn mixtures_are_not() {
        for value in ["q8Zp2LwX0vR7aB3c", "live-9f2k-x81q7zd0-pp3v"] {
            assert!(!is_plain(value), "{value}");
        }
        assert!(!is_plain_password("hunter2!"));
        assert!(is_plain_password("correct-horse"));
        for moment in ["2024-03-05", "2024-03-05T10:11:12Z", "2024-03-05 10:11:12.123+01:00"] {
            assert!(is_plain(moment) && is_plain_password(moment), "{moment}");
        }
        assert!(!is_plain_password("2024-03-05Tx!9"));
    }
}
