//! Text from outside: redacted, neutralized and fenced.
//!
//! Such text is data and never instruction. Every change to it is counted.

mod fence;
mod fold;
mod neutral;
mod redact;

pub(crate) use fence::Fence;
pub(crate) use neutral::{Neutralized, neutralize};
pub(crate) use redact::Redactor;

use std::borrow::Cow;

/// Redacts and then neutralizes a text; borrowed if nothing changed.
///
/// Redaction comes first: an escape in the middle of a number would hide it.
pub(crate) fn prepare<'a>(
    text: &'a str,
    redactor: &Redactor,
    counts: &mut [u64],
    neutral: &mut Neutralized,
) -> Cow<'a, str> {
    match redactor.redact(text, counts) {
        Cow::Borrowed(text) => neutralize(text, neutral),
        Cow::Owned(redacted) => match neutralize(&redacted, neutral) {
            Cow::Owned(neutral) => Cow::Owned(neutral),
            Cow::Borrowed(_) => Cow::Owned(redacted),
        },
    }
}

/// Returns a text from outside between the two lines of a fence with this name, which must be one of ours. Nothing inside
/// can end the fence or open another.
///
/// ```
/// assert_eq!(deed_context::fenced("objective", "a >>> b"), "<<<objective\na >>\\> b\n>>>");
/// ```
pub fn fenced(name: &str, text: &str) -> String {
    let mut out = String::new();
    let body = neutralize(text, &mut Neutralized::default());
    Fence::open(name, &mut out).close(&body);
    out
}

/// Returns a text over several lines with nothing hidden in it and without anything that looks like a fence.
pub fn neutral(text: &str) -> Cow<'_, str> {
    neutralize(text, &mut Neutralized::default())
}

/// Makes everything that hides in a text of the pack visible. Fences stay: the pack explains them.
pub(crate) fn cleaned(text: String) -> String {
    if text.bytes().all(|b| b == b'\n' || b == b'\t' || (b' '..=b'~').contains(&b)) {
        return text;
    }
    let mut counts = Neutralized::default();
    let mut out = String::with_capacity(text.len());
    // Runs of marks are left out of the pass, which would break them.
    for part in text.split_inclusive(['<', '>']) {
        let (inner, mark) = match part.strip_suffix(['<', '>']) {
            Some(inner) => (inner, part.get(inner.len()..).unwrap_or_default()),
            None => (part, ""),
        };
        out.push_str(&neutralize(inner, &mut counts));
        out.push_str(mark);
    }
    out
}

/// Returns a text from outside as one line for a person: nothing hidden, nothing that moves a terminal's cursor.
pub fn visible(text: &str) -> Cow<'_, str> {
    let neutral = neutralize(text, &mut Neutralized::default());
    if !neutral.contains(['\n', '\r', '\t']) {
        return neutral;
    }
    Cow::Owned(neutral.replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t"))
}

#[cfg(test)]
mod tests {
    use deed_detect::{Matcher, PersonalKind};
    use proptest::prelude::*;

    use super::*;
    use deed_detect::CharClass as Class;

    fn all() -> Redactor {
        Redactor::new(PersonalKind::ALL.into_iter().map(Matcher::Personal).collect())
    }

    fn prepared(text: &str) -> (Cow<'_, str>, u64, Neutralized) {
        let mut counts = [0; PersonalKind::ALL.len()];
        let mut neutral = Neutralized::default();
        let result = prepare(text, &all(), &mut counts, &mut neutral);
        (result, counts.iter().sum(), neutral)
    }

    #[test]
    fn redacts_before_it_escapes() {
        let (result, redacted, neutral) = prepared("4111\u{200b}111111111111\u{202e} <<<");
        assert_eq!(result, r"[redacted:credit_card]\u{202e} <<\<");
        assert_eq!((redacted, neutral), (1, Neutralized { bidi: 1, fence: 1, ..Neutralized::default() }));
    }

    /// The card number with something hidden after each digit that `hidden` names.
    fn plant(hidden: &[Option<char>]) -> String {
        let digits = "4111111111111111".chars().zip(hidden);
        digits.flat_map(|(digit, hidden)| [Some(digit), *hidden]).flatten().collect()
    }

    fn hidden() -> impl Strategy<Value = Vec<Option<char>>> {
        let characters =
            "\u{200b}\u{200d}\u{202e}\u{2060}\u{ad}\u{feff}\u{fe0f}\u{e0041}\0".chars().collect::<Vec<_>>();
        prop::collection::vec(prop::option::of(prop::sample::select(characters)), 15)
            .prop_map(|hidden| hidden.into_iter().chain([None]).collect())
    }

    proptest! {
        #[test]
        fn nothing_planted_comes_through(
            before in "\\PC{0,40}|[<>\\r\\n\u{200b}\u{202e}a]{0,40}",
            hidden in hidden(),
            after in "\\PC{0,40}|[<>\\r\\n\u{200b}\u{202e}a]{0,40}",
        ) {
            let text = format!("{before}\n; {}; \n{after}", plant(&hidden));
            let (result, redacted, _) = prepared(&text);
            prop_assert!(redacted >= 1);
            let digits: String = result.lines().nth(before.lines().count()).into_iter().flat_map(str::chars).collect();
            prop_assert!(!digits.contains("4111"), "{digits:?}");
            prop_assert!(result.contains("; [redacted:credit_card]; "));
            prop_assert!(!result.contains("<<<") && !result.contains(">>>"));
            prop_assert!(!result.chars().any(|c| matches!(Class::of(c), Class::Bidi | Class::Invisible)));
        }

        #[test]
        fn borrowed_if_and_only_if_unchanged(text in "\\PC{0,60}|[<>a1\\r\\n\u{200b}@]{0,40}") {
            let (result, redacted, neutral) = prepared(&text);
            prop_assert_eq!(matches!(result, Cow::Borrowed(_)), result == text);
            prop_assert_eq!(result == text, redacted == 0 && !neutral.any());
        }
    }
}
