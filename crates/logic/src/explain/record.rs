//! Builds the tree of an explanation during the evaluation.

use super::{Explanation, Label, Outcome};
use crate::eval::{Out, Room, Watch, describe, to_value};
use crate::expr::{Expr, ExprKind, Path};

/// The maximum number of expressions in one tree; further ones are only counted.
const MOST_NODES: usize = 10_000;

/// The maximum number of parts of a value that is kept.
const MOST_PARTS: u64 = 1_000;

/// The expressions that are being evaluated, outermost first.
#[derive(Default)]
pub(super) struct Recorder {
    open: Vec<Explanation>,
    done: Option<Explanation>,
    next_element: Option<usize>,
    kept: usize,
    /// The number of open expressions that are not kept.
    skipped: usize,
}

impl Watch for Recorder {
    const SEES: bool = true;

    fn enter(&mut self, expr: &Expr) {
        if self.skipped > 0 || self.kept >= MOST_NODES {
            self.skipped += 1;
            if let Some(parent) = self.open.last_mut() {
                parent.elided += 1;
            }
            return;
        }
        self.kept += 1;
        let mut node = blank(expr);
        node.element = self.next_element.take();
        self.open.push(node);
    }

    fn leave(&mut self, expr: &Expr, out: &Out<'_>) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let Some(mut node) = self.open.pop() else { return };
        node.outcome = match out {
            Ok(val) => match to_value(val, &mut Room::new(MOST_PARTS)) {
                Ok(value) => Outcome::Value(value),
                Err(_) => Outcome::Other(describe(val)),
            },
            Err(fail) => Outcome::Error((**fail).clone()),
        };
        add_unvisited(expr, &mut node);
        match self.open.last_mut() {
            Some(parent) => parent.children.push(node),
            None => self.done = Some(node),
        }
    }

    fn element(&mut self, index: Option<usize>) {
        self.next_element = index;
    }
}

impl Recorder {
    /// Returns the finished tree, with the final outcome at its root.
    pub(super) fn finish(self, root: &Expr, outcome: Outcome) -> Explanation {
        let node = self.done.unwrap_or_else(|| blank(root));
        Explanation { outcome, ..node }
    }
}

fn blank(expr: &Expr) -> Explanation {
    Explanation {
        pointer: expr.pointer.clone(),
        label: label(expr),
        outcome: Outcome::NotEvaluated,
        element: None,
        children: Vec::new(),
        elided: 0,
    }
}

fn label(expr: &Expr) -> Label {
    match &expr.kind {
        ExprKind::Literal(_) => Label::Literal,
        ExprKind::List(_) => Label::List,
        ExprKind::Call { op, .. } => Label::Operator(*op),
        ExprKind::Var(var) => match &var.path {
            Path::Whole => Label::Variable(String::new()),
            Path::Fields(segments) => Label::Variable(segments.join(".")),
            Path::Computed(_) => Label::ComputedVariable,
        },
    }
}

fn add_unvisited(expr: &Expr, node: &mut Explanation) {
    if node.elided > 0 {
        return;
    }
    for child in expr.children() {
        if !node.children.iter().any(|seen| seen.pointer == child.pointer) {
            node.children.push(blank(child));
        }
    }
}
