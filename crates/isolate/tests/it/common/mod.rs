//! One way to run a script in a test.

use std::time::Duration;

use deed_isolate::{Grants, IsolateError, IsolateLimits, IsolateOutput};

/// The one path that most scripts here write.
pub(crate) const OUT: &str = "out";

/// Limits that make a hostile script end soon.
pub(crate) fn small() -> IsolateLimits {
    IsolateLimits {
        memory: 8 << 20,
        stack: 256 << 10,
        operations: 3_000_000,
        wall: Duration::from_secs(120),
        grace: Duration::from_secs(10),
        output: 1 << 20,
        log: 1 << 10,
        ..IsolateLimits::default()
    }
}

/// Runs a script; why it failed is enough.
pub(crate) fn run(
    source: &str,
    inputs: &[(String, Vec<u8>)],
    writes: &[String],
    grants: &Grants,
    limits: &IsolateLimits,
) -> Result<IsolateOutput, IsolateError> {
    deed_isolate::run(source, inputs, writes, grants, limits).map_err(|failed| failed.error)
}

/// Runs a whole module with small limits and nothing given.
pub(crate) fn module(source: &str) -> Result<IsolateOutput, IsolateError> {
    run(source, &inputs(), &[OUT.to_owned()], &Grants::default(), &small())
}

/// Runs `body` as the body of the default function.
pub(crate) fn body(body: &str) -> Result<IsolateOutput, IsolateError> {
    module(&format!("export default function (inputs, context) {{ {body} }}"))
}

/// The text that `body` writes.
pub(crate) fn text(source: &str) -> String {
    match body(source) {
        Ok(done) => String::from_utf8(done.outputs[OUT].clone()).unwrap(),
        Err(error) => panic!("{source}\n{error:?}"),
    }
}

/// The text of the expression, as JSON without the newline.
pub(crate) fn value(expression: &str) -> String {
    text(&format!("return {{ out: JSON.stringify({expression}) }}"))
}

fn inputs() -> Vec<(String, Vec<u8>)> {
    vec![
        ("work/rows.json".to_owned(), br#"[{"n":1},{"n":2}]"#.to_vec()),
        ("work/raw.bin".to_owned(), vec![0xff, 0x00, 0x80]),
        ("__proto__".to_owned(), b"{\"x\":1}".to_vec()),
        ("work/bad.json".to_owned(), b"[1,]".to_vec()),
    ]
}
