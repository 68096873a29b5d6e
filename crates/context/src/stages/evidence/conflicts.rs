//! Contradictions: sets of evidence of which at most one piece can be true.

use deed_diag::Invariant as _;
use deed_model::{EvidenceItem, EvidenceReason};
use std::collections::{BTreeMap, BTreeSet};

/// The conflict sets of all supplied evidence. An item and all that it names form one set; sets that share an item are
/// merged.
pub(super) struct Conflicts<'a> {
    /// The set of each reference.
    set_of: BTreeMap<&'a str, usize>,
    /// The number of resolved references of each set.
    resolved: BTreeMap<usize, BTreeSet<&'a str>>,
}

impl<'a> Conflicts<'a> {
    pub(super) fn of(items: impl Iterator<Item = &'a EvidenceItem> + Clone) -> Self {
        let mut sets = Sets::default();
        for item in items.clone().filter(|item| !item.conflicts_with.is_empty()) {
            let own = sets.position(&item.evidence_ref);
            for other in &item.conflicts_with {
                let other = sets.position(other);
                sets.join(own, other);
            }
        }
        let names: Vec<(&str, usize)> = sets.positions.iter().map(|(name, at)| (*name, *at)).collect();
        let set_of: BTreeMap<&str, usize> = names.into_iter().map(|(name, at)| (name, sets.root(at))).collect();
        let mut resolved: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for item in items.filter(|item| item.resolution_ref.as_deref().is_some_and(|r| !r.is_empty())) {
            if let Some(set) = set_of.get(item.evidence_ref.as_str()) {
                resolved.entry(*set).or_default().insert(&item.evidence_ref);
            }
        }
        Self { set_of, resolved }
    }

    /// Returns the reason against an item as a member of its set.
    pub(super) fn judge(&self, item: &EvidenceItem) -> Option<EvidenceReason> {
        let set = self.set_of.get(item.evidence_ref.as_str())?;
        let resolved = self.resolved.get(set);
        match resolved {
            Some(refs) if refs.len() == 1 => {
                (!refs.contains(item.evidence_ref.as_str())).then_some(EvidenceReason::Superseded)
            }
            Some(_) | None => Some(EvidenceReason::UnresolvedConflict),
        }
    }
}

/// Union-find with path halving.
#[derive(Default)]
struct Sets<'a> {
    positions: BTreeMap<&'a str, usize>,
    parents: Vec<usize>,
}

impl<'a> Sets<'a> {
    fn position(&mut self, name: &'a str) -> usize {
        let next = self.parents.len();
        let at = *self.positions.entry(name).or_insert(next);
        if at == next {
            self.parents.push(next);
        }
        at
    }

    fn root(&mut self, mut at: usize) -> usize {
        loop {
            let parent = *self.parents.get(at).invariant("every position has a parent");
            if parent == at {
                return at;
            }
            let above = *self.parents.get(parent).invariant("every parent is a position");
            *self.parents.get_mut(at).invariant("every position has a parent") = above;
            at = above;
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The smaller root wins, so that the result does not depend on the order.
        *self.parents.get_mut(a.max(b)).invariant("a root is a position") = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str, against: &[&str], resolved: bool) -> EvidenceItem {
        EvidenceItem {
            evidence_ref: name.to_owned(),
            conflicts_with: against.iter().map(|s| (*s).to_owned()).collect(),
            resolution_ref: resolved.then(|| "decision:1".to_owned()),
            ..EvidenceItem::default()
        }
    }

    fn judged(items: &[EvidenceItem]) -> Vec<Option<EvidenceReason>> {
        let conflicts = Conflicts::of(items.iter());
        items.iter().map(|item| conflicts.judge(item)).collect()
    }

    #[test]
    fn one_resolution_settles_a_set() {
        use EvidenceReason::{Superseded, UnresolvedConflict};
        let open = [item("a", &["b"], false), item("b", &[], false), item("c", &[], false)];
        assert_eq!(judged(&open), [Some(UnresolvedConflict), Some(UnresolvedConflict), None]);
        let settled = [item("a", &["b"], false), item("b", &[], true)];
        assert_eq!(judged(&settled), [Some(Superseded), None]);
        let twice = [item("a", &["b"], true), item("b", &["a"], true)];
        assert_eq!(judged(&twice), [Some(UnresolvedConflict), Some(UnresolvedConflict)]);
        // Two pairs that share an item are one set.
        let chain = [item("a", &["b"], false), item("c", &["b"], true), item("b", &[], false)];
        assert_eq!(judged(&chain), [Some(Superseded), None, Some(Superseded)]);
        // A contradicted item need not be supplied.
        assert_eq!(judged(&[item("a", &["zz"], false)]), [Some(UnresolvedConflict)]);
        assert_eq!(judged(&[item("a", &["zz"], true)]), [None]);
        // A resolution without a conflict has no effect.
        assert_eq!(judged(&[item("a", &[], true)]), [None]);
    }
}
