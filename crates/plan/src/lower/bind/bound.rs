//! A binding, and what is checked of it before it holds.

use super::{View, measures, provenance};
use crate::lower::cx::Input;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::{Output, Source};
use crate::lower::snapshot::InputNeed;
use deed_catalog::Fit;
use deed_diag::{codes, quote};
use deed_model::{BindingRank, Loss};

/// The producer that an input is bound to.
#[derive(Debug, Clone)]
pub(in crate::lower) struct Bound {
    pub(in crate::lower) source: Source,
    pub(in crate::lower) rank: BindingRank,
    /// Names of the adapters on the way.
    pub(in crate::lower) route: Vec<String>,
    /// The values that adapters drop on the way.
    pub(in crate::lower) drops: Vec<String>,
    pub(in crate::lower) why: String,
}

/// The producer that was chosen for an input.
pub(super) struct Choice<'v, 's> {
    pub(super) view: View<'v, 's>,
    pub(super) input: Input<'s>,
    pub(super) need: &'s InputNeed,
    pub(super) source: Source,
    pub(super) fit: &'v Fit<'s>,
}

impl Choice<'_, '_> {
    /// Checks the choice, and makes it a binding.
    pub(super) fn bind(&self, findings: &mut Findings<'_>) -> Bound {
        self.check_loss(findings);
        provenance::check(self, findings);
        self.check_grouping(findings);
        if self.groups() {
            measures::check(self.view, self.input, self.source, findings);
        }
        self.check_readable(findings);
        let route = self.fit.route.as_ref();
        Bound {
            source: self.source,
            rank: self.fit.rank,
            route: route.into_iter().flat_map(|route| route.adapters.iter().map(|a| a.adapter_id.clone())).collect(),
            drops: route.map(|route| route.drops()).unwrap_or_default(),
            why: self.why(),
        }
    }

    pub(super) fn output(&self) -> &Output {
        self.view.offers().get(self.source)
    }

    pub(super) fn producer(&self) -> String {
        self.view.cx.producer(self.source)
    }

    /// Returns whether adapters group the rows on the way.
    pub(super) fn groups(&self) -> bool {
        let mut adapters = self.fit.route.iter().flat_map(|route| &route.adapters);
        adapters.any(|adapter| adapter.needs_keys)
    }

    fn why(&self) -> String {
        let (who, output) = (self.producer(), self.output());
        let (kind, entity) = (quote(output.kind.as_str()), quote(output.entity.as_str()));
        match (&self.fit.route, self.fit.rank) {
            (_, BindingRank::Exact) => format!("{who} gives exactly this profile"),
            (None, BindingRank::Generic) => {
                format!("{who} gives {entity} as {kind}; the policy lets generic data be bound")
            }
            (None, _) => format!("{who} gives {entity} as {kind}, which is accepted"),
            (Some(route), _) => format!("{who} gives {entity} as {kind}; {} makes it what is accepted", route.names()),
        }
    }

    fn check_loss(&self, findings: &mut Findings<'_>) {
        let lossy = self.fit.route.as_ref().filter(|route| route.loss() == Loss::Lossy);
        if let Some(route) = lossy {
            let (who, drops) = (self.producer(), route.drops().join("; "));
            let message = format!("what {who} gives is changed on the way, and something is lost: {drops}");
            let finding = Finding::warning(self.input.at(), codes::LOSSY_ADAPTER, message);
            let finding = finding.related(&self.output().at, "given here");
            findings.add(finding.help("accept the kind that is given, if the step can read it"));
        }
    }

    /// Keys without anything that groups by them are a mistake.
    fn check_grouping(&self, findings: &mut Findings<'_>) {
        let by_step = self.input.step.authored.adapter.is_some();
        if self.need.keys.is_some() && !self.groups() && !by_step {
            let message = "it says how to group, and what is given is accepted as it is; nothing is grouped";
            let finding = Finding::error(self.input.at().key("adapt"), codes::ADAPTER_NEEDS_KEYS, message);
            findings.add(finding.help("accept `dataset.aggregated_rows` alone, or take `adapt` out"));
        }
    }

    /// Columns can be read only of a kind that can be read.
    fn check_readable(&self, findings: &mut Findings<'_>) {
        let output = self.output();
        let last = self.fit.route.as_ref().and_then(|route| route.adapters.last());
        let kind = last.map_or(&output.kind, |adapter| &adapter.to);
        let opaque = self.view.cx.catalog.kind(kind.as_str()).is_some_and(|kind| !kind.readable);
        if opaque && self.need.names_fields {
            let message = format!("it reads columns of {}, which nothing here can look into", quote(kind.as_str()));
            let at = self.input.at().key("fields");
            let finding = Finding::error(at, codes::INPUT_NOT_READABLE_THIS_WAY, message);
            findings.add(finding.related(&output.at, "given here").help("take it as a kind of table or object"));
        }
    }
}
