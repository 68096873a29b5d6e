//! The second climb over a result, which must change nothing.

use super::driver::Driver;
use super::{Cx, Pass, WITHOUT_MODEL};
use crate::rungs::conformance;
use deed_model::{LadderChange, Proposals, Rung};

impl Driver<'_> {
    /// The first change that a second climb over the result would make: its rule changes its own result.
    pub(super) fn unsettled_change(&self) -> Option<LadderChange> {
        let changed = self.changes.iter().any(|change| change.rung != Rung::L0);
        let payload = self.payload.as_deref().filter(|_| changed && !self.stopped)?;
        let none = Proposals::default();
        let mut second = Driver::over(Cx { proposer: &none, ..self.cx }, payload);
        // What the guard flagged stays flagged, and a value that was transformed is transformed again only if another
        // value took its place.
        second.flagged = self.flagged.places();
        second.source.removed.clone_from(&self.source.removed);
        second.source.cut.clone_from(&self.source.cut);
        // A key that was refused a default may have been stripped since, and is no less refused.
        second.source.withheld.clone_from(&self.source.withheld);
        for (rung, run) in WITHOUT_MODEL {
            second.rung(rung, run);
        }
        // Rules that wait are evaluated apart from the others here too: a mistake of one of them undoes nothing of
        // theirs.
        if second.deferred.any && !second.stopped {
            second.pass = Pass::Later;
            for (rung, run) in WITHOUT_MODEL {
                second.rung(rung, run);
            }
        }
        second.rung(Rung::L4, conformance::check);
        second.changes.into_iter().next()
    }
}
