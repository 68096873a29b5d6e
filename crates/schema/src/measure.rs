//! The size that a schema would have with every reference written out, computed without writing it out.
//!
//! A validator that copies the target of each reference grows with this number, and a few lines of schema can make
//! it astronomical; so it is computed before anything is built.

use crate::reached;
use crate::spot::Spot;
use deed_diag::Invariant;
use std::collections::{HashMap, HashSet};

/// The size of a schema with its references followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Measure {
    /// The number of subschemas, with every reference written out.
    pub(crate) weight: u64,
    /// The longest path down, with references followed until they recur.
    pub(crate) height: usize,
    /// True if the schema refers to itself.
    pub(crate) recursive: bool,
}

struct Frame<'s> {
    identity: usize,
    left: Vec<Spot<'s>>,
    so_far: Measure,
}

/// Measures a schema without recursion: it may be deeper than any stack.
pub(crate) fn measure(root: &Spot<'_>) -> Measure {
    let mut known: HashMap<usize, Measure> = HashMap::new();
    let mut above: HashSet<usize> = HashSet::from([root.identity()]);
    let mut frames = vec![Frame { identity: root.identity(), left: children(root), so_far: Measure::default() }];
    loop {
        let frame = frames.last_mut().invariant("a schema is measured until its root is done");
        if let Some(next) = frame.left.pop() {
            let identity = next.identity();
            if let Some(found) = known.get(&identity) {
                frame.so_far = frame.so_far.with(*found);
            } else if above.insert(identity) {
                frames.push(Frame { identity, left: children(&next), so_far: Measure::default() });
            } else {
                frame.so_far = frame.so_far.with(Measure { weight: 1, height: 0, recursive: true });
            }
            continue;
        }
        let so_far = frame.so_far;
        let own = Measure { weight: so_far.weight.saturating_add(1), height: so_far.height + 1, ..so_far };
        above.remove(&frame.identity);
        known.insert(frame.identity, own);
        frames.pop();
        match frames.last_mut() {
            Some(parent) => parent.so_far = parent.so_far.with(own),
            None => return own,
        }
    }
}

impl Measure {
    fn with(self, other: Self) -> Self {
        Self {
            weight: self.weight.saturating_add(other.weight),
            height: self.height.max(other.height),
            recursive: self.recursive || other.recursive,
        }
    }
}

/// The schemas directly beneath one, the target of its reference included.
fn children<'s>(spot: &Spot<'s>) -> Vec<Spot<'s>> {
    let mut found = Vec::new();
    if let Some((_, Ok(target))) = spot.reference() {
        found.push(target);
        if !spot.dialect().reference_has_siblings() {
            return found;
        }
    }
    found.extend(reached::children(spot));
    found
}
