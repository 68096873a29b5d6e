//! Packing one bucket.

/// The result of packing: which blocks fit.
pub(super) struct Packed {
    pub(super) kept: Vec<bool>,
    pub(super) used: u64,
}

impl Packed {
    /// Returns true if a block did not fit.
    pub(super) fn dropped(&self) -> bool {
        self.kept.contains(&false)
    }
}

/// Packs blocks in order while they fit; one that does not is skipped, and smaller ones after it may still fit.
pub(super) fn pack(tokens: impl Iterator<Item = u64>, budget: u64) -> Packed {
    let mut used: u64 = 0;
    let kept = tokens
        .map(|tokens| {
            let fits = used.saturating_add(tokens) <= budget;
            used += if fits { tokens } else { 0 };
            fits
        })
        .collect();
    Packed { kept, used }
}
