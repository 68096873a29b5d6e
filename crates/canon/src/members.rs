//! The members of an object in source order, found by key without reading all of them.

use crate::tree::Member;
use std::cmp::Ordering;
use std::ops::Deref;

/// The size up to which members are searched one by one.
const FEW: usize = 16;

/// The members of an object in source order; keys are distinct.
#[derive(Debug, Clone, Default)]
pub struct Members {
    list: Vec<Member>,
    /// Positions by the order of keys, if there are more than a few members. An object with 40,000 unknown keys is
    /// looked up 40,000 times for the places of its diagnostics.
    by_key: Vec<usize>,
}

impl Members {
    /// Takes members in source order.
    pub fn new(list: Vec<Member>) -> Self {
        let mut by_key = Vec::new();
        if list.len() > FEW {
            let mut keys: Vec<(&str, usize)> = list.iter().enumerate().map(|(i, m)| (m.key.as_str(), i)).collect();
            keys.sort_unstable();
            by_key = keys.into_iter().map(|(_, i)| i).collect();
        }
        Self { list, by_key }
    }

    /// Returns the member with this key.
    pub fn get_key(&self, key: &str) -> Option<&Member> {
        self.search(|candidate| candidate.cmp(key))
    }

    /// Finds a member by comparing keys with the wanted one.
    fn search(&self, mut compare: impl FnMut(&str) -> Ordering) -> Option<&Member> {
        if self.by_key.is_empty() {
            return self.list.iter().find(|member| compare(&member.key).is_eq());
        }
        let mut key_order = |at: &usize| self.list.get(*at).map_or(Ordering::Greater, |m| compare(&m.key));
        let found = self.by_key.binary_search_by(&mut key_order).ok()?;
        self.by_key.get(found).and_then(|at| self.list.get(*at))
    }
}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Deref for Members {
    type Target = [Member];

    fn deref(&self) -> &[Member] {
        &self.list
    }
}

impl FromIterator<Member> for Members {
    fn from_iter<I: IntoIterator<Item = Member>>(members: I) -> Self {
        Self::new(members.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Node, NodeKind, Span};

    fn members(count: usize) -> Members {
        let member = |i: usize| Member {
            // Not in the order of keys.
            key: format!("k{}", (i * 7919) % count),
            key_span: Span::new(i, i + 1),
            value: Node { span: Span::new(i, i), kind: NodeKind::Null },
        };
        (0..count).map(member).collect()
    }

    #[test]
    fn every_key_is_found_and_the_order_is_kept() {
        for count in [0, 1, FEW, FEW + 1, 1000] {
            let members = members(count);
            for (i, member) in members.iter().enumerate() {
                assert_eq!(member.key_span.start, i);
                assert_eq!(members.get_key(&member.key), Some(member));
            }
            assert_eq!(members.get_key("absent"), None);
        }
    }

    #[test]
    fn looking_up_every_key_is_not_quadratic() {
        let members = members(40_000);
        let mut compared = 0_usize;
        for member in members.iter() {
            let found = members.search(|candidate| {
                compared += 1;
                candidate.cmp(&member.key)
            });
            assert_eq!(found, Some(member));
        }
        assert!(compared <= 40_000 * 17, "{compared} keys were compared");
    }
}
