//! What is known of a plan while it is lowered.

use deed_catalog::{Catalog, Entity};
use deed_diag::{Code, Diagnostic, Document, Invariant as _, Place, Severity, did_you_mean, quote};
use deed_model::{
    Adapt, ArtifactContract, ArtifactFormat, BindingRank, Budget, Condition, EntitySchemaId, KindKey, OutputRole, Plan,
    PlanStep, PolicyRules, ProfileId, ProvenanceDemand, Routing, StepPolicy, Validator,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A plan on its way.
pub(crate) struct Lowering<'l> {
    pub(crate) document: &'l Document,
    pub(crate) catalog: &'l Catalog,
    pub(crate) plan: &'l Plan,
    findings: Vec<Diagnostic>,
    /// Steps by name; the first of each name.
    pub(crate) by_id: HashMap<&'l str, usize>,
    pub(crate) steps: Vec<Step<'l>>,
    /// Indexes of the steps in their frozen order.
    pub(crate) order: Vec<usize>,
    /// What the mission is given.
    pub(crate) given: Vec<Output>,
    /// Entities of what it is given and was refused: whoever reads them is not told a second time.
    pub(crate) given_in_doubt: BTreeSet<String>,
    /// Adapters that were put in.
    pub(crate) inserted: Vec<Inserted>,
    /// Who writes which path, by its folded form.
    pub(crate) writers: HashMap<String, (Source, String)>,
    /// The stage that speaks.
    pub(crate) stage: &'static str,
    /// Comparisons of names that are left for suggestions: a plan full of wrong names is told so, and not for hours.
    comparisons: usize,
    /// By step: a bit for every step that comes before it; made when it is first asked for.
    ancestors: Vec<Vec<u64>>,
}

/// All that comes before each step. Steps that have no order, being in a circle, have none.
fn ancestors(steps: &[Step<'_>], order: &[usize]) -> Vec<Vec<u64>> {
    let words = steps.len().div_ceil(64);
    let mut all: Vec<Vec<u64>> = vec![Vec::new(); steps.len()];
    for step in order {
        let mut bits = vec![0_u64; words];
        for earlier in steps.get(*step).map(|step| step.before.as_slice()).unwrap_or_default() {
            for (word, more) in bits.iter_mut().zip(all.get(*earlier).into_iter().flatten()) {
                *word |= more;
            }
            if let Some(word) = bits.get_mut(earlier / 64) {
                *word |= 1 << (earlier % 64);
            }
        }
        if let Some(slot) = all.get_mut(*step) {
            *slot = bits;
        }
    }
    all
}

const MOST_COMPARISONS: usize = 2_000_000;

/// A step on its way.
pub(crate) struct Step<'l> {
    pub(crate) authored: &'l PlanStep,
    /// Its pointer.
    pub(crate) at: String,
    /// Steps that come before it, gates included; sorted.
    pub(crate) before: Vec<usize>,
    pub(crate) policy: StepPolicy,
    pub(crate) domain_packs: Vec<String>,
    pub(crate) workflow_packs: Vec<String>,
    pub(crate) outputs: Vec<Output>,
    /// How many of its outputs were refused.
    pub(crate) doubtful: usize,
    /// Whether it depends on a step that is not there.
    pub(crate) depends_on_nothing: bool,
    /// Whether it names a pack that is not there.
    pub(crate) packs_in_doubt: bool,
    /// Inputs, as far as their names lead to something.
    pub(crate) needs: Vec<Option<NeedSpec>>,
    /// What inputs are bound to.
    pub(crate) bound: Vec<Option<Bound>>,
    /// Names of the inserted steps on the way to each input.
    pub(crate) by: Vec<Vec<String>>,
    /// Where each input is read, once adapters are in.
    pub(crate) read_from: Vec<Option<(String, KindKey)>>,
    /// The entity of each input once adapters are in, where the plan derives it.
    pub(crate) arrived: Vec<Option<Arc<Entity>>>,
    pub(crate) reads: Vec<String>,
    /// Files read by path whose producers say what they are.
    pub(crate) by_path: Vec<Source>,
    pub(crate) writes: Vec<(String, OutputRole)>,
    pub(crate) artifacts: BTreeMap<String, ArtifactContract>,
    pub(crate) routing: Option<Routing>,
    pub(crate) validators: Vec<Validator>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) worst_case: Budget,
}

/// Something that is given: by a step or by the mission.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    pub(crate) slot: String,
    pub(crate) entity: EntitySchemaId,
    pub(crate) kind: KindKey,
    pub(crate) profile: Option<ProfileId>,
    pub(crate) path: String,
    pub(crate) role: OutputRole,
    pub(crate) fields: Arc<BTreeSet<String>>,
    pub(crate) grain: Arc<BTreeSet<String>>,
    pub(crate) provenance: Vec<String>,
    /// Its pointer.
    pub(crate) at: String,
    /// Its entity, where the plan derives it.
    pub(crate) derived: Option<Arc<Entity>>,
    /// Whether something reads it.
    pub(crate) used: bool,
    /// Whether its columns or grain were refused.
    pub(crate) flawed: bool,
}

/// Something that is needed.
#[derive(Debug, Clone)]
pub(crate) struct NeedSpec {
    pub(crate) entity: EntitySchemaId,
    pub(crate) accepted: Vec<KindKey>,
    pub(crate) profile: Option<ProfileId>,
    pub(crate) fields: Arc<BTreeSet<String>>,
    /// Whether the plan names the columns.
    pub(crate) names_fields: bool,
    pub(crate) grain: Arc<BTreeSet<String>>,
    pub(crate) provenance: ProvenanceDemand,
    pub(crate) keys: Option<BTreeSet<String>>,
    /// Whether the plan asks for the profile by name.
    pub(crate) must: bool,
    pub(crate) measures: BTreeSet<String>,
    pub(crate) measured: BTreeSet<String>,
    /// Whether adapters have to group the rows on the way.
    pub(crate) groups: bool,
    /// The entity of what is read, where adapters group it on the way.
    pub(crate) grouped: Option<Arc<Entity>>,
}

/// Who gives something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Source {
    /// The mission's input of that index.
    Mission(usize),
    /// That output of that step.
    Step(usize, usize),
}

/// What an input is bound to.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    pub(crate) source: Source,
    pub(crate) rank: BindingRank,
    /// Names of adapters on the way.
    pub(crate) route: Vec<String>,
    pub(crate) drops: Vec<String>,
    pub(crate) why: String,
}

/// An adapter that was put in.
#[derive(Debug, Clone)]
pub(crate) struct Inserted {
    pub(crate) id: String,
    pub(crate) adapter: String,
    /// Steps that come before it, by name.
    pub(crate) before: Vec<String>,
    pub(crate) reads: String,
    pub(crate) from_kind: KindKey,
    pub(crate) writes: String,
    pub(crate) kind: KindKey,
    pub(crate) format: ArtifactFormat,
    /// The entity of what it reads.
    pub(crate) from_entity: EntitySchemaId,
    pub(crate) entity: EntitySchemaId,
    /// The entity of what it writes, where the plan derives it.
    pub(crate) derived: Option<Arc<Entity>>,
    pub(crate) slot: String,
    pub(crate) fields: Arc<BTreeSet<String>>,
    pub(crate) grain: Arc<BTreeSet<String>>,
    pub(crate) provenance: Vec<String>,
    pub(crate) adapt: Option<Adapt>,
    /// The policy of whoever reads it first by name.
    pub(crate) policy: StepPolicy,
}

impl<'l> Lowering<'l> {
    pub(crate) fn new(document: &'l Document, catalog: &'l Catalog, plan: &'l Plan, findings: Vec<Diagnostic>) -> Self {
        let steps = plan.steps.iter().enumerate().map(|(index, step)| Step::new(index, step)).collect();
        Self {
            document,
            catalog,
            plan,
            findings,
            by_id: HashMap::with_capacity(plan.steps.len()),
            steps,
            order: Vec::new(),
            given: Vec::new(),
            given_in_doubt: BTreeSet::new(),
            inserted: Vec::new(),
            writers: HashMap::new(),
            stage: "candidate",
            comparisons: MOST_COMPARISONS,
            ancestors: Vec::new(),
        }
    }

    /// The step whose name is near to one that leads nowhere.
    pub(crate) fn step_like(&mut self, name: &str) -> Option<String> {
        if self.may_search() { did_you_mean(name, self.by_id.keys().copied()) } else { None }
    }

    /// Whether all steps may be gone through once more.
    pub(crate) fn may_search(&mut self) -> bool {
        let left = self.comparisons.checked_sub(self.by_id.len());
        self.comparisons = left.unwrap_or(self.comparisons);
        left.is_some()
    }

    /// Something about the plan as a whole.
    pub(crate) fn say(&mut self, severity: Severity, code: Code, at: &str, message: String, help: Option<String>) {
        let finding =
            Diagnostic::new(severity, code, message).stage(self.stage).at(self.document.place(self.existing(at)));
        self.findings.push(finding.help_opt(help));
    }

    /// Something about a step: the message begins with its name, and the words that it came from are shown.
    pub(crate) fn tell(&mut self, told: Told) {
        let Some(step) = self.steps.get(told.step) else { return };
        let message = format!("step {}: {}", quote(&step.authored.id), told.message);
        let place = self.document.place(self.existing(&format!("{}{}", step.at, told.at)));
        let words = step.authored.objective_words.as_deref().and_then(|words| self.words(words));
        let mut finding =
            Diagnostic::new(told.severity, told.code, message).stage(self.stage).at(place).help_opt(told.help);
        for (at, message) in told.related {
            finding = finding.related(self.document.place(self.existing(&at)), message);
        }
        if let Some(place) = words {
            finding = finding.related(place, "for these words of the objective");
        }
        self.findings.push(finding);
    }

    /// The part of a pointer that leads to something in the document: a key that is missing cannot be shown.
    fn existing<'p>(&self, pointer: &'p str) -> &'p str {
        let mut at = pointer;
        while self.document.value().pointer(at).is_none() {
            match at.rfind('/') {
                Some(end) => at = at.get(..end).unwrap_or_default(),
                None => return "",
            }
        }
        at
    }

    /// Where words of the objective stand. A line may break between any two of them.
    pub(crate) fn words(&self, words: &str) -> Option<Place> {
        let whole = self.document.place("/mission/objective");
        let (node, _) = self.document.tree().nearest("/mission/objective");
        let text = self.document.source().text().get(node.span.start..node.span.end)?;
        let wanted: Vec<&str> = words.split_whitespace().collect();
        let first = wanted.first()?;
        let (start, end) = text.match_indices(first).find_map(|(start, _)| {
            let mut end = start;
            for word in &wanted {
                let rest = text.get(end..)?;
                let at = rest.len() - rest.trim_start().len();
                rest.get(at..)?.strip_prefix(word)?;
                end += at + word.len();
            }
            Some((start, end))
        })?;
        // A place is one line of the source.
        let line = text.get(start..end)?.lines().next()?.len();
        let span = deed_canon::Span::new(node.span.start + start, node.span.start + start + line);
        Some(Place { span: Some(span), ..whole })
    }

    /// Whether a step has surely run before another.
    pub(crate) fn comes_before(&mut self, earlier: usize, later: usize) -> bool {
        if self.steps.get(later).is_some_and(|step| step.before.contains(&earlier)) {
            return true;
        }
        if self.ancestors.is_empty() {
            self.ancestors = ancestors(&self.steps, &self.order);
        }
        self.ancestors
            .get(later)
            .and_then(|bits| bits.get(earlier / 64))
            .is_some_and(|word| word >> (earlier % 64) & 1 == 1)
    }

    pub(crate) fn output(&self, source: Source) -> Option<&Output> {
        match source {
            Source::Mission(index) => self.given.get(index),
            Source::Step(step, output) => self.steps.get(step)?.outputs.get(output),
        }
    }

    /// Who gives something, in words.
    pub(crate) fn who(&self, source: Source) -> String {
        match source {
            Source::Mission(_) => "the mission".to_owned(),
            Source::Step(step, _) => {
                format!("step {}", quote(self.steps.get(step).map_or("", |step| step.authored.id.as_str())))
            }
        }
    }

    /// How a step gets under a policy that allows something: a step cannot loosen what the plan demands.
    pub(crate) fn put_under(&self, step: usize, allows: fn(&PolicyRules) -> bool) -> &'static str {
        let plan = self.plan;
        let ids = plan.policy_profile_id.iter().chain(&plan.extra_policy_profile_ids);
        let of_plan = ids.filter_map(|id| self.catalog.policy(id)).map(|policy| policy.rules).reduce(PolicyRules::and);
        let own = plan.steps.get(step).is_some_and(|step| step.policy_profile_id.is_some());
        match of_plan {
            Some(rules) if !allows(&rules) => "put the plan under",
            _ if own => "put the step under another policy, such as",
            _ => "put the step under",
        }
    }

    pub(crate) fn rules(&self, step: usize) -> PolicyRules {
        self.steps.get(step).invariant("a step index is one of the plan's").policy.rules
    }

    /// How much was found so far.
    pub(crate) fn count(&self) -> usize {
        self.findings.len()
    }

    /// Whether anything was refused.
    pub(crate) fn is_refused(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The findings in the order of the document.
    pub(crate) fn sorted_findings(self) -> Vec<Diagnostic> {
        let mut findings = self.findings;
        findings.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.place.as_ref().and_then(|place| place.span), d.code, d.message.clone());
            key(a).cmp(&key(b))
        });
        findings.dedup();
        findings
    }
}

/// What is told of a step.
pub(crate) struct Told {
    pub(crate) step: usize,
    pub(crate) severity: Severity,
    pub(crate) code: Code,
    /// The pointer beneath the step.
    pub(crate) at: String,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Other places, by pointers from the document's root.
    pub(crate) related: Vec<(String, String)>,
}

impl Told {
    pub(crate) fn error(step: usize, code: Code, at: impl Into<String>, message: impl Into<String>) -> Self {
        let (at, message) = (at.into(), message.into());
        Self { step, severity: Severity::Error, code, at, message, help: None, related: Vec::new() }
    }

    pub(crate) fn warning(step: usize, code: Code, at: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(step, code, at, message) }
    }

    pub(crate) fn info(step: usize, code: Code, at: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Info, ..Self::error(step, code, at, message) }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn help_opt(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    pub(crate) fn related(mut self, at: impl Into<String>, message: impl Into<String>) -> Self {
        self.related.push((at.into(), message.into()));
        self
    }
}

impl<'l> Step<'l> {
    fn new(index: usize, authored: &'l PlanStep) -> Self {
        let inputs = authored.abstract_inputs.len();
        Self {
            authored,
            at: format!("/steps/{index}"),
            before: Vec::new(),
            policy: StepPolicy { policy_profile_ids: Vec::new(), rules: PolicyRules::STRICTEST },
            domain_packs: Vec::new(),
            workflow_packs: Vec::new(),
            outputs: Vec::new(),
            doubtful: 0,
            depends_on_nothing: false,
            packs_in_doubt: false,
            needs: vec![None; inputs],
            bound: vec![None; inputs],
            by: vec![Vec::new(); inputs],
            read_from: vec![None; inputs],
            arrived: vec![None; inputs],
            reads: Vec::new(),
            by_path: Vec::new(),
            writes: Vec::new(),
            artifacts: BTreeMap::new(),
            routing: None,
            validators: Vec::new(),
            conditions: Vec::new(),
            worst_case: Budget::default(),
        }
    }
}
