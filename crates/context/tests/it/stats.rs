//! Metrics over an archive: against an independent naive computation over random observations, and over recordings of
//! the support pack whose values are known.

use crate::common::archive;

use archive::{edited, recorded, support as support_pack, worked};
use deed_canon::ContentHash;
use deed_context::{
    ArchiveEvidence, CompileFacts, GateObservation, GateVerdict, Hydrations, Measured, MetricName, Observation,
    PackControlKind, ReplayOutcome, RollbackObservation, RowChange, RuleFacts, Statistics, SurfaceFacts,
    newest_versions, observe, statistics,
};
use deed_model::{Bucket, CompileMeasurement, Metric, PackRef, ReplayBundle};
use deed_testkit::Random;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn version(minor: u64) -> PackRef {
    format!("acme.support@1.{minor}.0").parse().unwrap()
}

fn hash(n: usize) -> ContentHash {
    ContentHash::of_bytes(&n.to_be_bytes())
}

fn chance(random: &mut Random, percent: usize) -> bool {
    random.below(100) < percent
}

/// An observation in which anything may be.
fn observation(random: &mut Random) -> Observation {
    let replay = match random.below(10) {
        0 => ReplayOutcome::Different,
        1 => ReplayOutcome::Tampered,
        2 => ReplayOutcome::Failed,
        _ => ReplayOutcome::Equal,
    };
    let refused = chance(random, 20);
    let inputs = random.below(30);
    let rule = |random: &mut Random| RuleFacts {
        fired: chance(random, 40),
        otherwise: chance(random, 50).then(|| chance(random, 50)),
    };
    let buckets = [Bucket::Evidence, Bucket::Memory, Bucket::Session];
    let facts = CompileFacts {
        pack_hash: Some(hash(random.below(2))),
        inputs: hash(inputs),
        context: (!refused).then(|| hash(1000 + inputs + usize::from(chance(random, 10)))),
        refusal: refused.then(|| "D1511".to_owned()),
        compile_us: chance(random, 80).then(|| random.below(500) as u64),
        rules: chance(random, 90).then(|| (0..random.below(4)).map(|n| (format!("R{n}"), rule(random))).collect()),
        surface: chance(random, 90).then(|| {
            let declared = random.below(9) as u64;
            SurfaceFacts { surfaced: declared.min(random.below(9) as u64), declared }
        }),
        truncated: chance(random, 85).then(|| buckets.into_iter().filter(|_| chance(random, 20)).collect()),
        evidence: chance(random, 85).then(|| {
            let demand = |random: &mut Random| {
                let demanded = 1 + random.below(3) as u64;
                (demanded, demanded.min(random.below(4) as u64))
            };
            (0..random.below(3)).map(|n| (format!("e{n}"), demand(random))).collect()
        }),
        controls: BTreeMap::new(),
    };
    Observation {
        pack_ref: version(random.below(3) as u64),
        intent: format!("support.{}", random.below(3)),
        replay,
        facts: (replay != ReplayOutcome::Tampered).then_some(facts),
    }
}

fn evidence(random: &mut Random, count: usize) -> ArchiveEvidence {
    let gate = |random: &mut Random| GateObservation {
        pack_ref: version(random.below(3) as u64),
        metric: *[Metric::Policy, Metric::Safety, Metric::Utility].get(random.below(3)).unwrap(),
        verdict: *[GateVerdict::Passed, GateVerdict::Failed, GateVerdict::NotJudged].get(random.below(3)).unwrap(),
    };
    let rollback = |random: &mut Random| RollbackObservation {
        pack_ref: version(random.below(4) as u64),
        environment: format!("env{}", random.below(2)),
        took_ms: chance(random, 80).then(|| random.below(900) as u64),
    };
    ArchiveEvidence {
        observations: (0..count).map(|_| observation(random)).collect(),
        gates: (0..random.below(6)).map(|_| gate(random)).collect(),
        rollbacks: chance(random, 80).then(|| (0..random.below(6)).map(|_| rollback(random)).collect()),
    }
}

/// A value as text: a share as two counts, a distribution as its samples in order.
type Plain = String;

fn plain(measured: &Measured) -> Plain {
    match measured {
        Measured::Rate { part, of, rate } => {
            assert!((rate - *part as f64 / *of as f64).abs() < 1e-12 && part <= of);
            format!("{part}/{of}")
        }
        Measured::Distribution { samples, unrecorded, sum, mean, p50, p95, p99, max } => {
            assert!((mean - *sum as f64 / *samples as f64).abs() < 1e-9);
            format!("{samples}+{unrecorded} sum {sum}: {p50} {p95} {p99} {max}")
        }
        Measured::NotKnown { reason } => {
            assert!(reason.len() > 10, "{reason}");
            "?".to_owned()
        }
    }
}

fn share(part: usize, of: usize) -> Plain {
    if of == 0 { "?".to_owned() } else { format!("{part}/{of}") }
}

/// The percentile by its definition: the smallest sample that at least so many percent do not exceed.
fn percentile(samples: &[u64], percent: usize) -> u64 {
    let reaches =
        |sample: u64| samples.iter().filter(|other| **other <= sample).count() * 100 >= percent * samples.len();
    samples.iter().copied().filter(|sample| reaches(*sample)).min().unwrap()
}

fn spread(samples: &[Option<u64>]) -> Plain {
    let found: Vec<u64> = samples.iter().flatten().copied().collect();
    if found.is_empty() {
        return "?".to_owned();
    }
    let [p50, p95, p99] = [50, 95, 99].map(|percent| percentile(&found, percent));
    let (without, sum, max) = (samples.len() - found.len(), found.iter().sum::<u64>(), found.iter().max().unwrap());
    format!("{}+{without} sum {sum}: {p50} {p95} {p99} {max}", found.len())
}

/// The naive computation of one metric for one group of recordings, written from the table in docs/context.md.
fn naive(metric: MetricName, group: &[&Observation]) -> BTreeMap<Option<String>, Plain> {
    let facts: Vec<&CompileFacts> = group.iter().filter_map(|one| one.facts.as_ref()).collect();
    let compiled = |one: &&&CompileFacts| one.refusal.is_none();
    let times: Vec<Option<u64>> = facts.iter().filter(compiled).map(|one| one.compile_us).collect();
    let surfaces: Vec<SurfaceFacts> = facts.iter().filter_map(|one| one.surface).collect();
    let packed: Vec<&BTreeSet<Bucket>> = facts.iter().filter_map(|one| one.truncated.as_ref()).collect();
    let one = |value: Plain| BTreeMap::from([(None, value)]);
    match metric {
        MetricName::CompileSuccessRate => one(share(facts.iter().filter(compiled).count(), facts.len())),
        MetricName::CompileLatency | MetricName::CompileTime => one(spread(&times)),
        MetricName::ToolSurfaceSize => {
            one(spread(&surfaces.iter().map(|surface| Some(surface.surfaced)).collect::<Vec<_>>()))
        }
        MetricName::ToolSurfaceShare => {
            let sum = |part: fn(&SurfaceFacts) -> u64| surfaces.iter().map(part).sum::<u64>() as usize;
            one(share(sum(|surface| surface.surfaced), sum(|surface| surface.declared)))
        }
        MetricName::PolicyRuleActivationRate => {
            let names: BTreeSet<&String> =
                facts.iter().flat_map(|one| one.rules.iter().flatten()).map(|(id, _)| id).collect();
            let mut rows = BTreeMap::new();
            for name in names {
                let rules: Vec<&RuleFacts> = facts.iter().filter_map(|one| one.rules.as_ref()?.get(name)).collect();
                rows.insert(Some(name.clone()), share(rules.iter().filter(|rule| rule.fired).count(), rules.len()));
                let otherwise: Vec<bool> = rules.iter().filter_map(|rule| rule.otherwise).collect();
                if !otherwise.is_empty() {
                    let active = otherwise.iter().filter(|active| **active).count();
                    rows.insert(Some(format!("{name} else")), share(active, otherwise.len()));
                }
            }
            if rows.is_empty() { one("?".to_owned()) } else { rows }
        }
        MetricName::BucketTruncationRate => {
            one(share(packed.iter().filter(|buckets| !buckets.is_empty()).count(), packed.len()))
        }
        MetricName::BucketTruncationByBucket => Bucket::ALL
            .into_iter()
            .map(|bucket| {
                let cut = packed.iter().filter(|buckets| buckets.contains(&bucket)).count();
                (Some(bucket.to_string()), share(cut, packed.len()))
            })
            .collect(),
        MetricName::RequiredEvidenceResolutionRate => {
            let all: Vec<(&String, (u64, u64))> = facts
                .iter()
                .flat_map(|one| one.evidence.iter().flatten())
                .map(|(name, counts)| (name, *counts))
                .collect();
            let of = |wanted: Option<&String>| {
                let own = all.iter().filter(|(name, _)| wanted.is_none_or(|wanted| *name == wanted));
                let (demanded, met) = own.fold((0, 0), |(demanded, met), (_, (d, m))| (demanded + d, met + m));
                share(met as usize, demanded as usize)
            };
            let names: BTreeSet<&String> = all.iter().map(|(name, _)| *name).collect();
            let mut rows = one(of(None));
            rows.extend(names.into_iter().map(|name| (Some(name.clone()), of(Some(name)))));
            rows
        }
        MetricName::ReplayDeterminismRate => {
            one(share(group.iter().filter(|one| one.replay == ReplayOutcome::Equal).count(), group.len()))
        }
        MetricName::DistinctCompileSuccessRate => {
            let inputs: BTreeSet<String> = facts.iter().map(|one| one.inputs.to_string()).collect();
            let always = |inputs: &&String| {
                facts.iter().filter(|one| one.inputs.to_string() == **inputs).all(|one| one.refusal.is_none())
            };
            one(share(inputs.iter().filter(always).count(), inputs.len()))
        }
        MetricName::IdenticalContextRate => {
            let agrees = |own: &&&Observation| {
                let Some(facts) = &own.facts else { return false };
                let others = group.iter().filter_map(|one| one.facts.as_ref()).filter(|one| one.inputs == facts.inputs);
                let same = |one: &CompileFacts| one.context == facts.context && one.refusal == facts.refusal;
                own.replay == ReplayOutcome::Equal && { others }.all(same)
            };
            one(share(group.iter().filter(agrees).count(), facts.len()))
        }
        MetricName::ReleaseGatePassRate | MetricName::RollbackTime => panic!("not counted from recordings"),
    }
}

type Rows = BTreeMap<(PackRef, Option<String>, Option<String>), Plain>;

fn rows(found: &Statistics, metric: MetricName) -> Rows {
    let report = found.metrics.iter().find(|one| one.definition.metric == metric).unwrap();
    let key = |row: &deed_context::MetricRow| (row.pack_ref.clone(), row.intent.clone(), row.of.clone());
    let rows: Rows = report.rows.iter().map(|row| (key(row), plain(&row.measured))).collect();
    assert_eq!(rows.len(), report.rows.len(), "a row is there twice");
    rows
}

fn expected(evidence: &ArchiveEvidence, metric: MetricName) -> Rows {
    let mut groups: BTreeMap<(PackRef, Option<String>), Vec<&Observation>> = BTreeMap::new();
    for one in &evidence.observations {
        groups.entry((one.pack_ref.clone(), None)).or_default().push(one);
        groups.entry((one.pack_ref.clone(), Some(one.intent.clone()))).or_default().push(one);
    }
    let packs: BTreeSet<PackRef> = evidence.observations.iter().map(|one| one.pack_ref.clone()).collect();
    let mut rows = Rows::new();
    match metric {
        MetricName::ReleaseGatePassRate => {
            for pack in packs {
                let own: Vec<_> = evidence.gates.iter().filter(|gate| gate.pack_ref == pack).collect();
                let of = |metric: Option<Metric>| {
                    let own = own.iter().filter(|gate| metric.is_none_or(|metric| gate.metric == metric));
                    let judged = own.clone().filter(|gate| gate.verdict != GateVerdict::NotJudged).count();
                    share(own.filter(|gate| gate.verdict == GateVerdict::Passed).count(), judged)
                };
                rows.insert((pack.clone(), None, None), of(None));
                for gate in &own {
                    rows.insert((pack.clone(), None, Some(gate.metric.to_string())), of(Some(gate.metric)));
                }
            }
        }
        MetricName::RollbackTime => {
            let logged = evidence.rollbacks.as_deref().unwrap_or_default();
            for pack in packs.into_iter().chain(logged.iter().map(|one| one.pack_ref.clone())) {
                let own: Vec<_> = logged.iter().filter(|one| one.pack_ref == pack).collect();
                let times = |environment: Option<&str>| {
                    let own = own.iter().filter(|one| environment.is_none_or(|name| one.environment == name));
                    spread(&own.map(|one| one.took_ms).collect::<Vec<_>>())
                };
                rows.insert((pack.clone(), None, None), times(None));
                for one in &own {
                    rows.insert((pack.clone(), None, Some(one.environment.clone())), times(Some(&one.environment)));
                }
            }
        }
        metric => {
            for ((pack, intent), group) in groups {
                for (of, value) in naive(metric, &group) {
                    rows.insert((pack.clone(), intent.clone(), of), value);
                }
            }
        }
    }
    rows
}

#[test]
fn every_metric_is_what_a_naive_computation_gives() {
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let count = random.below(40);
        let evidence = evidence(&mut random, count);
        let found = statistics(&evidence, &[]);
        assert_eq!(found.metrics.len(), 14);
        for report in &found.metrics {
            let metric = report.definition.metric;
            assert_eq!(rows(&found, metric), expected(&evidence, metric), "seed {seed}, {metric:?}");
        }
        let all: u64 = found.packs.iter().map(|pack| pack.recordings).sum();
        assert_eq!(all, count as u64);
    }
}

#[test]
fn the_order_of_recordings_changes_nothing() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut evidence = evidence(&mut random, 30);
        let compared = [(version(0), version(1))];
        let before = statistics(&evidence, &compared);
        evidence.observations.reverse();
        evidence.observations.rotate_left(7);
        evidence.gates.reverse();
        assert_eq!(statistics(&evidence, &compared), before);
    }
}

/// A group of recordings that differ only in what is given.
fn uniform(minor: u64, count: usize, change: impl Fn(usize, &mut CompileFacts)) -> Vec<Observation> {
    let one = |n: usize| {
        let mut facts = CompileFacts {
            controls: BTreeMap::new(),
            pack_hash: Some(hash(0)),
            inputs: hash(n),
            context: Some(hash(n)),
            refusal: None,
            compile_us: Some(100),
            rules: Some(BTreeMap::from([("R".to_owned(), RuleFacts { fired: n.is_multiple_of(2), otherwise: None })])),
            surface: Some(SurfaceFacts { surfaced: 2, declared: 4 }),
            truncated: Some(BTreeSet::new()),
            evidence: Some(BTreeMap::from([("e".to_owned(), (1, 1))])),
        };
        change(n, &mut facts);
        let (pack_ref, intent) = (version(minor), "support.refund".to_owned());
        Observation { pack_ref, intent, replay: ReplayOutcome::Equal, facts: Some(facts) }
    };
    (0..count).map(one).collect()
}

/// The changes that a later version makes, by metric, of all intents.
fn changes(change: impl Fn(usize, &mut CompileFacts)) -> BTreeMap<MetricName, RowChange> {
    let observations = [uniform(0, 40, |_, _| {}), uniform(1, 40, change)].concat();
    let evidence = ArchiveEvidence { observations, gates: Vec::new(), rollbacks: None };
    let found = statistics(&evidence, &newest_versions([&version(0), &version(1)]));
    let [compared] = found.comparisons.as_slice() else { panic!("one pack, two versions") };
    assert_eq!((&compared.before, &compared.after), (&version(0), &version(1)));
    let worse = compared.changes.iter().filter(|one| one.change == RowChange::Regression).count();
    assert_eq!(compared.regressions, worse as u64);
    let all = compared.changes.iter().filter(|one| one.intent.is_none());
    let moved = all.filter(|one| !matches!(one.change, RowChange::Same | RowChange::NotComparable));
    moved.map(|one| (one.metric, one.change)).collect()
}

#[test]
fn what_got_worse_is_marked_by_the_rule_of_its_metric() {
    use MetricName as M;
    use RowChange::{Improvement, Regression, Shift};
    assert_eq!(changes(|_, _| {}), BTreeMap::new());
    let refused = |n: usize, facts: &mut CompileFacts| {
        if n == 0 {
            (facts.refusal, facts.context) = (Some("D1511".to_owned()), None);
        }
    };
    assert_eq!(
        changes(refused),
        [(M::CompileSuccessRate, Regression), (M::DistinctCompileSuccessRate, Regression)].into()
    );
    // A tenth more is not worse, one microsecond more than that is.
    assert_eq!(changes(|_, facts| facts.compile_us = Some(110)), BTreeMap::new());
    assert_eq!(
        changes(|_, facts| facts.compile_us = Some(111)),
        [(M::CompileLatency, Regression), (M::CompileTime, Regression)].into()
    );
    // The median alone is no concern of the latency.
    let half = |n: usize, facts: &mut CompileFacts| facts.compile_us = Some(if n < 36 { 50 } else { 100 });
    assert_eq!(changes(half), [(M::CompileTime, Improvement)].into());
    assert_eq!(
        changes(|_, facts| facts.surface = Some(SurfaceFacts { surfaced: 3, declared: 4 })),
        [(M::ToolSurfaceSize, Regression), (M::ToolSurfaceShare, Regression)].into()
    );
    let fired = |wanted: usize| {
        move |n: usize, facts: &mut CompileFacts| {
            let fired = n < wanted;
            facts.rules = Some(BTreeMap::from([("R".to_owned(), RuleFacts { fired, otherwise: None })]));
        }
    };
    assert_eq!(changes(fired(0)), [(M::PolicyRuleActivationRate, Regression)].into());
    assert_eq!(changes(fired(24)), BTreeMap::new());
    assert_eq!(changes(fired(25)), [(M::PolicyRuleActivationRate, Shift)].into());
    let cut = |n: usize, facts: &mut CompileFacts| {
        facts.truncated = Some((n == 0).then_some(Bucket::Memory).into_iter().collect());
    };
    assert_eq!(changes(cut), [(M::BucketTruncationRate, Regression), (M::BucketTruncationByBucket, Regression)].into());
    assert_eq!(
        changes(|n, facts| facts.evidence = Some(BTreeMap::from([("e".to_owned(), (1, u64::from(n > 0)))]))),
        [(M::RequiredEvidenceResolutionRate, Regression)].into()
    );
    assert_eq!(changes(|n, facts| facts.inputs = hash(n / 2)), [(M::IdenticalContextRate, Regression)].into());
}

#[test]
fn few_samples_are_no_reason_to_call_a_version_slow() {
    let slow = uniform(1, 19, |_, facts| facts.compile_us = Some(10_000));
    let observations = [uniform(0, 40, |_, _| {}), slow].concat();
    let evidence = ArchiveEvidence { observations, ..ArchiveEvidence::default() };
    let found = statistics(&evidence, &[(version(0), version(1))]);
    let latency = |one: &&deed_context::MetricChange| one.metric == MetricName::CompileLatency;
    let judged = found.comparisons[0].changes.iter().find(latency).unwrap();
    assert_eq!((judged.change, judged.why.as_str()), (RowChange::NotComparable, "fewer than 20 samples on one side"));
}

#[test]
fn the_two_newest_versions_are_those_with_the_highest_numbers() {
    let packs: Vec<PackRef> =
        ["a.p@1.9.0", "a.p@1.10.0", "a.p@1.2.0", "b.p@1.0.0"].map(|name| name.parse().unwrap()).into();
    let newest = newest_versions(&packs);
    assert_eq!(newest, [("a.p@1.9.0".parse().unwrap(), "a.p@1.10.0".parse().unwrap())]);
}

/// The worked example under a version, with another amount and message.
fn asked(version: &str, n: usize, amount: usize, intent: &str) -> ReplayBundle {
    let pack = edited(&support_pack(&[]), |pack| pack["pack_meta"]["pack_version"] = json!(version));
    let mut recording = worked(pack);
    recording.request["request_id"] = json!(format!("req_{n}"));
    recording.request["context_pack_refs"] = json!([format!("ctxpack.support@{version}")]);
    recording.request["input"]["intent"] = json!(intent);
    recording.request["input"]["context"]["refund_amount"] = json!(amount);
    if recording.run.get("context_pack_refs").is_some() {
        recording.run["context_pack_refs"] = json!([format!("ctxpack.support@{version}")]);
    }
    recorded(recording)
}

fn observed(bundle: &ReplayBundle, cache: &Hydrations) -> Observation {
    observe(bundle, cache).unwrap_or_else(|report| panic!("{report:?}")).observation
}

fn rate(found: &Statistics, metric: MetricName, of: Option<&str>) -> Plain {
    rows(found, metric)[&("ctxpack.support@1.0.0".parse().unwrap(), None, of.map(str::to_owned))].clone()
}

#[test]
fn the_facts_are_what_a_recording_states() {
    let cache = Hydrations::new();
    let mut bundles: Vec<ReplayBundle> =
        (0..10).map(|n| asked("1.0.0", n, if n < 4 { 4200 } else { 100 }, "support.refund")).collect();
    bundles.push(asked("1.0.0", 10, 100, "support.repair"));
    for (n, bundle) in bundles.iter_mut().enumerate() {
        // Beside the seal: a measured time is no change of the recording.
        bundle.measured = Some(CompileMeasurement { compile_us: n as u64 });
    }
    let mut tampered = bundles[0].clone();
    tampered.inputs.request["input"]["message"] = json!("something else");
    bundles.push(tampered);
    let observations = bundles.iter().map(|bundle| observed(bundle, &cache)).collect();
    let found = statistics(&ArchiveEvidence { observations, ..ArchiveEvidence::default() }, &[]);
    let pack = &found.packs[0];
    assert_eq!((pack.recordings, pack.tampered, pack.contents), (12, 1, 1));
    assert_eq!(pack.intents, ["support.refund", "support.repair"]);
    assert_eq!(rate(&found, MetricName::CompileSuccessRate, None), "10/11");
    assert_eq!(rate(&found, MetricName::ReplayDeterminismRate, None), "11/12");
    assert_eq!(rate(&found, MetricName::IdenticalContextRate, None), "11/11");
    assert_eq!(rate(&found, MetricName::CompileLatency, None), "10+0 sum 45: 4 9 9 9");
    assert_eq!(rate(&found, MetricName::ToolSurfaceSize, None), "10+0 sum 30: 3 3 3 3");
    assert_eq!(rate(&found, MetricName::PolicyRuleActivationRate, Some("R_HIGH_VALUE_REQUIRES_APPROVAL")), "4/10");
    assert_eq!(rate(&found, MetricName::PolicyRuleActivationRate, Some("R_REFUND_REQUIRES_IDV")), "10/10");
    assert_eq!(rate(&found, MetricName::PolicyRuleActivationRate, Some("R_REFUND_REQUIRES_IDV else")), "0/10");
    assert_eq!(rate(&found, MetricName::BucketTruncationRate, None), "0/10");
    assert_eq!(rate(&found, MetricName::RollbackTime, None), "?");
    assert_eq!(rate(&found, MetricName::ReleaseGatePassRate, None), "?");
}

#[test]
fn a_recording_that_cannot_be_read_is_an_error() {
    let cache = Hydrations::new();
    let bundle = asked("1.0.0", 0, 100, "support.refund");
    let refused = |change: &dyn Fn(&mut ReplayBundle)| {
        let mut bundle = bundle.clone();
        change(&mut bundle);
        observe(&bundle, &cache).unwrap_err().diagnostics()[0].code.to_string()
    };
    assert_eq!(refused(&|bundle| bundle.format = "deed/replay-bundle/v9".to_owned()), "D1526");
    assert_eq!(refused(&|bundle| bundle.packet.pack_ref = "nothing".to_owned()), "D2603");
    // A stage in another form, under a seal of its own, as another version would write it.
    let mut other = bundle.clone();
    let policy = other.expected.stages.iter_mut().find(|stage| stage.stage == deed_model::Stage::Policy).unwrap();
    policy.decided = Value::Array(Vec::new());
    let report = observe(&other, &cache).unwrap();
    assert_eq!(report.observation.replay, ReplayOutcome::Tampered);
    assert!(report.observation.facts.is_none());
}

/// One thousand recordings of two versions, made from a few compiles.
#[test]
fn an_archive_of_a_thousand_recordings() {
    let cache = Hydrations::new();
    let made: Vec<Observation> = (0..8_usize)
        .map(|n| {
            let (version, amount) = if n.is_multiple_of(2) { ("1.0.0", 100) } else { ("1.1.0", 4200) };
            let intent = if n == 6 { "support.repair" } else { "support.refund" };
            observed(&asked(version, n, amount * (1 + n / 4), intent), &cache)
        })
        .collect();
    let observations: Vec<Observation> = (0..1000)
        .map(|n| {
            let mut one = made[n % made.len()].clone();
            one.facts.as_mut().unwrap().compile_us = (n % 10 > 0).then_some((n % 97) as u64);
            one
        })
        .collect();
    let evidence = ArchiveEvidence { observations, ..ArchiveEvidence::default() };
    let found = statistics(&evidence, &newest_versions(evidence.observations.iter().map(|one| &one.pack_ref)));
    assert_eq!(found.packs.iter().map(|pack| pack.recordings).collect::<Vec<_>>(), [500, 500]);
    for report in &found.metrics {
        let metric = report.definition.metric;
        assert_eq!(rows(&found, metric), expected(&evidence, metric), "{metric:?}");
    }
    assert_eq!(rate(&found, MetricName::CompileSuccessRate, None), "375/500");
    assert_eq!(rate(&found, MetricName::DistinctCompileSuccessRate, None), "3/4");
    let better =
        |one: &&deed_context::MetricChange| one.metric == MetricName::CompileSuccessRate && one.intent.is_none();
    assert_eq!(found.comparisons[0].changes.iter().find(better).unwrap().change, RowChange::Improvement);
}

#[test]
fn a_control_that_acted_and_is_gone_is_a_regression() {
    let gate = |name: &str, active: bool| ((PackControlKind::ApprovalGate, name.to_owned()), active);
    let with = |minor: u64, controls: &[(&str, bool)]| {
        uniform(minor, 4, |n, facts| {
            facts.controls = controls.iter().map(|(name, active)| gate(name, *active && n < 3)).collect();
        })
    };
    let removed = |after: Vec<Observation>| {
        let observations = with(0, &[("G_ACTS", true), ("G_IDLE", false), ("G_KEPT", true)]).into_iter().chain(after);
        let evidence = ArchiveEvidence { observations: observations.collect(), gates: Vec::new(), rollbacks: None };
        let found = statistics(&evidence, &[(version(0), version(1))]);
        let comparison = &found.comparisons[0];
        assert_eq!(comparison.regressions, comparison.removed.len() as u64);
        comparison.removed.iter().map(|one| (one.name.clone(), one.active, one.of)).collect::<Vec<_>>()
    };
    // One that never acted is no loss that the archive shows; one that is there and idle is not gone.
    assert_eq!(removed(with(1, &[("G_KEPT", false)])), [("G_ACTS".to_owned(), 3, 4)]);
    assert!(removed(with(1, &[("G_ACTS", true), ("G_KEPT", true)])).is_empty());
    // A version without recordings says nothing.
    assert!(removed(Vec::new()).is_empty());
}
