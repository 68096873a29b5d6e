//! Power only shrinks, whatever the limits say.

use deed_model::{EgressRule, EgressScheme, PowerLimits, ProfilePower};
use deed_profile::{NarrowingLevel, narrow};
use deed_reach::{Host, NormalPath, Rules, Target};
use proptest::prelude::*;

prop_compose! {
    fn rule()(
        host in prop::sample::select(vec!["a.test", "b.a.test", "c.test", "10.0.0.1"]),
        subdomains in any::<bool>(),
        port in prop::option::of(prop::sample::select(vec![443_u16, 8443])),
        paths in prop::collection::vec(prop::sample::select(vec!["/v1", "/v1/*", "/v1/x", "/*"]), 0..3),
        methods in prop::collection::vec(prop::sample::select(vec!["GET", "HEAD", "POST"]), 0..3),
        price in prop::option::of(0..2_u64),
    ) -> EgressRule {
        EgressRule {
            scheme: EgressScheme::Https,
            endpoint: None,
            base_path: None,
            host: host.to_owned(),
            subdomains: subdomains && !host.starts_with('1'),
            port,
            paths: paths.into_iter().map(str::to_owned).collect(),
            methods: methods.into_iter().map(str::to_owned).collect(),
            private_addresses: false,
            credential: None,
            repeat: Default::default(),
            price_micros: price,
            headers: Vec::new(),
        }
    }
}

fn skills() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "d"]).prop_map(str::to_owned), 0..4)
}

prop_compose! {
    fn limits()(
        egress in prop::option::of(prop::collection::vec(rule(), 0..4)),
        allowed_skills in prop::option::of(skills()),
        denied_skills in skills(),
        amounts in prop::array::uniform4(prop::option::of(0..5_u64)),
    ) -> PowerLimits {
        let [max_steps, money_micros, model_tokens, tool_calls] = amounts;
        PowerLimits { egress, allowed_skills, denied_skills, max_steps, money_micros, model_tokens, tool_calls }
    }
}

prop_compose! {
    fn power()(
        egress in prop::collection::vec(rule(), 0..4),
        allowed in prop::option::of(skills()),
        denied in skills(),
        amounts in prop::array::uniform4(prop::option::of(0..5_u64)),
    ) -> ProfilePower {
        let [max_steps, money_micros, model_tokens, tool_calls] = amounts;
        ProfilePower {
            egress,
            allowed_skills: allowed.map(|skills| skills.into_iter().collect()),
            denied_skills: denied.into_iter().collect(),
            max_steps, money_micros, model_tokens, tool_calls,
        }
    }
}

/// Asks the runtime's own rules about every request of a small world.
fn allowed(rules: &[EgressRule]) -> Vec<bool> {
    let rules = Rules::read(rules.to_vec()).unwrap();
    let mut answers = Vec::new();
    for host in ["a.test", "b.a.test", "x.b.a.test", "c.test", "d.c.test", "10.0.0.1", "other.test"] {
        for port in [443, 8443] {
            for path in ["/", "/v1", "/v1/", "/v1/x", "/v1/x/y", "/v2"] {
                for method in ["GET", "HEAD", "POST", "PUT"] {
                    let (host, path) = (Host::read(host).unwrap(), NormalPath::read(path).unwrap());
                    let target = Target { scheme: EgressScheme::Https, host: &host, port, method, path: &path };
                    answers.push(rules.decide(&target).rule.is_some());
                }
            }
        }
    }
    answers
}

/// Asserts that `small` allows nothing that `wide` denies.
fn within(small: &[bool], wide: &[bool]) -> bool {
    small.iter().zip(wide).all(|(small, wide)| !small || *wide)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn power_only_shrinks(power in power(), levels in prop::collection::vec(limits(), 1..4)) {
        let mut current = power;
        for limits in &levels {
            let narrowed = narrow(&current, limits, NarrowingLevel::Workspace);
            let next = narrowed.power;
            prop_assert!(within(&allowed(&next.egress), &allowed(&current.egress)));
            if let Some(rules) = &limits.egress {
                prop_assert!(within(&allowed(&next.egress), &allowed(rules)));
            }
            for skill in ["a", "b", "c", "d", "e"] {
                let listed = limits.allowed_skills.as_ref().is_none_or(|list| list.iter().any(|own| own == skill));
                let denied = limits.denied_skills.iter().any(|own| own == skill);
                prop_assert_eq!(next.allows_skill(skill), current.allows_skill(skill) && listed && !denied);
            }
            for (after, before, limit) in [
                (next.max_steps, current.max_steps, limits.max_steps),
                (next.money_micros, current.money_micros, limits.money_micros),
                (next.model_tokens, current.model_tokens, limits.model_tokens),
                (next.tool_calls, current.tool_calls, limits.tool_calls),
            ] {
                let most = |amount: Option<u64>| amount.unwrap_or(u64::MAX);
                prop_assert_eq!(most(after), most(before).min(most(limit)));
            }
            prop_assert_eq!(narrowed.smaller.is_empty(), next == current);
            current = next;
        }
    }

    #[test]
    fn limits_of_the_power_itself_change_nothing(power in power()) {
        let limits = PowerLimits { egress: Some(power.egress.clone()), ..PowerLimits::default() };
        let narrowed = narrow(&power, &limits, NarrowingLevel::Step);
        prop_assert_eq!(allowed(&narrowed.power.egress), allowed(&power.egress));
        prop_assert!(narrowed.findings.is_empty());
    }
}

#[test]
fn a_limit_that_grants_is_reported() {
    let rule = |host: &str| -> EgressRule { serde_json::from_value(serde_json::json!({ "host": host })).unwrap() };
    let power = ProfilePower { egress: vec![rule("a.test")], tool_calls: Some(3), ..ProfilePower::default() };
    let limits = PowerLimits {
        egress: Some(vec![rule("a.test"), rule("b.test")]),
        tool_calls: Some(5),
        ..PowerLimits::default()
    };
    let narrowed = narrow(&power, &limits, NarrowingLevel::Workspace);
    assert_eq!(narrowed.power, power);
    let messages: Vec<&str> = narrowed.findings.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        messages,
        ["the egress rule for `b.test` allows more than the profile", "`tool_calls` 5 is more than the 3 that remain"]
    );
}
