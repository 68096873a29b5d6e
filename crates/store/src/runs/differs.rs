//! The differences between an existing run and another request under its name.

use deed_canon::ContentHash;
use deed_model::{ArtifactRecord, RunRequest};
use deed_ports::{StoreError, StoreErrorKind};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of differences that a message names.
const MOST: usize = 3;

/// The refusal of a request whose name is taken by another one.
pub(super) fn refusal(then: &RunRequest, now: &str) -> StoreError {
    // Only the wording depends on it: the request is refused in any case.
    let found = serde_json::from_str(now).map_or_else(|_| Vec::new(), |now| differences(then, &now));
    let more = found.len().saturating_sub(MOST);
    let mut named: Vec<String> = found.into_iter().take(MOST).collect();
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    let what = if named.is_empty() { String::new() } else { format!(": {}", named.join("; ")) };
    let message = format!("there is already a run `{}` with other content{what}", then.run_id);
    StoreError::new(StoreErrorKind::Conflict, message)
        .help("give the new run another name with `--id`: a run keeps its name, also where it failed")
}

fn differences(then: &RunRequest, now: &RunRequest) -> Vec<String> {
    let mut found = Vec::new();
    let files = |inputs: &[ArtifactRecord]| -> BTreeMap<String, ContentHash> {
        inputs.iter().map(|input| (input.path.clone(), input.sha256)).collect()
    };
    found.extend(hashes("", &files(&then.inputs), &files(&now.inputs)));
    found.extend(hashes("the code of ", &then.code, &now.code));
    if then.plan != now.plan {
        found.push(format!("the plan was `{}`, and is `{}` now", then.plan, now.plan));
    } else if then.plan_hash != now.plan_hash && then.code == now.code {
        found.push(format!("the compiled plan differs ({})", both(&then.plan_hash, &now.plan_hash)));
    }
    if then.grant != now.grant {
        let parts = then.grant.parts().into_iter().zip(now.grant.parts()).filter(|(then, now)| then != now);
        found.extend(parts.map(|((name, then), (_, now))| format!("the budget of `{name}` {}", amounts(then, now))));
    }
    if then.actor != now.actor {
        found.push(format!("it was submitted by `{}`, and is by `{}` now", then.actor, now.actor));
    }
    found.extend(options(then, now));
    if then.forked != now.forked {
        let from = |run: &RunRequest| {
            let fork = run.forked.as_ref();
            fork.map_or_else(|| "none".to_owned(), |fork| format!("`{}` at `{}`", fork.run_id, fork.step))
        };
        found.push(format!("the run that it continues from was {}, and is {} now", from(then), from(now)));
    }
    found
}

fn options(then: &RunRequest, now: &RunRequest) -> Vec<String> {
    let (then, now) = (&then.options, &now.options);
    let mut found = Vec::new();
    let mut option = |name: &str, then: String, now: String| {
        if then != now {
            found.push(format!("`{name}` was {then}, and is {now} now"));
        }
    };
    let given = |given: bool| if given { "given" } else { "not given" }.to_owned();
    let names = |names: &[String]| if names.is_empty() { "not given".to_owned() } else { names.join(", ") };
    option("--parallel", then.parallel.to_string(), now.parallel.to_string());
    option("--reuse", given(then.reuse), given(now.reuse));
    option("--learn-egress", given(then.learn_egress), given(now.learn_egress));
    option("--gate-seconds", then.gate_seconds.to_string(), now.gate_seconds.to_string());
    option("--resolve", names(&then.resolve), names(&now.resolve));
    option("--ca", given(then.extra_roots), given(now.extra_roots));
    found
}

/// Describes the names whose content differs, or that only one of the two has.
fn hashes(what: &str, then: &BTreeMap<String, ContentHash>, now: &BTreeMap<String, ContentHash>) -> Vec<String> {
    let names: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    let differs = |name: &&String| match (then.get(*name), now.get(*name)) {
        (Some(then), Some(now)) if then == now => None,
        (Some(then), Some(now)) => Some(format!("{what}`{name}` differs ({})", both(then, now))),
        (Some(_), None) => Some(format!("{what}`{name}` was given, and is not now")),
        (None, Some(_)) => Some(format!("{what}`{name}` was not given, and is now")),
        (None, None) => None,
    };
    names.iter().filter_map(differs).collect()
}

fn both(then: &ContentHash, now: &ContentHash) -> String {
    let short = |hash: &ContentHash| hash.hex().chars().take(8).collect::<String>();
    format!("sha256 {}… then, {}… now", short(then), short(now))
}

fn amounts(then: Option<u64>, now: Option<u64>) -> String {
    let word = |amount: Option<u64>| amount.map_or_else(|| "not limited".to_owned(), |amount| amount.to_string());
    format!("was {}, and is {} now", word(then), word(now))
}
