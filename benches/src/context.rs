//! The context compiler: the worked example, a large pack, two cores.

use crate::packs;
use crate::scenario::{Given, examples, hydrated, large_given, large_pack, support_folder};
use crate::table::{Table, median, times};
use deed_app::Session;
use deed_app::contexts::{ContextSources, Variation};
use deed_canon::ContentHash;
use deed_context::{Hydrated, SharedCounts, compile, compile_with, explain};
use deed_model::Bucket;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let support = hydrated(&packs::support()?)?;
    let given = examples(64)?;
    example(table, &support, &given)?;
    cores(table, &support, &given);
    sweep(table)?;
    large(table)
}

/// The texts that are new in a request: the task and every block that is not the pack's.
fn fresh(pack: &Hydrated, given: &Given) -> Vec<String> {
    let outcome = compile(pack, given.inputs());
    let Some(context) = outcome.context() else { return Vec::new() };
    let prompt = &context.compiled_prompt;
    let new = |bucket: Bucket| matches!(bucket, Bucket::Evidence | Bucket::Memory | Bucket::Session);
    let blocks = prompt.context_blocks.iter().filter(|b| new(b.bucket)).map(|b| b.content.clone().into_owned());
    blocks.chain([prompt.task.clone().into_owned()]).collect()
}

/// The same with the tokenizer of the library as it comes, without what we know of words and ASCII.
fn library_floor(texts: &[String], json: &str) -> usize {
    black_box(ContentHash::of_bytes(json.as_bytes()));
    let hashed = texts.iter().inspect(|t| {
        black_box(ContentHash::of_bytes(t.as_bytes()));
    });
    hashed.map(|t| bpe_openai::o200k_base().count(t.as_str())).sum()
}

/// The floor: tokenizing and hashing what is new, and hashing the request as it came.
fn floor(pack: &Hydrated, texts: &[String], json: &str) -> u64 {
    black_box(ContentHash::of_bytes(json.as_bytes()));
    texts
        .iter()
        .map(|t| {
            black_box(ContentHash::of_bytes(t.as_bytes()));
            pack.tokenizer().count(t)
        })
        .sum()
}

/// Times of single calls, sorted.
fn singly(rounds: usize, given: &[Given], mut call: impl FnMut(&Given)) -> Vec<Duration> {
    let mut times: Vec<Duration> = given
        .iter()
        .cycle()
        .take(rounds)
        .map(|given| {
            let start = Instant::now();
            call(given);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}

fn part(sorted: &[Duration], per_cent: usize) -> Duration {
    sorted.get(sorted.len() * per_cent / 100).copied().unwrap_or_default()
}

fn example(table: &mut Table, pack: &Hydrated, given: &[Given]) -> Result<(), Box<dyn Error>> {
    let texts: Vec<Vec<String>> = given.iter().map(|g| fresh(pack, g)).collect();
    if texts.iter().any(Vec::is_empty) {
        return Err("the worked example does not compile".into());
    }
    let own = singly(40_000, given, |g| drop(black_box(compile(pack, g.inputs()))));
    let mut next = texts.iter().cycle();
    let floors = singly(40_000, given, |g| {
        black_box(next.next().map(|t| floor(pack, t, &g.json)));
    });
    let mut next = texts.iter().cycle();
    let libraries = singly(40_000, given, |g| {
        black_box(next.next().map(|t| library_floor(t, &g.json)));
    });
    let (p50, p99, low, library) = (part(&own, 50), part(&own, 99), part(&floors, 50), part(&libraries, 50));
    let shown = |name: &str, floor: Duration| format!("{name}, {:.1} us", floor.as_secs_f64() * 1e6);
    let peer = shown("the library tokenizes, and hashing", library);
    let ratio = times(p50, library);
    table.row("compile the worked example, p50", p50, &peer, format!("{ratio:.2}x"), "at most 40 us", p50 <= us(40));
    table.row("the same, p99", p99, &peer, format!("{:.2}x", times(p99, library)), "at most 150 us", p99 <= us(150));
    table.row("the same, p50, against that floor", p50, &peer, format!("{ratio:.2}x"), "at most 2x", ratio <= 2.0);
    let against = shown("our own counting, and hashing", low);
    let ratio = times(p50, low);
    table.row(
        "the same, p50, against our own floor",
        p50,
        &against,
        format!("{ratio:.2}x"),
        "at most 2x",
        ratio <= 2.0,
    );
    let trees = singly(10_000, given, |g| {
        let outcome = compile(pack, g.inputs());
        black_box(outcome.context().map(|c| explain(pack, g.inputs(), c)));
    });
    let with = part(&trees, 50);
    table.row(
        "with all reasons and trees, p50",
        with,
        "the compile alone",
        format!("{:.2}x", times(with, p50)),
        "-",
        true,
    );
    Ok(())
}

fn us(n: u64) -> Duration {
    Duration::from_micros(n)
}

/// A sweep of 1,000 points, as `deed context sweep` makes it, against as many compiles of inputs that are ready.
fn sweep(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let folder = support_folder();
    let file = |name: &str| folder.join(format!("examples/{name}.yaml"));
    let sources = ContextSources {
        pack: Some(folder.display().to_string()),
        request: file("request"),
        run: file("run"),
        evidence: Some(file("evidence")),
        memory: Some(file("memory")),
        ..ContextSources::default()
    };
    let failed = |error: deed_app::AppError| format!("{:?}", error.report);
    let (loaded, _) = sources.load(&Session::default()).map_err(failed)?;
    let pack = loaded.hydrate().map_err(failed)?;
    let points = [Variation::parse("request.context.refund_amount=3001..4000").map_err(failed)?];
    let mut counted = 0;
    let own = median(15, 1, || counted = loaded.sweep(&pack, &points).map_or(0, |sweep| sweep.points.len()));
    if counted != 1_000 {
        return Err("the sweep has not 1,000 points".into());
    }
    let plain = median(15, 1, || (0..1_000).for_each(|_| drop(black_box(compile(&pack, loaded.inputs())))));
    let ratio = format!("{:.2}x", times(own, plain));
    let most = Duration::from_millis(100);
    table.row("sweep of 1,000 points", own, "1,000 plain compiles", ratio, "at most 100 ms", own <= most);
    Ok(())
}

/// How much more two threads do than one, on one hydrated pack.
fn cores(table: &mut Table, pack: &Hydrated, given: &[Given]) {
    let work = |count: usize| {
        for given in given.iter().cycle().take(count) {
            black_box(compile(pack, given.inputs()));
        }
    };
    let count = 10_000;
    let one = median(7, 1, || work(count));
    let two = median(7, 1, || std::thread::scope(|s| (0..2).for_each(|_| drop(s.spawn(|| work(count))))));
    let gain = 2.0 * one.as_secs_f64() / two.as_secs_f64();
    let each = one / 10_000;
    table.row("compile on two cores", each, "one core", format!("{gain:.2}x"), "at least 1.8x", gain >= 1.8);
}

fn large(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let pack = hydrated(&large_pack(10_000, 1_000)?)?;
    let given = large_given(1_024)?;
    let texts = fresh(&pack, &given);
    if texts.len() < 1_024 {
        return Err("the large request does not compile".into());
    }
    let tokenizing = median(5, 1, || texts.iter().map(|t| pack.tokenizer().count(t)).sum::<u64>());
    let library = median(5, 1, || texts.iter().map(|t| bpe_openai::o200k_base().count(t.as_str())).sum::<usize>());
    let whole = median(5, 1, || compile(&pack, given.inputs()).as_str());
    let ms = |name: &str, time: Duration| format!("{name}, {:.1} ms", time.as_secs_f64() * 1e3);
    let what = "10,000 rules, 1,000 capabilities, 1,024 pieces of 1 KB";
    for (name, floor) in [("the library tokenizes its text", library), ("our own counting of it", tokenizing)] {
        let ratio = times(whole, floor);
        table.row(what, whole, &ms(name, floor), format!("{ratio:.2}x"), "at most 1.3x", ratio <= 1.3);
    }
    let against = ms("the library tokenizes its text", library);
    let counts = SharedCounts::new(pack.tokenizer());
    let cached = |pack: &Hydrated, given: &Given| {
        black_box(compile_with(pack, given.inputs(), &counts));
        median(9, 1, || compile_with(pack, given.inputs(), &counts).as_str())
    };
    let quick = cached(&pack, &given);
    let aim = Duration::from_millis(12);
    table.row(
        "the same, counts known",
        quick,
        &against,
        format!("{:.2}x", times(quick, library)),
        "at most 12 ms",
        quick <= aim,
    );
    for (what, rules, capabilities, pieces) in [
        ("a tenth of the rules", 1_000, 1_000, 1_024),
        ("a tenth of the capabilities", 10_000, 100, 1_024),
        ("a tenth of the evidence", 10_000, 1_000, 102),
    ] {
        let (pack, given) = (hydrated(&large_pack(rules, capabilities)?)?, large_given(pieces)?);
        let time = cached(&pack, &given);
        let ratio = times(quick, time);
        table.row(what, time, "the whole, counts known", format!("{ratio:.2}x"), "at most 10x more", ratio <= 10.5);
    }
    Ok(())
}
