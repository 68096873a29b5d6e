//! Prints `vectors/canon.json`: documents, refusals, an envelope and a chain that another language can recompute.

use deed_canon::{Link, SigningKey, Statement, Subject, TypeTag, append, derive_id, hash, parse, to_canonical};
use serde_json::{Value, json};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let documents = [
        ("deed/test/v1", "{\"b\":1,\"a\":[true,null,\"x\"]}"),
        ("deed/other/v1", "{\"b\":1,\"a\":[true,null,\"x\"]}"),
        ("deed/test/v1", "[0.1,1e21,1E-7,100,-0,4.50,333333333.33333329,1e-27,9007199254740991]"),
        ("deed/test/v1", "{\"\\ufb33\":1,\"\\ud83d\\ude00\":2,\"\\u20ac\":3,\"\":4,\"a b\":5}"),
        ("deed/test/v1", "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\\u007f\\u2028\""),
        ("deed/context-pack/v2", "{}"),
    ];
    let mut cases = Vec::new();
    for (tag, input) in documents {
        let value = parse(input.as_bytes())?;
        let digest = hash(&tag.parse::<TypeTag>()?, &value)?;
        cases.push(json!({
            "tag": tag, "input": input, "canonical": String::from_utf8(to_canonical(&value)?)?,
            "hash": digest, "id": derive_id("id", &digest),
        }));
    }
    let key = SigningKey::from_seed(&[7; 32]);
    let statement = Statement::new(
        vec![Subject { name: "ctxpack.example@1.0.0".into(), digest: [("sha256".to_owned(), "00".repeat(32))].into() }],
        "urn:deed:predicate:example:v1",
        json!({ "note": "an example, signed with a key that everybody knows" }),
    );
    let mut links: Vec<Link> = Vec::new();
    for body in [json!({ "event": "first" }), json!({ "event": "second", "n": 2 }), Value::from("third")] {
        let head = links.last().map(Link::head);
        links.push(append(head.as_ref(), body)?);
    }
    let vectors = json!({
        "about": "Recomputed by tests/it/vectors.rs and by vectors/check.mjs. The key's seed is 32 bytes of 7.",
        "documents": cases,
        "refused": ["{\"a\":1,\"a\":2}", "9007199254740992", "1e16", "1e400", "1e-400", "NaN", "\"\\ud800\"", "[1,]",
            "\u{feff}1", &"[".repeat(129)],
        "envelope": {
            "private_key_pem": key.to_pem()?.as_ref(), "public_key": key.public(), "key_id": key.public().id(),
            "statement": statement, "envelope": statement.sign(&key)?,
        },
        "chain": links,
    });
    println!("{vectors:#}");
    Ok(())
}
