//! The plan as boxes and lines, before any format: what the mission is given, steps, gates, and what joins them.

use super::text::clean;
use deed_diag::Invariant as _;
use deed_model::{Backend, BindingRank, CompiledPlan, StepContract, StepKind};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of thing that a box stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A file that the mission is given.
    Given,
    /// A step that the plan has.
    Step(Backend),
    /// An adapter that the compiler put in.
    Adapter,
    /// A place where a person has to approve.
    Gate,
}

/// A box. Its texts are one line each.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// The largest text.
    pub(super) label: String,
    /// Its name.
    pub(super) id: String,
    /// The backend, or the role that approves.
    pub(super) note: String,
}

/// The kind of link that a line stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Style {
    /// A file is read.
    #[default]
    Data,
    /// One comes before the other, and nothing else.
    Order,
    /// Through a gate.
    Gate,
}

/// A line from one box to another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) style: Style,
    pub(super) label: String,
}

/// All of them.
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) objective: String,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

/// Nodes by name, and the lines that exist already.
struct Names<'p> {
    steps: BTreeMap<&'p str, usize>,
    given: BTreeMap<&'p str, usize>,
    writers: BTreeMap<&'p str, usize>,
    edges: BTreeSet<Edge>,
}

impl<'p> Names<'p> {
    /// The node that writes a path, or the mission's input of that path.
    fn writer(&self, path: &str) -> Option<usize> {
        self.writers.get(path).or_else(|| self.given.get(path)).copied()
    }

    fn join(&mut self, from: usize, to: usize, style: Style, label: &str) {
        if from != to {
            self.edges.insert(Edge { from, to, style, label: clean(label) });
        }
    }
}

impl Scene {
    /// Builds the boxes and lines of a plan.
    pub(super) fn of(plan: &CompiledPlan) -> Self {
        let mut nodes = Vec::new();
        let mut names =
            Names { steps: BTreeMap::new(), given: BTreeMap::new(), writers: BTreeMap::new(), edges: BTreeSet::new() };
        for (path, slot) in given(plan) {
            names.given.insert(path, nodes.len());
            nodes.push(Node { kind: NodeKind::Given, label: clean(path), id: clean(slot), note: String::new() });
        }
        for step in &plan.steps {
            names.steps.insert(&step.step_id, nodes.len());
            for path in &step.io_contract.write_paths {
                names.writers.insert(path, nodes.len());
            }
            nodes.push(node(step));
        }
        for step in &plan.steps {
            reads(step, &mut names);
        }
        for gate in &plan.gates {
            let at = nodes.len();
            let note = format!("approved by {}", clean(&gate.approver_role));
            let (label, id) = (clean(&gate.question), clean(&gate.gate_id));
            nodes.push(Node { kind: NodeKind::Gate, label, id, note });
            let known = |names: &Names<'_>, id: &String| names.steps.get(id.as_str()).copied();
            for step in &gate.after {
                if let Some(step) = known(&names, step) {
                    names.join(step, at, Style::Gate, "");
                }
            }
            for step in &gate.before {
                if let Some(step) = known(&names, step) {
                    names.join(at, step, Style::Gate, "");
                }
            }
        }
        let edges = names.edges.into_iter().collect();
        Self { name: clean(&plan.plan), objective: clean(&plan.mission.objective), nodes, edges }
    }
}

/// Files that the mission is given, with the slot they are first bound to: all that is read and that no step writes.
fn given(plan: &CompiledPlan) -> BTreeMap<&str, &str> {
    let written: BTreeSet<&str> =
        plan.steps.iter().flat_map(|step| &step.io_contract.write_paths).map(String::as_str).collect();
    let mut given: BTreeMap<&str, &str> = BTreeMap::new();
    for step in &plan.steps {
        for binding in step.bindings.iter().filter(|binding| binding.producer.step.is_none()) {
            given.entry(&binding.producer.path).or_insert(&binding.slot);
        }
    }
    for path in plan.steps.iter().flat_map(|step| &step.io_contract.read_paths) {
        if !written.contains(path.as_str()) {
            given.entry(path).or_insert("");
        }
    }
    given
}

fn node(step: &StepContract) -> Node {
    let backend = step.execution_contract.routing.backend;
    let inserted = step.step_kind == StepKind::InsertedAdapter;
    let adapter = step.execution_contract.adapter_id.as_deref().filter(|_| inserted);
    Node {
        kind: if inserted { NodeKind::Adapter } else { NodeKind::Step(backend) },
        label: clean(adapter.unwrap_or(&step.label)),
        id: clean(&step.step_id),
        note: backend.as_str().to_owned(),
    }
}

/// The lines that lead to a step.
fn reads(step: &StepContract, names: &mut Names<'_>) {
    let me = names.steps.get(step.step_id.as_str()).copied().invariant("a step of the plan has a node");
    let mut covered: BTreeSet<&str> = BTreeSet::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for binding in &step.bindings {
        let producer = binding.producer.step.as_deref();
        covered.extend(producer);
        covered.extend(binding.by.iter().map(String::as_str));
        seen.insert(&binding.producer.path);
        if let Some(path) = step.io_contract.inputs.get(binding.input).and_then(|input| input.path.as_deref()) {
            seen.insert(path);
        }
        let first = match producer {
            Some(step) => names.steps.get(step).copied(),
            None => names.given.get(binding.producer.path.as_str()).copied(),
        };
        let way: Vec<usize> =
            first.into_iter().chain(binding.by.iter().filter_map(|id| names.steps.get(id.as_str()).copied())).collect();
        for (from, to) in way.iter().zip(way.iter().skip(1)) {
            names.join(*from, *to, Style::Data, "");
        }
        let label = match binding.rank {
            BindingRank::ByAdapter | BindingRank::Generic => format!("{} ({})", binding.slot, binding.rank.as_str()),
            BindingRank::Exact | BindingRank::AcceptedKind => binding.slot.clone(),
        };
        if let Some(last) = way.last() {
            names.join(*last, me, Style::Data, &label);
        }
    }
    for input in &step.io_contract.inputs {
        seen.extend(input.path.as_deref().filter(|_| step.step_kind != StepKind::InsertedAdapter));
    }
    for path in step.io_contract.read_paths.iter().filter(|path| !seen.contains(path.as_str())) {
        let Some(writer) = names.writer(path) else { continue };
        let file = path.rsplit('/').next().unwrap_or(path);
        names.join(writer, me, Style::Data, if step.step_kind == StepKind::InsertedAdapter { "" } else { file });
    }
    for needed in &step.depends_on {
        let Some(from) = names.steps.get(needed.as_str()).copied() else { continue };
        let carries = names.edges.range(lowest(from)..).take_while(|edge| edge.from == from).any(|edge| edge.to == me);
        if !carries && !covered.contains(needed.as_str()) {
            names.join(from, me, Style::Order, "");
        }
    }
}

fn lowest(from: usize) -> Edge {
    Edge { from, to: 0, style: Style::Data, label: String::new() }
}
