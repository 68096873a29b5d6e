//! The edit budget. Of repairs of the text each kind counts as one change: fifty single quotes are one habit.

use super::{Draft, Source};
use deed_model::{BudgetUse, EditBudget, LadderChange, Rung};

/// Each kind of repair once, sorted. There are few kinds, and a text may need any of them hundreds of times.
pub(crate) fn habits<'k>(kinds: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    let mut habits: Vec<&str> = Vec::new();
    for kind in kinds {
        if !habits.contains(&kind) {
            habits.push(kind);
        }
    }
    habits.sort_unstable();
    habits
}

/// Returns whether more changes of a rung would exceed the budget.
pub(crate) fn would_exceed(budget: &EditBudget, draft: &Draft<'_>, rung: Rung, more: usize) -> bool {
    let spent = of_text(draft.inputs.source) + draft.all_changes().filter(|change| change.rung != Rung::L0).count();
    let of_rung = draft.all_changes().filter(|change| change.rung == rung).count();
    let most = budget.by_rung.get(&rung).copied();
    spent + more > budget.most_changes || most.is_some_and(|most| of_rung + more > most)
}

/// The use of a budget, and a message for each of its limits that was exceeded.
pub(super) fn spend(budget: &EditBudget, source: &Source<'_>, changes: &[LadderChange]) -> (BudgetUse, Vec<String>) {
    let of_rung = |rung: Rung| match rung {
        Rung::L0 => of_text(source),
        rung => changes.iter().filter(|change| change.rung == rung).count(),
    };
    let changes: usize = Rung::ALL.into_iter().map(of_rung).sum();
    let mut over = Vec::new();
    if changes > budget.most_changes {
        over.push(format!("{changes} changes were needed, and {} are allowed", budget.most_changes));
    }
    for (rung, most) in &budget.by_rung {
        let made = of_rung(*rung);
        if made > *most {
            over.push(format!("{made} changes of {rung} were needed, and {most} are allowed"));
        }
    }
    (BudgetUse { most_changes: budget.most_changes, changes, exceeded: !over.is_empty() }, over)
}

fn of_text(source: &Source<'_>) -> usize {
    habits(source.repairs.iter().map(|repair| repair.kind.as_str())).len()
}
