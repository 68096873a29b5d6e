//! The same script over the same inputs gives the same bytes, on every thread, in every time zone.

use crate::common::{OUT, body, run, small, value};
use deed_isolate::{Grants, IsolateError, IsolateLimits, IsolateOutput};

const BUSY: &str = r#"
export default function (inputs, context) {
    const seen = new Map(), order = { b: 1, 10: 1, a: 1, 2: 1, [Symbol.iterator]: 1 };
    for (let i = 0; i < 3000; i++) seen.set({}, i).set("k" + (i * 7919) % 1009, Math.random());
    const rows = [...seen.values()].filter((v) => v < 1).sort();
    const objects = Array.from({ length: 300 }, (_, i) => ({ k: i % 7, i })).sort((a, b) => a.k - b.k);
    console.log(Object.keys(order), new Set([3, 1, 2, 1]).size);
    return { out: { rows: rows.slice(0, 5), objects, keys: Object.keys(order), now: Date.now(), d: String(new Date()),
        text: "żółć".normalize("NFD").length, x: (0.1 + 0.2).toString(), y: 1e21, z: 2n ** 70n + "" } };
}"#;

fn busy() -> IsolateOutput {
    let given = Grants { now_ms: Some(1_700_000_000_123), seed: Some(42), ..Grants::default() };
    run(BUSY, &[], &[OUT.to_owned()], &given, &small()).unwrap()
}

#[test]
fn a_thousand_runs_on_eight_threads_are_one() {
    let first = busy();
    assert!(first.usage.operations > 0);
    let text = String::from_utf8(first.outputs[OUT].clone()).unwrap();
    assert!(text.contains(r#""keys":["2","10","b","a"]"#), "{text}");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..125).for_each(|_| assert_eq!(busy(), first)));
        }
    });
}

#[test]
fn a_heap_is_full_at_the_same_place_whatever_was_allocated_before() {
    let source = r#"export default function () {
        const kept = [];
        let text = "é", grown = [], turns = 0;
        try {
            for (;; turns++) {
                text = turns % 9 ? text + "é".repeat(turns * 13) : "é";
                grown = turns % 31 ? [...grown, text, turns] : [];
                kept.push(new Map([[text, turns]]), text.slice(turns), new Uint8Array(turns * 3));
            }
        } catch {
            kept.length = 0;
        }
        return { out: { turns } };
    }"#;
    let far = || {
        let limits = IsolateLimits { memory: 4 << 20, ..small() };
        run(source, &[], &[OUT.to_owned()], &Grants::default(), &limits).unwrap()
    };
    let first = far();
    std::thread::scope(|scope| {
        for thread in 1..9_usize {
            let first = &first;
            scope.spawn(move || {
                let mut litter: Vec<Vec<u8>> = Vec::new();
                for round in 1..40_usize {
                    litter.extend((0..50).map(|n| vec![0; 600 + (n * thread * round * 37) % 9_000]));
                    litter.retain(|piece| piece.len() % 3 != round % 3);
                    assert_eq!(&far(), first);
                }
            });
        }
    });
}

#[test]
fn the_end_of_a_budget_is_the_same_each_time() {
    let last = || {
        let source = "export default () => { for (let n = 0; ; n++) console.log(n) }";
        run(source, &[], &[], &Grants::default(), &small()).unwrap_err()
    };
    assert!((0..20).all(|_| last() == last()));
    // A turn of such a loop costs two, so just enough and just too little are distinguished.
    let spend = |turns: u64| body(&format!("for (let i = 0; i < {turns}; i++); return {{}}"));
    assert!(spend(1_490_000).is_ok());
    assert!(matches!(spend(1_510_000), Err(IsolateError::OutOfTime(_))));
}

#[test]
fn chance_is_seeded_or_refused() {
    let draw = |seed| {
        let given = Grants { seed, ..Grants::default() };
        run("export default () => ({ out: [Math.random(), Math.random()] })", &[], &[OUT.to_owned()], &given, &small())
    };
    assert_eq!(draw(Some(7)).unwrap().outputs, draw(Some(7)).unwrap().outputs);
    assert_ne!(draw(Some(7)).unwrap().outputs, draw(Some(8)).unwrap().outputs);
    assert_eq!(draw(Some(0)).unwrap().outputs[OUT], b"[0.8833108082136426,0.43152799704850997]\n");
    let refused = draw(None).unwrap_err().to_string();
    assert!(refused.contains("`Math.random` needs a seed"), "{refused}");
}

#[test]
fn there_is_no_clock_and_no_locale() {
    for source in ["Date.now()", "new Date()", "Date()", "Reflect.construct(Date, [])", "new (class extends Date {})()"]
    {
        let refused = body(source).unwrap_err().to_string();
        assert!(refused.contains("given no instant"), "{source}: {refused}");
    }
    for source in
        ["(5).toLocaleString()", "5n.toLocaleString()", "[1].toLocaleString()", "new Date(0).toLocaleDateString('de')"]
    {
        let refused = body(source).unwrap_err().to_string();
        assert!(refused.contains("locale"), "{source}: {refused}");
    }
    assert_eq!(value("typeof Date.prototype.getYear"), "\"undefined\"");
}

const DATES: &str = r#"[
    new Date(2024, 0, 5, 10).toISOString(), new Date(2024, 6, 5).getTimezoneOffset(), new Date(0).getHours(),
    ...["2024-01-05", "2024-01-05T10:00", "2024-01-05 10:00:00", "2024-01-05T10:00:00.5+02:00", "Jan 5, 2024", "5 January 2024 10:00",
        "01/05/2024", "Fri, 05 Jan 2024 10:00:00 GMT", "Fri Jan 05 2024 10:00:00 GMT+0200 (CEST)", "2024-07-01T00:00:00Z", "2024",
        "01-02-2024", "nonsense", "", "2024-13-45", "5 Jan 2024 UTC", "Jan 5 2024 10:00 PM", "12:30"].map((t) => Date.parse(t)),
    String(new Date(1e12)), new Date(1e12).toDateString(), new Date(1e12).toTimeString(), new Date(NaN) + "",
    new Date(-1e14) + "", new Date(new Date(5)).getTime(), new Date(null).getTime(), new Date(undefined).getTime(),
    new Date(new Number(9)).getTime(), (() => { const d = new Date(0); d.setHours(25); d.setMonth(5); return d.toJSON() })(),
    new (class D extends Date { x() { return this.getFullYear() } })(2020, 1).x(), Object.prototype.toString.call(new Date(0)),
    new Date(99, 0).getFullYear(), new Date(0) instanceof Date, new Date(2024, 2, 31, 2, 30).valueOf(),
]"#;

#[test]
fn local_time_is_utc() {
    assert_eq!(
        value(DATES),
        "[\"2024-01-05T10:00:00.000Z\",0,0,1704412800000,1704448800000,1704448800000,1704441600500,1704412800000,\
         1704448800000,1704412800000,1704448800000,1704441600000,1719792000000,1704067200000,null,null,null,null,\
         1704412800000,1704492000000,null,\"Sun Sep 09 2001 01:46:40 GMT+0000 (UTC)\",\"Sun Sep 09 2001\",\
         \"01:46:40 GMT+0000 (UTC)\",\"Invalid Date\",\"Thu Feb 15 -1199 14:13:20 GMT+0000 (UTC)\",5,0,null,9,\
         \"1970-06-02T01:00:00.000Z\",2020,\"[object Date]\",1999,true,1711852200000]"
    );
}

#[test]
fn the_machine_s_time_zone_is_not_seen() {
    let own = std::env::current_exe().unwrap();
    for zone in ["America/St_Johns", "Asia/Kathmandu", "XYZ-14", "UTC", "EST5EDT,M3.2.0,M11.1.0"] {
        let again = std::process::Command::new(&own)
            .args(["--exact", "determinism::local_time_is_utc"])
            .env("TZ", zone)
            .output()
            .unwrap();
        assert!(again.status.success(), "{zone}: {}", String::from_utf8_lossy(&again.stdout));
        assert!(String::from_utf8_lossy(&again.stdout).contains("1 passed"), "{zone}");
    }
}
