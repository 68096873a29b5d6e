//! Texts as people write them that must, or must not, raise an alarm.

use deed_detect::{Kind, Matcher, PersonalKind, SecretScanner, sample, scan_personal, scan_personal_value};

/// Random-looking material that no issuer's rule knows, so that only generic rules can fire.
fn material(seed: u64) -> String {
    let sample = sample("generic-secret", seed).unwrap();
    let half = sample.text.get(sample.secret).unwrap().to_owned();
    format!("{half}{}", half.chars().rev().collect::<String>())
}

fn ids(text: &str) -> Vec<String> {
    SecretScanner::standard().scan(text).into_iter().map(|f| f.rule_id.into_owned()).collect()
}

/// Each template, filled with a secret, yields one finding of exactly that secret.
#[test]
fn assignments_are_found_however_they_are_written() {
    let secret = material(1);
    for template in [
        "api_key = \"{}\"",
        "api_key: {}",
        "apiKey: '{}',",
        "export API_KEY={}",
        "{\"api_key\":\"{}\"}",
        "{\\\"api_key\\\": \\\"{}\\\"}",
        "let api_key = \"{}\";",
        "\"clientSecret\": \"{}\",",
        "box.secret-key={}",
        "<add key=\"ApiKey\" value=\"{}\" />",
        "- name: API_KEY\n  value: {}",
        "{\"name\": \"API_KEY\", \"value\": \"{}\"}",
        "token => '{}'",
        "X-Api-Key: {}",
        "<secret>{}</secret>",
        "password: \"{}\"",
        "DB_PASSWORD={}",
        "?access_token={}&page=2",
        "authorization: Bearer {}",
        "curl -H 'Authorization: Bearer {}' https://box.internal/",
        "postgres://deed:{}@db.internal/deed",
        "redis://:{}@cache.internal:6379",
    ] {
        let text = template.replace("{}", &secret);
        let start = template.find("{}").unwrap();
        let found = SecretScanner::standard().scan(&text);
        let ranges: Vec<_> = found.iter().map(|f| f.range.clone()).collect();
        assert_eq!(ranges, vec![start..start + secret.len()], "{template}: {found:?}");
    }
}

#[test]
fn keys_make_values_telling() {
    let secret = material(2);
    for key in ["api_token", "clientSecret", "DB_PASSWORD", "headers.x-api-key", "private_key"] {
        let found = SecretScanner::standard().scan_value(Some(key), &secret);
        assert_eq!(found.len(), 1, "{key}");
        assert_eq!(found.first().map(|f| f.range.clone()), Some(0..secret.len()), "{key}");
    }
    for key in ["title", "token_type", "public_key", "next_page_token", "secret_ref", "password_hash_id"] {
        let found = SecretScanner::standard().scan_value(Some(key), &secret);
        assert!(found.is_empty(), "{key}: {found:?}");
    }
}

#[test]
fn what_is_no_secret_raises_no_alarm() {
    let hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    let (git, md5) = (&hex[..40], &hex[..32]);
    for text in [
        format!("token: sha256:{hex}"),
        format!("secret_digest: sha256:{hex}"),
        format!("api_key: \"sha256:{hex}\""),
        format!("token: {git}"),
        format!("commit: {git}"),
        format!("content_hash: {hex}"),
        format!("etag: {md5}"),
        "token: 0b9d1c52-7f7e-4a0e-8f59-3f9a1a5f1b11".to_owned(),
        "secret: 0b9d1c52-7f7e-4a0e-8f59-3f9a1a5f1b11".to_owned(),
        "password: ${DB_PASSWORD}".to_owned(),
        "password: {{ vault.db_password }}".to_owned(),
        "password: $(cat /run/secrets/db)".to_owned(),
        "password: <your password>".to_owned(),
        "password: changeme".to_owned(),
        "password: \"********\"".to_owned(),
        "password: string".to_owned(),
        "api_key: your-api-key-goes-here-1".to_owned(),
        "api_key: vault://kv/prod/stripe#key1".to_owned(),
        "api_key: internal://registry/stripe-v2".to_owned(),
        "api_key: env:STRIPE_API_KEY_2".to_owned(),
        "token = request.headers.get_token_v2()".to_owned(),
        "let token = tokenizer.next_token_2(input);".to_owned(),
        "api_key: process.env.STRIPE_KEY_2".to_owned(),
        "secret_name: prod/payments/stripe-2026".to_owned(),
        "max_tokens: 8192".to_owned(),
        "pub const CHANGE_PASSWORD: MSV1_0_PROTOCOL_MESSAGE_TYPE = 7;".to_owned(),
        format!("let token = {}(input);", material(4)),
        "self.colon2_token == other.colon2_token".to_owned(),
        "version_token: lAITJ6l8I8tFu62mCf2W4sxJQxN9FOaH5zwfsdPf7Dm6o".to_owned(),
        "token_url: https://auth.acme.io/oauth2/token".to_owned(),
        "secret: https://auth.acme.io/oauth2/token".to_owned(),
        "public_key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEkq2LzX81q7zd0pp3vQmH".to_owned(),
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", material(3).repeat(2)),
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDkq2LzX81q7zd0pp3vQmH deed".to_owned(),
        "https://acme.io/path:8080/@scope".to_owned(),
        "https://user:password@host.io".to_owned(),
        "https://user:${PASSWORD}@host.io".to_owned(),
        "Authorization: Bearer <token>".to_owned(),
        "Authorization: Bearer ${ACCESS_TOKEN}".to_owned(),
        "the bearer must present authentication-material".to_owned(),
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        "AKIAABABABABABABABAB".to_owned(),
        format!("ghp_{}", "a1".repeat(18)),
        format!("token: {}", "a1".repeat(8)),
        format!("api_key: {}", "ab12".repeat(4)),
        "ctxpack.support@1.0.0".to_owned(),
    ] {
        assert_eq!(ids(&text), [""; 0], "{text}");
    }
}

#[test]
fn a_kind_asked_for_twice_answers_once() {
    let found = scan_personal("to jane@acme.io", &[PersonalKind::Email, PersonalKind::Email]);
    assert_eq!(found.iter().map(|f| f.range.clone()).collect::<Vec<_>>(), vec![3..15]);
}

#[test]
fn detectors_answer_to_their_names() {
    let key = sample("stripe-key", 1).unwrap().text;
    let found = Matcher::named("api_key").unwrap().scan(&key);
    let shown: Vec<_> = found.iter().map(|f| (f.rule_id.as_ref(), f.kind, f.range.clone())).collect();
    assert_eq!(shown, [("api_key", Kind::Secret, 0..key.len())]);
    assert!(Matcher::named("passport").is_none());
}

#[test]
fn a_key_makes_bare_digits_a_telephone_number() {
    let kinds = [PersonalKind::Phone];
    assert_eq!(scan_personal_value(Some("count"), "9876543210", &kinds), []);
    let found = scan_personal_value(Some("mobile"), "9876543210", &kinds);
    assert_eq!(found.first().map(|f| f.range.clone()), Some(0..10));
}
