//! Monitoring, errors, flags and analytics.

use crate::secrets::rule::Rule;
use crate::shape::Charset::*;
use crate::shape::Part::*;

/// The rules of this field.
pub(super) const RULES: &[Rule] = &[
    Rule::assigned("datadog-api-key", "Datadog API key", r"datadog|\bdd_", r"[a-f0-9]{32}")
        .keywords(&["datadog", "dd_"])
        .around("DATADOG_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::assigned("datadog-app-key", "Datadog application key", r"datadog|\bdd_", r"[a-zA-Z0-9]{40}")
        .keywords(&["datadog", "dd_"])
        .entropy(3.0)
        .around("DATADOG_APP_KEY=", "\n")
        .shape(&[Exactly(Hex, 40)]),
    Rule::token("new-relic-user-key", "New Relic user API key", r"NRAK-[A-Z0-9]{27}")
        .keywords(&["NRAK-"])
        .entropy(3.0)
        .shape(&[Text("NRAK-"), Exactly(UpperAlnum, 27)]),
    Rule::token("new-relic-ingest-key", "New Relic insights insert key", r"NRII-[A-Za-z0-9_\-]{32}")
        .keywords(&["NRII-"])
        .entropy(3.0)
        .shape(&[Text("NRII-"), Exactly(UrlSafe, 32)]),
    Rule::token("new-relic-browser-key", "New Relic browser key", r"NRJS-[a-f0-9]{19}")
        .keywords(&["NRJS-"])
        .shape(&[Text("NRJS-"), Exactly(Hex, 19)]),
    Rule::token("new-relic-license-key", "New Relic licence key", r"[a-f0-9]{36}NRAL|[a-f0-9]{32}FFFFNRAL")
        .keywords(&["NRAL"])
        .shape(&[Exactly(Hex, 32), Text("FFFFNRAL")]),
    Rule::assigned("new-relic-user-id", "New Relic user API id", "new[_-]?relic", r"[A-Za-z0-9]{64}")
        .keywords(&["newrelic", "new_relic", "new-relic"])
        .entropy(3.5)
        .around("NEW_RELIC_API_KEY_REF=", "\n")
        .shape(&[Exactly(Alnum, 64)]),
    Rule::token("grafana-legacy-key", "Grafana legacy API key", r"eyJrIjoi[A-Za-z0-9+/]{60,400}={0,2}")
        .keywords(&["eyJrIjoi"])
        .entropy(3.0)
        .shape(&[Text("eyJrIjoi"), AtLeast(Alnum, 60)]),
    Rule::token("grafana-cloud-token", "Grafana Cloud access policy token", r"glc_[A-Za-z0-9+/]{32,400}={0,2}")
        .keywords(&["glc_"])
        .entropy(3.0)
        .shape(&[Text("glc_"), AtLeast(Alnum, 32)]),
    Rule::token("grafana-service-token", "Grafana service account token", r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}")
        .keywords(&["glsa_"])
        .entropy(3.0)
        .shape(&[Text("glsa_"), Exactly(Alnum, 32), Text("_"), Exactly(Hex, 8)]),
    Rule::token("sentry-organisation-token", "Sentry organisation token", r"sntrys_eyJ[A-Za-z0-9+/=_]{80,}")
        .keywords(&["sntrys_"])
        .entropy(3.5)
        .shape(&[Text("sntrys_eyJ"), AtLeast(Alnum, 80)]),
    Rule::token("sentry-user-key", "Sentry user token", r"sntryu_[a-f0-9]{64}")
        .keywords(&["sntryu_"])
        .shape(&[Text("sntryu_"), Exactly(Hex, 64)]),
    Rule::assigned("sentry-legacy-token", "Sentry legacy auth token", "sentry", r"[a-f0-9]{64}")
        .keywords(&["sentry"])
        .around("SENTRY_AUTH_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 64)]),
    Rule::token("dynatrace-token", "Dynatrace API token", r"dt0[a-zA-Z][0-9]{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}")
        .keywords(&["dt0"])
        .entropy(3.5)
        .shape(&[Text("dt0c01."), Exactly(UpperAlnum, 24), Text("."), Exactly(UpperAlnum, 64)]),
    Rule::assigned("sumologic-id", "Sumo Logic access id", "sumo", r"su[A-Za-z0-9]{12}")
        .keywords(&["sumo"])
        .entropy(2.5)
        .around("SUMOLOGIC_ACCESS_KEY=", "\n")
        .shape(&[Text("su"), Exactly(Alnum, 12)]),
    Rule::assigned("sumologic-key", "Sumo Logic access key", "sumo", r"[A-Za-z0-9]{64}")
        .keywords(&["sumo"])
        .entropy(3.5)
        .around("SUMOLOGIC_ACCESS_KEY=", "\n")
        .shape(&[Exactly(Alnum, 64)]),
    Rule::token("honeycomb-key", "Honeycomb ingest key", r"hc[abcdefghijklmnopqrstuvwxyz](?:ik|mk)_[a-z0-9]{58}")
        .keywords(&["ik_", "mk_"])
        .entropy(3.5)
        .shape(&[Text("hcaik_"), Exactly(LowerAlnum, 58)]),
    Rule::assigned(
        "pagerduty-key",
        "PagerDuty API key",
        r"pagerduty|pager_duty|\bpd_",
        r"[A-Za-z0-9_+\-]{20}|[a-f0-9]{32}",
    )
    .keywords(&["pagerduty", "pager_duty", "pd_"])
    .entropy(3.0)
    .around("PAGERDUTY_TOKEN=", "\n")
    .shape(&[Exactly(Alnum, 20)]),
    Rule::assigned("opsgenie-key", "Opsgenie API key", "opsgenie", r"<UUID>")
        .keywords(&["opsgenie"])
        .around("OPSGENIE_API_KEY=", "\n")
        .shape(&[Uuid]),
    Rule::assigned("rollbar-token", "Rollbar access token", "rollbar", r"[a-f0-9]{32}")
        .keywords(&["rollbar"])
        .around("ROLLBAR_ACCESS_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::assigned("bugsnag-key", "Bugsnag API key", "bugsnag", r"[a-f0-9]{32}")
        .keywords(&["bugsnag"])
        .around("BUGSNAG_API_KEY=", "\n")
        .shape(&[Exactly(Hex, 32)]),
    Rule::assigned("splunk-collector-token", "Splunk HTTP event collector token", "splunk|hec_", r"<UUID>")
        .keywords(&["splunk", "hec_"])
        .around("SPLUNK_HEC_TOKEN=", "\n")
        .shape(&[Uuid]),
    Rule::token("launchdarkly-key", "LaunchDarkly SDK or API key", r"(?:sdk|api|mob)-<UUID>")
        .keywords(&["sdk-", "api-", "mob-"])
        .entropy(3.0)
        .shape(&[Text("sdk-"), Uuid]),
    Rule::assigned(
        "launchdarkly-legacy-token",
        "LaunchDarkly access token",
        "launch[_-]?darkly",
        r"[A-Za-z0-9_\-]{40}",
    )
    .keywords(&["launchdarkly", "launch_darkly", "launch-darkly"])
    .entropy(3.0)
    .around("LAUNCHDARKLY_ACCESS_TOKEN=", "\n")
    .shape(&[Exactly(Alnum, 40)]),
    Rule::token("posthog-personal-key", "PostHog personal API key", r"phx_[A-Za-z0-9]{43,50}")
        .keywords(&["phx_"])
        .entropy(3.5)
        .shape(&[Text("phx_"), AtLeast(Alnum, 43)]),
    Rule::token("axiom-token", "Axiom API token", r"xa[ai][tp]-<UUID>")
        .keywords(&["xaat-", "xapt-", "xait-", "xaip-", "xaap-"])
        .entropy(3.0)
        .shape(&[Text("xaat-"), Uuid]),
    Rule::assigned("snyk-token", "Snyk API token", "snyk", r"<UUID>")
        .keywords(&["snyk"])
        .around("SNYK_TOKEN=", "\n")
        .shape(&[Uuid]),
    Rule::token("sonar-token", "SonarQube or SonarCloud token", r"sq[aup]_[a-z0-9]{40}")
        .keywords(&["squ_", "sqp_", "sqa_"])
        .entropy(3.0)
        .shape(&[Text("squ_"), Exactly(Hex, 40)]),
    Rule::assigned("sonar-legacy-token", "SonarQube legacy token", "sonar", r"[a-f0-9]{40}")
        .keywords(&["sonar"])
        .around("SONAR_TOKEN=", "\n")
        .shape(&[Exactly(Hex, 40)]),
    Rule::assigned("logzio-token", "Logz.io shipping token", r"logz", r"[A-Za-z]{32}")
        .keywords(&["logz"])
        .entropy(3.5)
        .around("LOGZIO_TOKEN=", "\n")
        .shape(&[Exactly(Letter, 32)]),
];
