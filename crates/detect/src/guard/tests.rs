//! The guard finds what the detectors find by themselves, and its "no" to a document is certain.

use std::fmt::Write as _;

use super::*;
use crate::sample::sample;
use crate::secrets::rules;
use crate::shape::{Charset, Dice};

/// The findings of the detectors without any sieve.
fn unsieved(text: &str, forbidden: &[CustomPattern]) -> Vec<Finding> {
    let mut found = SecretScanner::standard().scan_unsieved(text);
    found.extend(scan_personal(text, &personal_kinds()));
    found.extend(forbidden.iter().flat_map(|pattern| pattern.scan(text)));
    in_order(found)
}

fn personal_kinds() -> Vec<PersonalKind> {
    PersonalKind::ALL.into_iter().filter(|kind| *kind != PersonalKind::ApiKey).collect()
}

fn forbidden() -> Vec<CustomPattern> {
    [("phrase", "(?i)project falcon"), ("ticket", r"\bT-\d{3}\b"), ("umlaut", "ü{2}")]
        .into_iter()
        .map(|(name, pattern)| CustomPattern::new(name, pattern).unwrap())
        .collect()
}

/// Made-up texts that wake detectors up, and many that nearly do.
struct Maker {
    dice: Dice,
    ids: Vec<&'static str>,
    words: Vec<&'static str>,
}

const PERSONAL: &[&str] = &[
    "4111 1111 1111 1111",
    "4111111111111111",
    "3782 822463 10005",
    "5555-5555-5555-4444",
    "4111111111111112",
    "2341 2341 2346",
    "234123412346",
    "2341-2341-2347",
    "999999999999",
    "536-22-1847",
    "536 22 1847",
    "000-22-1847",
    "GB29NWBK60161331926819",
    "DE89 3704 0044 0532 0130 00",
    "GB29NWBK60161331926818",
    "AB123456",
    "ABCPD1234E",
    "AAACR5055K",
    "XABCPD1234E",
    "jane@acme.io",
    "a.b+c@mail.acme.co.uk",
    "jane@example.com",
    "pack@1.0.0",
    "+14155552671",
    "+1 (415) 555-2671",
    "+44 20 7946 0958",
    "(415) 555-2671",
    "415-555-2671",
    "1.415.555.2671",
    "020 7946 0958",
    "(030) 123456-7",
    "01 23 45 67 89",
    "98765 43210",
    "4155552671",
    "9876543210",
    "2026-11-15",
    "2026-11-15T06:10:42+05:30",
    "0b9d1c52-7f7e-4a0e-8f59-3f9a1a5f1b11",
    "41555526-7100-4155-8526-710041555526",
    "1763187042000",
    "192.168.100.200",
    "project Falcon",
    "T-123",
    "üü",
    "20261115061042000",
    "536221847",
    "943 476 5919",
    "9434765919",
    "943-476-5919",
    "529.982.247-25",
    "52998224725",
    "529982247-25",
    "12345678Z",
    "X1234567L",
    "12345678A",
];
const NAMES: &[&str] = &[
    "phone",
    "mobile_number",
    "Tel",
    "fax-no",
    "whatſapp",
    "title",
    "password",
    "api_key",
    "client_secret",
    "token",
    "access_token",
    "Authorization",
    "admin_password",
    "aws_secret",
    "discord_bot",
    "PrivateKey",
    "db.pwd",
    "card",
    "ssn",
    "userSsn",
    "social_security_number",
    "nhs_number",
    "cpf",
    "mailgun",
    "BUNDLE_ENTERPRISE__CONTRIBSYS__COM",
    "curl -u",
    "kind: Secret",
    "created_ms",
    "order_id",
    "d",
];
const JOINTS: &[&str] = &[
    "",
    " ",
    "\n",
    "=",
    ": ",
    ":",
    "\": \"",
    "=\"",
    "\"",
    "'",
    ",",
    ", ",
    "-",
    "_",
    ".",
    "/",
    "é",
    "ü",
    "\t",
    "@",
    "://",
    "[",
    "]",
    "(",
    "+",
    "0",
    "a",
    "Z",
    "\\n",
    "\\",
    "|",
    "; ",
    " => ",
    "{\"",
    "\"}",
    "`",
    "\u{2028}",
    "Bearer ",
    "Basic ",
    ", value: ",
];
const PROSE: &[&str] = &[
    "both sides of the pattern ",
    "global laws, ",
    "a secretary. ",
    "the bottle is precious ",
    "authorization by 14 March ",
    "https://shop.internal/orders/1 ",
    "shipping_address_line_1 ",
    "en-US ",
    "lorem ipsum dolor ",
    "Überraschung ",
];

impl Maker {
    fn new(seed: u64) -> Self {
        let words = rules().flat_map(|rule| rule.keywords).copied().collect();
        Self { dice: Dice::new(seed), ids: rules().map(|rule| rule.id()).collect(), words }
    }

    fn of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.dice.below(texts.len())]
    }

    /// A rule's own sample, sometimes damaged.
    fn secret(&mut self) -> String {
        let id = self.ids[self.dice.below(self.ids.len())];
        let seed = self.dice.below(1_000) as u64;
        let mut text = sample(id, seed).unwrap().text;
        match self.dice.below(6) {
            0 => text = text.to_ascii_uppercase(),
            1 => text = text.to_ascii_lowercase(),
            2 => {
                text.pop();
            }
            3 => text.insert(text.floor_char_boundary(self.dice.below(text.len())), 'é'),
            _ => {}
        }
        text
    }

    fn piece(&mut self) -> String {
        match self.dice.below(9) {
            0..=2 => self.secret(),
            3 | 4 => self.of(PERSONAL).to_owned(),
            5 => self.of(NAMES).to_owned(),
            6 => self.words[self.dice.below(self.words.len())].to_owned(),
            7 => {
                let times = self.dice.below(12);
                (0..times).map(|_| self.of(PROSE)).collect()
            }
            _ => {
                let set = [Charset::Hex, Charset::Alnum, Charset::Digit, Charset::Base64][self.dice.below(4)];
                let length = self.dice.below(70);
                let mut text = String::new();
                set.fill(length, &mut self.dice, &mut text);
                text
            }
        }
    }

    fn text(&mut self) -> String {
        let pieces = 1 + self.dice.below(7);
        let mut text = String::new();
        for _ in 0..pieces {
            text.push_str(self.of(JOINTS));
            text.push_str(&self.piece());
            text.push_str(self.of(JOINTS));
        }
        text
    }
}

#[test]
fn the_guard_finds_what_the_detectors_find() {
    let guard = Guard::standard(forbidden());
    let mut maker = Maker::new(11);
    let mut with_findings = 0;
    for _ in 0..3_000 {
        let text = maker.text();
        let expected = unsieved(&text, &forbidden());
        assert_eq!(guard.scan(&text), expected, "{text:?}");
        assert_eq!(guard.is_clean(&text), expected.is_empty());
        with_findings += usize::from(!expected.is_empty());
    }
    assert!(with_findings > 1_000, "{with_findings}");
}

#[test]
fn every_rules_samples_are_found_at_every_place_and_border() {
    let guard = Guard::standard(Vec::new());
    for rule in rules() {
        for seed in 0..4_u64 {
            let sample = sample(rule.id(), seed).unwrap();
            for lead in ["", " ", "x", "\"", "é", "ab ", "-", "key: \"", "\n\n\n"] {
                for trail in ["", " ", "\"", "é", "Z", "_"] {
                    let text = format!("{lead}{}{trail}", sample.text);
                    assert_eq!(guard.scan(&text), unsieved(&text, &[]), "{text:?}");
                }
            }
        }
    }
}

#[test]
fn long_texts_with_chained_keywords_are_the_same() {
    let guard = Guard::standard(Vec::new());
    let mut maker = Maker::new(5);
    for round in 0..40 {
        let mut text = String::new();
        for _ in 0..round {
            text.push_str(&maker.text());
            let prose = maker.dice.below(200);
            text.extend((0..prose).map(|_| maker.of(PROSE)));
        }
        assert_eq!(guard.scan(&text), unsieved(&text, &[]), "{text:?}");
    }
}

#[test]
fn a_guard_seeks_what_it_is_told_to() {
    let text = format!("{} jane@acme.io", sample("stripe-key", 1).unwrap().text);
    let ids = |guard: Guard| guard.scan(&text).into_iter().map(|f| f.rule_id.into_owned()).collect::<Vec<_>>();
    assert_eq!(ids(Guard::standard(Vec::new())), ["stripe-key", "email"]);
    assert_eq!(ids(Guard::new(Secrets::Ignored, &[PersonalKind::Email], Vec::new())), ["email"]);
    assert_eq!(ids(Guard::new(Secrets::Ignored, &[PersonalKind::ApiKey], Vec::new())), ["api_key"]);
    assert!(Guard::new(Secrets::Ignored, &[], Vec::new()).is_clean(&text));
}

/// A JSON value of a made-up document.
enum Json {
    String(String),
    Number(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn make(maker: &mut Maker, depth: usize) -> Self {
        match maker.dice.below(if depth == 0 { 3 } else { 5 }) {
            0 => Self::String(maker.of(PERSONAL).to_owned()),
            1 => Self::String(if maker.dice.below(3) == 0 { maker.text() } else { maker.piece() }),
            2 => {
                let digits = 1 + maker.dice.below(19);
                let mut number = String::from("4");
                Charset::Digit.fill(digits, &mut maker.dice, &mut number);
                Self::Number(number)
            }
            3 => {
                let length = maker.dice.below(4);
                Self::Array((0..length).map(|_| Self::make(maker, depth - 1)).collect())
            }
            _ => {
                let length = maker.dice.below(4);
                Self::Object((0..length).map(|_| Self::member(maker, depth)).collect())
            }
        }
    }

    /// A member, whose key and value may be the two parts of a rule's sample.
    fn member(maker: &mut Maker, depth: usize) -> (String, Self) {
        match maker.dice.below(5) {
            0 => (maker.piece(), Self::make(maker, depth - 1)),
            1 => (maker.of(NAMES).to_owned(), Self::make(maker, depth - 1)),
            _ => {
                let id = maker.ids[maker.dice.below(maker.ids.len())];
                let sample = sample(id, maker.dice.below(100) as u64).unwrap();
                let lead = sample.text.get(..sample.secret.start).unwrap();
                let name = lead.trim_end_matches(['=', ' ', ':', '"', '\'', '>', '\n']);
                let secret = Self::String(sample.text.get(sample.secret).unwrap().to_owned());
                let other = Self::make(maker, 0);
                let value = match maker.dice.below(4) {
                    0 => Self::Array(vec![other, secret]),
                    1 => Self::Array(vec![Self::Array(vec![secret])]),
                    _ => secret,
                };
                (name.to_owned(), value)
            }
        }
    }

    fn write(&self, style: usize, out: &mut String) {
        let (colon, comma) = if style == 0 { (":", ",") } else { (": ", ",\n  ") };
        match self {
            Self::String(text) => quote(text, style, out),
            Self::Number(text) => out.push_str(text),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { comma });
                    item.write(style, out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { comma });
                    quote(key, style, out);
                    out.push_str(colon);
                    value.write(style, out);
                }
                out.push('}');
            }
        }
    }

    /// Returns true if any string, number or key holds anything.
    fn holds(&self, guard: &Guard, key: Option<&str>) -> bool {
        match self {
            Self::String(text) | Self::Number(text) => !guard.scan_value(key, text).is_empty(),
            Self::Array(items) => items.iter().any(|item| item.holds(guard, key)),
            Self::Object(members) => members
                .iter()
                .any(|(key, value)| !guard.scan_value(None, key).is_empty() || value.holds(guard, Some(key))),
        }
    }
}

/// Writes a string in quotes; in the third style every second letter as an escape.
fn quote(text: &str, style: usize, out: &mut String) {
    out.push('"');
    for (index, c) in text.chars().enumerate() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c < ' ' || (style == 2 && index % 2 == 0) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            '/' if style == 2 => out.push_str("\\/"),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[test]
fn a_document_that_holds_nothing_for_certain_holds_nothing() {
    let guard = Guard::standard(forbidden());
    let mut maker = Maker::new(23);
    let (mut held, mut ruled_out) = (0, 0);
    for round in 0..6_000 {
        let value = Json::make(&mut maker, 3);
        let mut text = String::new();
        value.write(round % 3, &mut text);
        let holds = value.holds(&guard, None);
        let may_hold = guard.may_hold_anything(&text);
        assert!(may_hold || !holds, "{text}");
        held += usize::from(holds);
        ruled_out += usize::from(!may_hold);
    }
    assert!(held > 1_000 && ruled_out > 500, "{held} hold something, {ruled_out} are ruled out");
}

#[test]
fn every_rules_sample_in_a_document_is_suspected() {
    let guard = Guard::standard(Vec::new());
    for rule in rules() {
        let sample = sample(rule.id(), 3).unwrap();
        for style in 0..3 {
            for wrap in 0..3 {
                let text = Json::String(sample.text.clone());
                let value = match wrap {
                    0 => text,
                    1 => Json::Object(vec![("note".to_owned(), text)]),
                    _ => Json::Object(vec![(sample.text.clone(), Json::Number("1".to_owned()))]),
                };
                let mut json = String::new();
                value.write(style, &mut json);
                assert!(guard.may_hold_anything(&json) || !value.holds(&guard, None), "{json}");
            }
        }
    }
}

#[test]
fn clean_documents_are_ruled_out() {
    let guard = Guard::standard(forbidden());
    for json in [
        "{}",
        r#"{"order_id":"0b9d1c52-7f7e-4a0e-8f59-3f9a1a5f1b11","at":"2026-11-15T06:10:42Z","ms":1763187042000}"#,
        r#"{"notes":"two lines\nof \"text\"","tags":["both","global"],"amount":4200.50,"locale":"en-US"}"#,
        r#"{"url":"https://shop.internal/orders/1377","token_count":[1,2,3]}"#,
    ] {
        let expected = json.contains("token_count");
        assert_eq!(guard.may_hold_anything(json), expected, "{json}");
    }
}

/// The findings of a guard over everything, as ids.
fn found(key: Option<&str>, value: &str) -> Vec<String> {
    let guard = Guard::standard(Vec::new());
    let found = guard.scan_value(key, value);
    let json = Json::Object(vec![(key.unwrap_or("note").to_owned(), Json::String(value.to_owned()))]);
    for style in 0..3 {
        let mut text = String::new();
        json.write(style, &mut text);
        assert!(guard.may_hold_anything(&text) || found.is_empty(), "{text}");
    }
    found.into_iter().map(|finding| finding.rule_id.into_owned()).collect()
}

#[test]
fn disguised_values_are_found_where_they_stand() {
    let key = sample("github-classic-token", 3).unwrap();
    let key = key.text.get(key.secret).unwrap();
    let guard = Guard::standard(Vec::new());
    let (head, tail) = key.split_at(9);
    let encoded: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
    for disguised in [
        format!("{head}\u{200b}{tail}"),
        format!("{head}\u{ad}\u{2060}{tail}"),
        key.replace('_', "%5f"),
        encoded,
        key.chars().map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap()).collect(),
    ] {
        let text = format!("see {disguised} please");
        let ranges: Vec<_> = guard.scan(&text).into_iter().map(|f| (f.range.start, f.range.end)).collect();
        assert_eq!(ranges, [(4, 4 + disguised.len())], "{text}");
        assert_eq!(found(None, &text).len(), 1, "{text}");
    }
    assert_eq!(found(Some("card"), "４１１１　１１１１　１１１１　１１１１"), ["credit_card"]);
    assert_eq!(found(None, "https://x.internal/?mail=ada%40acme.io"), ["email"]);
    for plain in ["100% of ２０２６", "zero\u{200b}width", "%41%42", "👩\u{200d}👩\u{200d}👧 at 14:00"] {
        assert_eq!(found(None, plain), [""; 0], "{plain}");
    }
}

#[test]
fn numbers_of_people_are_found_by_their_check_digits_or_names() {
    for (key, value, expected) in [
        ("ssn", "536221847", "ssn"),
        ("socialSecurityNumber", "536221847", "ssn"),
        ("note", "SSN 536221847", "ssn"),
        ("note", "078-05-1120", "ssn"),
        ("nhs_number", "9434765919", "nhs_number"),
        ("patient", "943 476 5919", "nhs_number"),
        ("cpf", "52998224725", "cpf"),
        ("note", "529.982.247-25", "cpf"),
        ("dni", "12345678Z", "dni"),
        ("id", "X1234567L", "dni"),
    ] {
        assert_eq!(found(Some(key), value), [expected], "{key}: {value}");
    }
    for (key, value) in [
        ("session_id", "536221847"),
        ("order", "9434765919"),
        ("id", "52998224725"),
        ("sku", "12345678A"),
        ("passwordLastUpdated", "2024-03-05T10:11:12Z"),
        ("password_changed", "2024-03-05"),
    ] {
        assert_eq!(found(Some(key), value), [""; 0], "{key}: {value}");
    }
    let guard = Guard::standard(Vec::new());
    assert!(guard.may_hold_anything("{\"ssn\":[1,\"536221847\\n\"]}"));
    assert!(guard.may_hold_anything("{\"ssn\":[1,2,536221847]}"));
}

#[test]
fn tokens_are_found_in_their_usual_surroundings() {
    let hex = "3f9a1a5f1b110b9d1c527f7e4a0e8f59";
    let sid: String = hex.chars().rev().collect();
    let token = sample("telegram-bot-token", 5).unwrap().text;
    let other = token.replacen(":AA", ":Bx", 1);
    for text in [
        format!("login AC{sid}:{hex}"),
        format!("Twilio: sid AC{sid}, auth token {hex}"),
        format!("the Twilio auth token is {hex}"),
    ] {
        assert_eq!(found(None, &text), ["twilio-auth-token-in-text"], "{text}");
    }
    for text in [format!("https://api.telegram.org/bot{token}/getMe"), format!("telegram bot: {other}")] {
        assert_eq!(found(None, &text), ["telegram-bot-token-in-context"], "{text}");
    }
    assert_eq!(found(None, &format!("telegram {token}")), ["telegram-bot-token"]);
    assert_eq!(found(None, &format!("AC{sid} is the account")), [""; 0]);
}

#[test]
fn patterns_with_anchors_are_never_ruled_out() {
    let anchored = CustomPattern::new("whole", "^secret plan$").unwrap();
    let guard = Guard::new(Secrets::Ignored, &[], vec![anchored]);
    assert_eq!(guard.scan_value(None, "secret plan").len(), 1);
    assert!(guard.may_hold_anything(r#"["secret plan"]"#));
    let worded = CustomPattern::new("word", r"\bplan\b").unwrap();
    let guard = Guard::new(Secrets::Ignored, &[], vec![worded]);
    assert!(guard.may_hold_anything(r#"["plan"]"#));
    assert!(!guard.may_hold_anything(r#"["plans"]"#));
}
