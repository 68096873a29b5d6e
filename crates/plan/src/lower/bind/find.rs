//! The search for the one producer of an input.

use super::View;
use super::ambiguous::ambiguous;
use super::bound::{Bound, Choice};
use super::producers::{at, levels};
use super::refuse::refuse;
use crate::lower::cx::Input;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::Source;
use crate::lower::outputs::normalized;
use crate::lower::snapshot::InputNeed;
use deed_catalog::{Fit, Misfit};
use deed_diag::{codes, quote};
use deed_model::{EntitySchemaId, KindKey};
use std::collections::HashSet;

/// Producers that were compared with an input.
struct Search<'v, 's> {
    view: View<'v, 's>,
    input: Input<'s>,
    need: &'s InputNeed,
    misfits: Vec<(Source, Misfit<'s>)>,
    /// Forms from which no adapters lead to an accepted one.
    unreachable: HashSet<(EntitySchemaId, KindKey)>,
}

/// Finds the producer of an input; none if the input is refused, or optional and given by none.
pub(super) fn find<'s>(
    view: View<'_, 's>,
    input: Input<'s>,
    need: &'s InputNeed,
    findings: &mut Findings<'_>,
) -> Option<Bound> {
    let mut search = Search { view, input, need, misfits: Vec::new(), unreachable: HashSet::new() };
    for level in levels(input) {
        let sources = at(view, input, need, *level, findings).map_err(|finding| findings.add(finding)).ok()?;
        let mut fits = search.fitting(sources);
        let Some(best) = fits.iter().map(|(_, fit)| fit.rank).min() else { continue };
        fits.retain(|(_, fit)| fit.rank == best);
        return match fits.as_slice() {
            [(source, fit)] => Some(Choice { view, input, need, source: *source, fit }.bind(findings)),
            several => {
                findings.add(ambiguous(view, input, several));
                None
            }
        };
    }
    if input.authored.required {
        refuse(view, input, need, search.misfits, findings);
    } else {
        let message = format!("nothing gives the optional input {}; it is left out", quote(&input.authored.slot));
        findings.add(Finding::info(input.at(), codes::OPTIONAL_INPUT_LEFT_OUT, message));
    }
    None
}

impl<'s> Search<'_, 's> {
    /// The producers that fit. Those that do not are remembered with the reason.
    fn fitting(&mut self, sources: Vec<Source>) -> Vec<(Source, Fit<'s>)> {
        let wanted = self.input.authored.path.as_deref().map(normalized);
        let mut fits = Vec::new();
        for source in sources {
            let output = self.view.offers().get(source);
            if wanted.as_ref().is_some_and(|path| output.path != *path) {
                continue;
            }
            let form = output.fields.is_empty().then(|| (output.entity.clone(), output.kind.clone()));
            if form.as_ref().is_some_and(|form| self.unreachable.contains(form)) {
                continue;
            }
            match self.view.judge(self.input, self.need, source) {
                Ok(fit) => fits.push((source, fit)),
                Err(misfit) => {
                    // No adapters lead from here, and so from none of the same form: that is searched once.
                    self.unreachable.extend(form.filter(|_| misfit == Misfit::Kind));
                    self.misfits.push((source, misfit));
                }
            }
        }
        fits
    }
}
