//! Laws that hold for any text.

use deed_detect::{
    CustomPattern, Finding, PersonalKind, SecretScanner, rules, sample, scan_personal, scan_personal_value,
};
use proptest::prelude::*;

fn everything(text: &str) -> Vec<Finding> {
    let mut found = SecretScanner::standard().scan(text);
    found.extend(scan_personal(text, &PersonalKind::ALL));
    found
}

/// Pieces that wake the rules up, between arbitrary ones.
fn restless_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[ -~]{0,40}",
        "[0-9 .+()-]{1,30}",
        "[A-Z]{2}[0-9]{2}[A-Z0-9 ]{0,34}",
        "(password|token|api_key|secret)(: |=)\"?[a-zA-Z0-9é]{0,40}",
        "(AKIA|ghp_|sk-ant-|xoxb-|eyJ|://u:|@|-----BEGIN PRIVATE KEY-----)[A-Za-z0-9+/=é]{0,60}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// A digit run with its last digit chosen so that `valid` holds.
fn completed(body: &str, valid: impl Fn(&str) -> bool) -> Option<String> {
    ('0'..='9').map(|last| format!("{body}{last}")).find(|number| valid(number))
}

fn found(kind: PersonalKind, text: &str) -> bool {
    scan_personal(text, &[kind]).iter().any(|finding| finding.range == (0..text.len()))
}

/// The number with one digit raised by `by`, at `place` counted from the start.
fn changed(number: &str, place: usize, by: u8) -> String {
    let mut bytes = number.as_bytes().to_vec();
    bytes[place] = b'0' + (bytes[place] - b'0' + by) % 10;
    String::from_utf8(bytes).unwrap()
}

fn luhn_sum(number: &str) -> u32 {
    let doubled = |d: u32| if d * 2 > 9 { d * 2 - 9 } else { d * 2 };
    number
        .chars()
        .rev()
        .map(|c| c.to_digit(10).unwrap())
        .enumerate()
        .map(|(place, digit)| if place % 2 == 1 { doubled(digit) } else { digit })
        .sum()
}

/// The check digits of an IBAN by long division, apart from the crate's own arithmetic.
fn iban(country: &str, account: &str) -> String {
    let digits: String = format!("{account}{country}00").chars().map(|c| c.to_digit(36).unwrap().to_string()).collect();
    let rest = digits.bytes().fold(0_u64, |rest, b| (rest * 10 + u64::from(b - b'0')) % 97);
    format!("{country}{:02}{account}", 98 - rest)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranges_are_on_character_boundaries_and_in_order(text in restless_text()) {
        for finding in everything(&text) {
            prop_assert!(text.get(finding.range.clone()).is_some_and(|found| !found.is_empty()));
        }
        let secrets = SecretScanner::standard().scan(&text);
        prop_assert!(secrets.is_sorted_by_key(|f| (f.range.start, f.rule_id.clone())));
        prop_assert_eq!(&secrets, &SecretScanner::standard().scan(&text));
    }

    #[test]
    fn values_are_scanned_within_themselves(key in any::<String>(), value in restless_text()) {
        let mut found = SecretScanner::standard().scan_value(Some(&key), &value);
        found.extend(scan_personal_value(Some(&key), &value, &PersonalKind::ALL));
        for finding in found {
            prop_assert!(value.get(finding.range).is_some());
        }
    }

    #[test]
    fn examples_are_found_in_any_surroundings(
        before in "[a-z é,.\n]{0,900}",
        after in "[a-z é,.\n]{0,900}",
        seed in 0_u64..64,
        index in any::<prop::sample::Index>(),
        quoted in any::<bool>(),
    ) {
        let all: Vec<_> = rules().filter(|rule| !rule.is_generic()).collect();
        let rule = all[index.index(all.len())];
        let sample = sample(rule.id(), seed).unwrap();
        let (open, close) = if quoted { ("\"", "\"") } else { (" ", " ") };
        let text = format!("{before}{open}{}{close}{after}", sample.text);
        let start = before.len() + 1 + sample.secret.start;
        let found = SecretScanner::standard().scan(&text);
        prop_assert!(
            found.iter().any(|f| f.rule_id == rule.id() && f.range.start == start),
            "{}: {:?} in {}", rule.id(), found, text
        );
    }

    #[test]
    fn custom_patterns_never_panic(pattern in any::<String>(), text in restless_text()) {
        if let Ok(custom) = CustomPattern::new("own", &pattern) {
            for finding in custom.scan(&text) {
                prop_assert!(text.get(finding.range).is_some());
            }
        }
    }

    #[test]
    fn cards_are_found_and_one_wrong_digit_is_not(
        body in "(4[0-9]{14}|5[1-5][0-9]{13}|3[47][0-9]{12})", place in 0_usize..14, by in 1_u8..10,
    ) {
        let card = completed(&body, |number| luhn_sum(number).is_multiple_of(10)).unwrap();
        prop_assert!(found(PersonalKind::CreditCard, &card), "{card}");
        let wrong = changed(&card, place, by);
        prop_assert!(!found(PersonalKind::CreditCard, &wrong), "{wrong}");
    }

    #[test]
    fn aadhaar_numbers_have_one_check_digit_and_one_wrong_digit_is_noticed(
        body in "[3-9][0-9]{10}", place in 1_usize..12, by in 1_u8..10,
    ) {
        let numbers: Vec<_> = ('0'..='9').map(|last| format!("{body}{last}"))
            .filter(|number| found(PersonalKind::Aadhaar, number)).collect();
        prop_assert_eq!(numbers.len(), 1);
        let printed = format!("{} {} {}", &numbers[0][..4], &numbers[0][4..8], &numbers[0][8..]);
        prop_assert!(found(PersonalKind::Aadhaar, &printed), "{printed}");
        let wrong = changed(&numbers[0], place, by);
        prop_assert!(!found(PersonalKind::Aadhaar, &wrong), "{wrong}");
    }

    #[test]
    fn ibans_are_found_and_one_wrong_digit_is_not(
        account in "[0-9]{18}", place in 2_usize..22, by in 1_u8..10,
    ) {
        let number = iban("DE", &account);
        prop_assert!(found(PersonalKind::Iban, &number), "{number}");
        let wrong = changed(&number, place, by);
        prop_assert!(!found(PersonalKind::Iban, &wrong), "{wrong}");
    }

    #[test]
    fn social_security_numbers_are_found_in_issued_ranges_alone(
        area in 0_u32..1000, group in 0_u32..100, serial in 0_u32..10_000,
    ) {
        let number = format!("{area:03}-{group:02}-{serial:04}");
        let issued = area != 0 && area != 666 && area < 900 && group != 0 && serial != 0;
        prop_assert_eq!(found(PersonalKind::Ssn, &number), issued, "{}", number);
    }

    #[test]
    fn addresses_are_found(name in "[a-z][a-z0-9]{0,8}([._+-][a-z0-9]{1,8})?", host in "[a-z]{2,10}") {
        let address = format!("{name}@{host}.dev");
        prop_assert!(found(PersonalKind::Email, &address), "{address}");
        let reserved = format!("{name}@{host}.example");
        prop_assert!(!found(PersonalKind::Email, &reserved), "{reserved}");
    }
}
