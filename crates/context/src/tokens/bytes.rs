//! An estimate for models whose tokenizer is not public.

use super::Tokenizer;

/// A number of bytes per token, rounded up.
#[derive(Debug, Clone)]
pub(super) struct Bytes {
    id: String,
    /// Bytes per ten tokens, so that one decimal is exact.
    tenths: u64,
}

impl Bytes {
    /// Parses `bytes/<n>` with at most one decimal, in one spelling only.
    pub(super) fn named(id: &str) -> Option<Self> {
        let ratio = id.strip_prefix("bytes/")?;
        let (whole, tenth) = ratio.split_once('.').unwrap_or((ratio, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(tenth) || tenth.len() != 1 || (whole.starts_with('0') && whole.len() > 1) {
            return None;
        }
        let tenths = whole.parse::<u64>().ok()?.checked_mul(10)? + tenth.parse::<u64>().ok()?;
        let canonical = !ratio.ends_with(".0");
        (canonical && (10..=160).contains(&tenths)).then(|| Self { id: id.to_owned(), tenths })
    }
}

impl Tokenizer for Bytes {
    fn id(&self) -> &str {
        &self.id
    }

    fn exact(&self) -> bool {
        false
    }

    fn count(&self, text: &str) -> u64 {
        (text.len() as u64).saturating_mul(10).div_ceil(self.tenths)
    }
}
