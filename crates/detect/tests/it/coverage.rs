//! Our rule data beside a public rule set: which of its families have a counterpart here.

use std::collections::{BTreeMap, BTreeSet};

use deed_detect::{SecretScanner, rules};
use proptest::strategy::{Strategy, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;

/// A rule of the public set and the rule of ours that finds the same keys.
const COUNTERPARTS: &[(&str, &str)] = &[
    ("1password-secret-key", "onepassword-secret-key"),
    ("1password-service-account-token", "onepassword-service-token"),
    ("adafruit-api-key", "adafruit-legacy-key"),
    ("adobe-client-id", "adobe-client"),
    ("adobe-client-secret", "adobe-secret"),
    ("age-secret-key", "age-identity"),
    ("airtable-api-key", "airtable-legacy-key"),
    ("airtable-personnal-access-token", "airtable-token"),
    ("algolia-api-key", "algolia-key"),
    ("alibaba-access-key-id", "alibaba-cloud-key-id"),
    ("alibaba-secret-key", "alibaba-cloud-secret"),
    ("anthropic-admin-api-key", "anthropic-admin-key"),
    ("anthropic-api-key", "anthropic-key"),
    ("artifactory-api-key", "artifactory-key"),
    ("artifactory-reference-token", "artifactory-reference"),
    ("asana-client-id", "asana-client"),
    ("asana-client-secret", "asana-secret"),
    ("atlassian-api-token", "atlassian-token"),
    ("authress-service-client-access-key", "authress-key"),
    ("aws-access-token", "aws-access-key-id"),
    ("aws-amazon-bedrock-api-key-long-lived", "aws-bedrock-api-key"),
    ("aws-amazon-bedrock-api-key-short-lived", "aws-bedrock-session-key"),
    ("azure-ad-client-secret", "azure-client-secret"),
    ("beamer-api-token", "beamer-token"),
    ("bitbucket-client-id", "bitbucket-oauth-key"),
    ("bitbucket-client-secret", "bitbucket-oauth-secret"),
    ("bittrex-access-key", "bittrex-key"),
    ("bittrex-secret-key", "bittrex-key"),
    ("cisco-meraki-api-key", "meraki-key"),
    ("clickhouse-cloud-api-secret-key", "clickhouse-cloud-secret"),
    ("clojars-api-token", "clojars-token"),
    ("cloudflare-api-key", "cloudflare-token"),
    ("cloudflare-global-api-key", "cloudflare-account-key"),
    ("cloudflare-origin-ca-key", "cloudflare-origin-key"),
    ("codecov-access-token", "codecov-token"),
    ("cohere-api-token", "cohere-key"),
    ("coinbase-access-token", "coinbase-key"),
    ("confluent-access-token", "confluent-key"),
    ("confluent-secret-key", "confluent-secret"),
    ("contentful-delivery-api-token", "contentful-delivery-token"),
    ("curl-auth-header", "authorization-bearer"),
    ("curl-auth-user", "curl-user"),
    ("databricks-api-token", "databricks-token"),
    ("datadog-access-token", "datadog-app-key"),
    ("defined-networking-api-token", "defined-networking-key"),
    ("digitalocean-access-token", "digitalocean-oauth-token"),
    ("digitalocean-pat", "digitalocean-token"),
    ("digitalocean-refresh-token", "digitalocean-oauth-refresh"),
    ("discord-api-token", "discord-key"),
    ("discord-client-secret", "discord-secret"),
    ("doppler-api-token", "doppler-token"),
    ("droneci-access-token", "drone-token"),
    ("dropbox-api-token", "dropbox-app-secret"),
    ("dropbox-long-lived-api-token", "dropbox-long-token"),
    ("dropbox-short-lived-api-token", "dropbox-short-token"),
    ("duffel-api-token", "duffel-token"),
    ("dynatrace-api-token", "dynatrace-token"),
    ("easypost-api-token", "easypost-key"),
    ("easypost-test-api-token", "easypost-key"),
    ("etsy-access-token", "etsy-key"),
    ("facebook-access-token", "facebook-app-token"),
    ("facebook-page-access-token", "facebook-user-token"),
    ("facebook-secret", "facebook-app-secret"),
    ("fastly-api-token", "fastly-token"),
    ("finicity-api-token", "finicity-token"),
    ("finicity-client-secret", "finicity-secret"),
    ("finnhub-access-token", "finnhub-key"),
    ("flickr-access-token", "flickr-key"),
    ("flutterwave-encryption-key", "flutterwave-encryption"),
    ("flutterwave-public-key", "flutterwave-public"),
    ("flutterwave-secret-key", "flutterwave-secret"),
    ("flyio-access-token", "fly-token"),
    ("frameio-api-token", "frameio-token"),
    ("freemius-secret-key", "freemius-secret"),
    ("freshbooks-access-token", "freshbooks-token"),
    ("gcp-api-key", "google-api-key"),
    ("generic-api-key", "generic-secret"),
    ("github-app-token", "github-installation-token"),
    ("github-fine-grained-pat", "github-fine-grained-token"),
    ("github-oauth", "github-oauth-token"),
    ("github-pat", "github-classic-token"),
    ("github-refresh-token", "github-app-refresh-token"),
    ("gitlab-cicd-job-token", "gitlab-job-token"),
    ("gitlab-deploy-token", "gitlab-deployment-token"),
    ("gitlab-feature-flag-client-token", "gitlab-feature-flag-token"),
    ("gitlab-feed-token", "gitlab-feed-key"),
    ("gitlab-incoming-mail-token", "gitlab-mail-token"),
    ("gitlab-kubernetes-agent-token", "gitlab-agent-token"),
    ("gitlab-oauth-app-secret", "gitlab-oauth-secret"),
    ("gitlab-pat", "gitlab-personal-token"),
    ("gitlab-pat-routable", "gitlab-personal-token"),
    ("gitlab-ptt", "gitlab-trigger-token"),
    ("gitlab-rrt", "gitlab-runner-registration"),
    ("gitlab-runner-authentication-token", "gitlab-runner-token"),
    ("gitlab-runner-authentication-token-routable", "gitlab-runner-token"),
    ("gitlab-scim-token", "gitlab-scim-key"),
    ("gitlab-session-cookie", "gitlab-session"),
    ("gitter-access-token", "gitter-token"),
    ("gocardless-api-token", "gocardless-token"),
    ("grafana-api-key", "grafana-legacy-key"),
    ("grafana-cloud-api-token", "grafana-cloud-token"),
    ("grafana-service-account-token", "grafana-service-token"),
    ("harness-api-key", "harness-key"),
    ("hashicorp-tf-api-token", "terraform-token"),
    ("hashicorp-tf-password", "terraform-password"),
    ("heroku-api-key", "heroku-key"),
    ("heroku-api-key-v2", "heroku-platform-key"),
    ("hubspot-api-key", "hubspot-legacy-key"),
    ("huggingface-access-token", "huggingface-token"),
    ("huggingface-organization-api-token", "huggingface-organization-token"),
    ("infracost-api-token", "infracost-key"),
    ("intercom-api-key", "intercom-token"),
    ("intra42-client-secret", "intra42-secret"),
    ("jfrog-api-key", "jfrog-token"),
    ("jfrog-identity-token", "jfrog-token"),
    ("jwt", "json-web-token"),
    ("jwt-base64", "json-web-token-base64"),
    ("kraken-access-token", "kraken-key"),
    ("kubernetes-secret-yaml", "kubernetes-secret"),
    ("kucoin-access-token", "kucoin-key"),
    ("kucoin-secret-key", "kucoin-secret"),
    ("launchdarkly-access-token", "launchdarkly-legacy-token"),
    ("linear-api-key", "linear-key"),
    ("linear-client-secret", "linear-secret"),
    ("linkedin-client-id", "linkedin-client"),
    ("linkedin-client-secret", "linkedin-secret"),
    ("lob-api-key", "lob-key"),
    ("lob-pub-api-key", "lob-publishable-key"),
    ("looker-client-id", "looker-client"),
    ("looker-client-secret", "looker-secret"),
    ("mailchimp-api-key", "mailchimp-key"),
    ("mailgun-private-api-token", "mailgun-key"),
    ("mailgun-pub-key", "mailgun-validation-key"),
    ("mailgun-signing-key", "mailgun-domain-key"),
    ("mapbox-api-token", "mapbox-token"),
    ("mattermost-access-token", "mattermost-token"),
    ("maxmind-license-key", "maxmind-key"),
    ("messagebird-api-token", "messagebird-key"),
    ("messagebird-client-id", "messagebird-client"),
    ("microsoft-teams-webhook", "teams-webhook"),
    ("netlify-access-token", "netlify-legacy-token"),
    ("new-relic-browser-api-token", "new-relic-browser-key"),
    ("new-relic-insert-key", "new-relic-ingest-key"),
    ("new-relic-user-api-id", "new-relic-user-id"),
    ("new-relic-user-api-key", "new-relic-user-key"),
    ("notion-api-token", "notion-token"),
    ("npm-access-token", "npm-token"),
    ("nuget-config-password", "nuget-clear-text-password"),
    ("nytimes-access-token", "nytimes-key"),
    ("octopus-deploy-api-key", "octopus-key"),
    ("okta-access-token", "okta-token"),
    ("openai-api-key", "openai-key"),
    ("openshift-user-token", "openshift-token"),
    ("perplexity-api-key", "perplexity-key"),
    ("plaid-api-token", "plaid-access-token"),
    ("plaid-client-id", "plaid-client"),
    ("plaid-secret-key", "plaid-secret"),
    ("planetscale-api-token", "planetscale-service-token"),
    ("planetscale-oauth-token", "planetscale-oauth"),
    ("planetscale-password", "planetscale-branch-password"),
    ("postman-api-token", "postman-key"),
    ("prefect-api-token", "prefect-key"),
    ("private-key", "pem-private-key"),
    ("privateai-api-token", "privateai-key"),
    ("pulumi-api-token", "pulumi-token"),
    ("pypi-upload-token", "pypi-token"),
    ("rapidapi-access-token", "rapidapi-key"),
    ("readme-api-token", "readme-key"),
    ("rubygems-api-token", "rubygems-token"),
    ("scalingo-api-token", "scalingo-token"),
    ("sendbird-access-id", "sendbird-application"),
    ("sendbird-access-token", "sendbird-token"),
    ("sendgrid-api-token", "sendgrid-key"),
    ("sendinblue-api-token", "brevo-key"),
    ("sentry-access-token", "sentry-legacy-token"),
    ("sentry-org-token", "sentry-organisation-token"),
    ("sentry-user-token", "sentry-user-key"),
    ("settlemint-application-access-token", "settlemint-application-token"),
    ("settlemint-personal-access-token", "settlemint-personal-token"),
    ("settlemint-service-access-token", "settlemint-service-token"),
    ("shippo-api-token", "shippo-token"),
    ("shopify-access-token", "shopify-admin-token"),
    ("shopify-custom-access-token", "shopify-custom-app-token"),
    ("shopify-private-app-access-token", "shopify-private-app-token"),
    ("shopify-shared-secret", "shopify-app-secret"),
    ("sidekiq-secret", "sidekiq-credential"),
    ("sidekiq-sensitive-url", "sidekiq-server-url"),
    ("slack-app-token", "slack-app-level-token"),
    ("slack-bot-token", "slack-bot-key"),
    ("slack-config-access-token", "slack-config-token"),
    ("slack-config-refresh-token", "slack-config-token"),
    ("slack-legacy-bot-token", "slack-bot-key"),
    ("slack-legacy-token", "slack-legacy-key"),
    ("slack-legacy-workspace-token", "slack-legacy-key"),
    ("slack-user-token", "slack-user-key"),
    ("slack-webhook-url", "slack-webhook"),
    ("snyk-api-token", "snyk-token"),
    ("sonar-api-token", "sonar-legacy-token"),
    ("sourcegraph-access-token", "sourcegraph-token"),
    ("square-access-token", "square-access-key"),
    ("squarespace-access-token", "squarespace-token"),
    ("stripe-access-token", "stripe-key"),
    ("sumologic-access-id", "sumologic-id"),
    ("sumologic-access-token", "sumologic-key"),
    ("telegram-bot-api-token", "telegram-bot-token"),
    ("travisci-access-token", "travis-token"),
    ("twilio-api-key", "twilio-key"),
    ("twitch-api-token", "twitch-token"),
    ("twitter-access-secret", "twitter-user-secret"),
    ("twitter-access-token", "twitter-user-token"),
    ("twitter-api-key", "twitter-key"),
    ("twitter-api-secret", "twitter-secret"),
    ("twitter-bearer-token", "twitter-bearer"),
    ("typeform-api-token", "typeform-token"),
    ("vault-batch-token", "vault-batch-key"),
    ("vault-service-token", "vault-token"),
    ("yandex-access-token", "yandex-iam-token"),
    ("yandex-api-key", "yandex-cloud-key"),
    ("yandex-aws-access-token", "yandex-storage-secret"),
    ("zendesk-secret-key", "zendesk-token"),
];

/// The id and the pattern of each rule in the public set, read line by line.
fn public_rules() -> Option<BTreeMap<String, Option<String>>> {
    let path = deed_testkit::corpus("secrets/gitleaks.toml")?;
    let text = std::fs::read_to_string(path).expect("the public rule set is text");
    let mut rules = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(id) = line.strip_prefix("id = \"") {
            let id = id.trim_end_matches('"').to_owned();
            rules.insert(id.clone(), None);
            current = Some(id);
        } else if let (Some(rest), Some(id)) = (line.strip_prefix("regex = '''"), &current) {
            rules.insert(id.clone(), Some(rest.trim_end_matches("'''").to_owned()));
        }
    }
    Some(rules)
}

#[test]
fn counterparts_are_rules_of_ours() {
    let ours: BTreeSet<_> = rules().map(|rule| rule.id()).collect();
    for (theirs, id) in COUNTERPARTS {
        assert!(ours.contains(id), "`{id}`, said to match `{theirs}`, is not a rule of ours");
    }
}

#[test]
fn at_least_two_hundred_public_rules_have_a_counterpart() {
    let Some(public) = public_rules() else { return };
    let covered: BTreeSet<_> = COUNTERPARTS.iter().map(|(theirs, _)| *theirs).collect();
    let missing: Vec<_> = public.keys().filter(|id| !covered.contains(id.as_str())).collect();
    println!("{} of {} covered; without: {missing:?}", public.len() - missing.len(), public.len());
    let unknown: Vec<_> = covered.iter().filter(|id| !public.contains_key(**id)).collect();
    assert!(unknown.is_empty(), "no such public rules: {unknown:?}");
    assert!(covered.len() >= 200);
}

/// A public pattern without what a generator cannot make: word boundaries, and the characters
/// that must follow the key. It is read as ASCII and in the case it is written in, which is how
/// keys are issued. Its loose stretch of a name becomes `_api_key`, since our rules ask
/// for a word that makes a vendor's name the name of a credential.
fn generable(pattern: &str) -> String {
    let ascii = pattern
        .replace("(?i)", "")
        .replace("(?i:", "(?:")
        .replace("(?-i:", "(?:")
        .replace(r#"(?:[\x60'"\s;]|\\[nr]|$)"#, "")
        .replace(r#"(?:[ \t\w.-]{0,20})[\s'"]{0,3}"#, "_api_key")
        .replace(r"[\w.-]{0,50}?", "")
        .replace(r#"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}"#, "=")
        .replace(r"\b", "");
    format!("(?-u){ascii}")
}

/// Keys made up from the public patterns, each of which some rule of ours should find.
#[test]
fn keys_of_the_public_forms_are_found() {
    let Some(public) = public_rules() else { return };
    let mut runner = TestRunner::deterministic();
    let (mut found, mut missed, mut left_out) = (0, Vec::new(), Vec::new());
    for (id, pattern) in &public {
        let pattern = pattern.as_deref().map(generable);
        let Some(strategy) = pattern.and_then(|pattern| string_regex(&pattern).ok()) else {
            left_out.push(id);
            continue;
        };
        let keys: Vec<String> = (0..12).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect();
        let seen = |key: &&String| {
            let text = format!("config:\n  {key}\n");
            !SecretScanner::standard().scan(&text).is_empty()
        };
        let hits = keys.iter().filter(seen).count();
        if hits * 2 >= keys.len() {
            found += 1;
        } else {
            missed.push(format!("{id} {hits}/12: {:?}", keys.first()));
        }
    }
    println!("{found} found, {} missed:\n{}", missed.len(), missed.join("\n"));
    println!("left out, no generator: {left_out:?}");
    assert!(found >= 180, "{found} found");
}
