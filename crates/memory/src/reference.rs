//! References of sources and consents: `kind:id`.

/// Returns true for a reference of the form `kind:id`, without blanks: something that a person can look up.
pub(crate) fn is_reference(text: &str) -> bool {
    let plain = !text.chars().any(|c| c.is_whitespace() || c.is_control());
    plain && text.len() <= LONGEST && text.split_once(':').is_some_and(|(kind, id)| !kind.is_empty() && !id.is_empty())
}

/// The length of the longest reference, in bytes.
const LONGEST: usize = 512;

#[cfg(test)]
mod tests {
    use super::is_reference;

    #[test]
    fn a_reference_has_a_kind_and_an_id() {
        for reference in ["feedback:fb_204", "tool:orders.get_order:call_7", "kg:customer:cus_17#snapshot_3"] {
            assert!(is_reference(reference), "{reference}");
        }
        for text in ["", "feedback", ":fb", "feedback:", "feedback: fb", "a:b\n", &format!("a:{}", "x".repeat(600))] {
            assert!(!is_reference(text), "{text}");
        }
    }
}
