//! The marks that stand around a payload: fences, tags, blocks of reasoning.

/// The blocks in which models reason before they answer.
pub(super) const REASONING: [&str; 6] = ["think", "thinking", "reasoning", "scratchpad", "analysis", "reflection"];
/// Longer than any tag somebody puts around a payload.
const LONGEST_TAG: usize = 80;

/// The end of a fence, with its language word, that begins at `at`.
pub(super) fn fence_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let mark = *rest.first().filter(|b| matches!(b, b'`' | b'~'))?;
    let run = rest.iter().take_while(|b| **b == mark).count();
    if run < 3 {
        return None;
    }
    let word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'+' | b'.' | b'#' | b'-');
    Some(at + run + rest.get(run..)?.iter().take_while(word).count())
}

/// Where the next fence of the same sort ends.
pub(super) fn closing_fence(text: &str, from: usize, mark: u8) -> Option<usize> {
    let fence = if mark == b'~' { "~~~" } else { "```" };
    let at = from + text.get(from..)?.find(fence)?;
    let run = text.as_bytes().get(at..)?.iter().take_while(|b| **b == mark).count();
    Some(at + run)
}

/// Where the next line ends that begins with a fence of the same sort. Inside a line it may belong to a string.
pub(super) fn closing_fence_line(text: &str, from: usize, mark: u8) -> Option<usize> {
    let fence = if mark == b'~' { "~~~" } else { "```" };
    let rest = text.get(from..)?;
    let at_line_start = |at: &usize| rest.get(..*at).is_some_and(|b| b.trim_end_matches([' ', '\t']).ends_with('\n'));
    let at = rest.match_indices(fence).map(|(at, _)| at).find(at_line_start)?;
    let run = text.as_bytes().get(from + at..)?.iter().take_while(|b| **b == mark).count();
    Some(from + at + run)
}

/// The end of an XML-like tag, opening or closing, that begins at `at`.
pub(super) fn tag_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?.strip_prefix(b"<")?;
    let name = rest.strip_prefix(b"/").unwrap_or(rest);
    name.first().filter(|b| b.is_ascii_alphabetic())?;
    let stop = |b: &u8| matches!(b, b'>' | b'<' | b'{' | b'[' | b'\n');
    let len = rest.iter().take(LONGEST_TAG).position(stop)?;
    (rest.get(len) == Some(&b'>')).then_some(at + len + 2)
}

/// What a tag of reasoning at `at` hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// A block that ends there.
    Until(usize),
    /// The block is never closed.
    Endless,
}

/// A block of reasoning that begins at `at`.
pub(super) fn reasoning(text: &str, at: usize) -> Option<Reasoning> {
    let end = tag_end(text.as_bytes(), at)?;
    let tag = text.get(at + 1..end - 1)?;
    let name = REASONING.iter().find(|name| tag.eq_ignore_ascii_case(name))?;
    let rest = text.get(end..)?;
    // The closing tag is spelled as the opening one.
    let found = rest.match_indices("</").find(|(from, _)| {
        let closing = rest.get(from + 2..from + 2 + name.len() + 1);
        closing.is_some_and(|c| c.strip_suffix('>').is_some_and(|c| c.eq_ignore_ascii_case(name)))
    });
    Some(found.map_or(Reasoning::Endless, |(from, _)| Reasoning::Until(end + from + name.len() + 3)))
}
