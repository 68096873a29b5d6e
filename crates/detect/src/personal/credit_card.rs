//! Payment card numbers: 13 to 19 digits of a known network that pass Luhn.
//!
//! Bare, in fours (`4-4-4-…`), or grouped as American Express and Diners print theirs.

use std::ops::Range;

use super::checksum::luhn;
use super::digits::{Group, Tied, groups, span, stands_alone, values};

/// The prefixes of a network, as ranges over a number of leading digits, and its lengths.
struct Network {
    digits: u32,
    prefixes: &'static [(u32, u32)],
    lengths: &'static [usize],
}

const NETWORKS: &[Network] = &[
    // Visa.
    Network { digits: 1, prefixes: &[(4, 4)], lengths: &[13, 16, 19] },
    // Mastercard.
    Network { digits: 4, prefixes: &[(5100, 5599), (2221, 2720)], lengths: &[16] },
    // American Express.
    Network { digits: 2, prefixes: &[(34, 34), (37, 37)], lengths: &[15] },
    // Diners Club.
    Network { digits: 3, prefixes: &[(300, 305), (360, 369), (380, 399)], lengths: &[14, 16, 19] },
    // Discover.
    Network { digits: 4, prefixes: &[(6011, 6011), (6440, 6599)], lengths: &[16, 17, 18, 19] },
    // JCB.
    Network { digits: 4, prefixes: &[(3528, 3589)], lengths: &[16, 17, 18, 19] },
    // UnionPay.
    Network { digits: 2, prefixes: &[(62, 62), (81, 81)], lengths: &[16, 17, 18, 19] },
    // Maestro.
    Network {
        digits: 4,
        prefixes: &[(5018, 5018), (5020, 5020), (5038, 5038), (5893, 5893), (6304, 6304), (6759, 6763)],
        lengths: &[13, 14, 15, 16, 17, 18, 19],
    },
    // RuPay.
    Network { digits: 3, prefixes: &[(508, 508), (353, 353), (356, 356), (606, 608), (817, 829)], lengths: &[16] },
    // Mir.
    Network { digits: 4, prefixes: &[(2200, 2204)], lengths: &[16, 17, 18, 19] },
    // Troy.
    Network { digits: 4, prefixes: &[(9792, 9792)], lengths: &[16] },
];

/// The bytes of every card number in the text.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for first in groups(text) {
        let taken = found.last().is_some_and(|last| first.start < last.end);
        if !taken && let Some(card) = card_at(text, first) {
            found.push(card);
        }
    }
    found
}

/// Returns true if a card's number begins with this group.
pub(super) fn is_at(text: &str, first: &Group) -> bool {
    card_at(text, *first).is_some()
}

fn card_at(text: &str, first: Group) -> Option<Range<usize>> {
    if !matches!(first.len(), 4 | 13..=19) {
        return None;
    }
    let tied = Tied::from(text, first, 5);
    tied.runs().find(|run| is_card(text, run)).map(span)
}

fn is_card(text: &str, run: &[Group]) -> bool {
    let range = span(run);
    if !is_printed_so(run) || !stands_alone(text, &range) {
        return false;
    }
    let digits = values(text, &range);
    NETWORKS.iter().any(|network| network.issues(&digits)) && luhn(&digits)
}

fn is_printed_so(run: &[Group]) -> bool {
    let four = |group: &Group| group.len() == 4;
    match run {
        [whole] => (13..=19).contains(&whole.len()),
        [first, middle, last] => four(first) && middle.len() == 6 && matches!(last.len(), 4 | 5),
        [fours @ .., last] => fours.len() >= 3 && fours.iter().all(four) && last.len() <= 4,
        [] => false,
    }
}

impl Network {
    fn issues(&self, digits: &[u8]) -> bool {
        let lead = digits.iter().take(self.digits as usize).fold(0, |lead, digit| lead * 10 + u32::from(*digit));
        self.lengths.contains(&digits.len()) && self.prefixes.iter().any(|(low, high)| (*low..=*high).contains(&lead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::testing::found;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(found(find, text), expected, "in {text:?}");
    }

    #[test]
    fn finds_the_networks_test_numbers() {
        for card in [
            "4111111111111111",
            "4111 1111 1111 1111",
            "5555-5555-5555-4444",
            "2223003122003222",
            "378282246310005",
            "3782 822463 10005",
            "30569309025904",
            "6011111111111117",
            "3530111333300000",
            "6200000000000005",
        ] {
            check(&format!("card: {card}, thanks"), &[card]);
        }
    }

    #[test]
    fn finds_a_card_after_a_number() {
        check("order 12 4111 1111 1111 1111", &["4111 1111 1111 1111"]);
    }

    #[test]
    fn passes_over_what_is_no_card() {
        for text in [
            "4111111111111112",
            "1111111111111117",
            "41111111111111111",
            "x4111111111111111",
            "0.4111111111111111",
            "41 11111111111111",
            "4111 1111-1111 1111",
            "1763187042000 ms",
        ] {
            check(text, &[]);
        }
    }
}
