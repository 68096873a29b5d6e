//! The speed at which the guard reads clean text, next to a floor measured in the same run.
//!
//! `cargo run --release -p deed-detect --example throughput`

#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use deed_detect::{CustomPattern, Guard, PersonalKind, SecretScanner, scan_personal};

/// A seeded source of numbers, so that every run reads the same bytes.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words.get(self.below(words.len() as u64) as usize).copied().unwrap_or_default()
    }
}

/// Ordinary English, with some of the words in which keywords hide: both, global, laws, secretary, pattern.
const PROSE: &str = "The committee met on Tuesday to go over the plans for the northern warehouse. Deliveries had been \
    late for most of the spring, and the members wanted to hear from the people who load the lorries before they \
    decided anything. A foreman explained that the new doors open inwards, which nobody had noticed on the drawings, \
    and that every pallet must therefore be turned by hand. It takes four minutes longer than it should; over a day \
    that is half a shift. The chair thanked him and asked for a figure. Some 4.2 million, he was told, if the work \
    was done in one go, and perhaps a third more if it was spread over two winters. There was a long silence. \"We \
    shall not be hurried,\" she said at last, \"but neither shall we pretend that the matter will mend itself.\" The \
    secretary took this down. Members from the coast pointed out that their own sheds were older still, and that \
    both had been promised paint in 2019. A paper on the pattern of complaints was read aloud: of 37 branches that \
    replied, 29 named the same three causes, and only one had found a remedy that it could afford. It had hired a \
    retired engineer for two days a week, who walked about with a notebook and spoke to everyone. The meeting \
    warmed to this idea. Someone recalled the flood of the year before, when the cellar filled and the ledgers had \
    to be dried on the lawn, page by page, under stones. Others spoke of the price of timber, the global market for \
    steel, and the curious habit of the river to rise on public holidays. By four o'clock the light was failing. It \
    was agreed that a small group would visit each site before the end of June, that no laws would be broken in the \
    meantime, and that the authorization for repairs would be asked for in writing, in the ordinary way, with the \
    estimates attached. Then the tea was brought in, and the rest of the business was left to the next meeting. ";

fn prose(length: usize, dice: &mut Dice) -> String {
    let words: Vec<&str> = PROSE.split_whitespace().collect();
    let mut text = String::new();
    while text.len() < length {
        text.push_str(if dice.below(200) == 0 { PROSE } else { dice.of(&words) });
        text.push(if dice.below(60) == 0 { '\n' } else { ' ' });
    }
    text
}

fn uuid(dice: &mut Dice) -> String {
    let mut part = |bits: u32| dice.below(1 << bits.min(31));
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:06x}{:06x}",
        part(31) * 2,
        part(16),
        part(12),
        part(12),
        part(24),
        part(24)
    )
}

fn record(dice: &mut Dice) -> String {
    let status = dice.of(&["pending", "shipped", "delivered", "returned", "on_hold"]);
    let city = dice.of(&["Pune", "Lisbon", "Osaka", "Boston", "Graz", "Leeds"]);
    let currency = dice.of(&["INR", "EUR", "JPY", "USD", "GBP"]);
    let (id, customer) = (uuid(dice), uuid(dice));
    let mut n = |below: u64| dice.below(below);
    format!(
        "{{\"order_id\":\"{id}\",\"customer_id\":\"{customer}\",\"order_number\":{},\"sku\":\"AB{}\",\"placed_at\":\
         \"2026-{:02}-{:02}T{:02}:{:02}:{:02}Z\",\"amount\":{}.{:02},\"currency\":\"{currency}\",\"quantity\":{},\
         \"status\":\"{status}\",\"city\":\"{city}\",\"postcode\":\"{}\",\"shipping_address_line_1\":\"{} Harbour Road\"\
         ,\"weight_kg\":{}.{:03},\"created_ms\":17{}000,\"locale\":\"en-US\",\"notes\":\"Leave with the neighbour; {} \
         bottles, both fragile.\",\"url\":\"https://shop.internal/orders/{}\"}}",
        100_000 + n(900_000),
        1_000 + n(9_000),
        1 + n(12),
        1 + n(28),
        n(24),
        n(60),
        n(60),
        n(100_000),
        n(100),
        1 + n(50),
        10_000 + n(90_000),
        1 + n(400),
        n(40),
        n(1_000),
        60_000_000 + n(9_999_999),
        1 + n(24),
        1_000 + n(90_000),
    )
}

fn json(length: usize, dice: &mut Dice) -> String {
    let mut text = String::from("{\"orders\":[");
    while text.len() + 600 < length {
        let _ = write!(text, "{},", record(dice));
    }
    let _ = write!(text, "{}]}}", record(dice));
    text
}

/// The fastest of many runs, in MB/s: other work on the machine only ever slows a run down.
fn speed(bytes: usize, mut run: impl FnMut()) -> f64 {
    let rounds = (400_000 / bytes).max(1);
    let fastest = (0..200)
        .map(|_| {
            let start = Instant::now();
            (0..rounds).for_each(|_| run());
            start.elapsed()
        })
        .min()
        .unwrap_or(Duration::MAX);
    bytes as f64 * rounds as f64 / fastest.as_secs_f64() / 1e6
}

fn naive(text: &str) -> usize {
    let personal: Vec<_> = PersonalKind::ALL.into_iter().filter(|kind| *kind != PersonalKind::ApiKey).collect();
    SecretScanner::standard().scan(text).len() + scan_personal(text, &personal).len()
}

fn main() {
    let mut dice = Dice(7);
    let texts = [
        ("prose 1 MB", prose(1_000_000, &mut dice)),
        ("json 1 MB", json(1_000_000, &mut dice)),
        ("json 1 KB", json(1_024, &mut dice)),
        ("prose 1 KB", prose(1_024, &mut dice)),
    ];
    let forbidden = ["project (?:falcon|osprey)", "(?i)strictly confidential", r"\bACME-INT-[0-9]{4}\b"];
    let forbidden = forbidden.iter().filter_map(|pattern| CustomPattern::new("forbidden", pattern).ok()).collect();
    let (bare, full) = (Guard::standard(Vec::new()), Guard::standard(forbidden));
    println!(
        "{:12} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}  (MB/s)",
        "", "bytes", "floor", "apart", "secrets", "guard", "+words", "json"
    );
    for (name, text) in &texts {
        let floor = speed(text.len(), || {
            black_box(black_box(text).bytes().fold(0_u8, |sum, byte| sum.wrapping_mul(31) ^ byte));
        });
        let apart = speed(text.len(), || {
            black_box(naive(black_box(text)));
        });
        let secrets = speed(text.len(), || {
            black_box(SecretScanner::standard().scan(black_box(text)));
        });
        let [guard, words] = [&bare, &full].map(|guard| {
            speed(text.len(), || {
                black_box(guard.is_clean(black_box(text)));
            })
        });
        let json = speed(text.len(), || {
            black_box(full.may_hold_anything(black_box(text)));
        });
        println!(
            "{name:12} {:8} {floor:7.0} {apart:7.0} {secrets:7.0} {guard:7.0} {words:7.0} {json:7.0}  {} {}",
            text.len(),
            full.scan(text).len(),
            full.may_hold_anything(text)
        );
    }
}
