//! Adapters would lead to an accepted kind, and the policy does not let the compiler insert them.

use super::Case;
use crate::lower::findings::Finding;
use crate::lower::snapshot::put_under;
use deed_catalog::Route;
use deed_diag::{codes, quote};
use deed_model::AdapterUse;

pub(super) fn diagnose(case: &Case<'_, '_>, route: &Route<'_>) -> Finding {
    let which = match case.view.rules(case.input).adapters {
        AdapterUse::None => "",
        AdapterUse::KeepsValues | AdapterUse::Any => " that lose something",
    };
    let message = format!(
        "input {} accepts {}, and {} gives {}; the policy does not let the compiler put in adapters{which}",
        case.slot(),
        case.accepted(),
        case.producer(),
        quote(case.output().kind.as_str()),
    );
    let steps: Vec<String> =
        route.adapters.iter().map(|adapter| format!("`adapter: {}`", adapter.adapter_id)).collect();
    let help = format!(
        "add {} with {}, or {} `strict.allow-normalizers.v1`",
        if steps.len() == 1 { "a step" } else { "steps" },
        steps.join(" and then "),
        put_under(case.view.cx, case.input.step.index, |rules| rules.adapters != AdapterUse::None)
    );
    Finding::error(case.input.at().key("accepted_kind_keys"), codes::IMPLICIT_ADAPTER, message).help(help)
}
