use super::fixture::*;
use deed_store::Registry;
use std::time::Instant;
fn measure(what: &str, dir: &std::path::Path) {
    let t = Instant::now();
    let r = open(dir);
    let opened = t.elapsed();
    let t = Instant::now();
    r.load_pinned("prod", "ctxpack.desk", "acme").unwrap();
    let first = t.elapsed();
    let mut all: Vec<_> = (0..500).map(|_| { let t = Instant::now(); r.load_pinned("prod", "ctxpack.desk", "acme").unwrap(); t.elapsed() }).collect();
    all.sort();
    let c = database(dir);
    let t = Instant::now();
    let _: String = c.query_row("PRAGMA integrity_check('events')", [], |r| r.get(0)).unwrap();
    let i = t.elapsed();
    let t = Instant::now();
    let _: String = c.query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    eprintln!("{what}: events {} open {opened:?} first load {first:?} median {:?} p99 {:?} integrity(events) {i:?} integrity {:?}", events(&r), all[250], all[495], t.elapsed());
}
#[test]
fn throwaway() {
    let (dir, r) = registry(&lifecycle()[..8]);
    measure("small", dir.path());
    for n in 0..1000 {
        let c = candidate_of(&format!("ctxpack.p{}", n % 10), &format!("1.0.{n}"), "x");
        run(&r, &publishing(&c));
    }
    measure("5000 others", dir.path());
    let (dir, r) = registry(&lifecycle()[..14]);
    for n in 0..2500 { let _ = n; run(&r, &[pinning("1.0.0", "prod"), pinning("1.1.0", "prod")]); }
    let _: &Registry = &r;
    measure("5000 re-pins", dir.path());
}
