//! Shannon entropy, which tells random material from words.

/// Bits of entropy per byte of `text`: 0 for a repeated byte, about 4 for random hex.
pub(crate) fn bits_per_byte(text: &str) -> f32 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total = text.len() as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = *count as f32 / total;
            -share * share.log2()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_known_texts() {
        assert_eq!(bits_per_byte(""), 0.0);
        assert_eq!(bits_per_byte("aaaaaaaa"), 0.0);
        assert_eq!(bits_per_byte("abababab"), 1.0);
        assert_eq!(bits_per_byte("0123456789abcdef"), 4.0);
    }
}
