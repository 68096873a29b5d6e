//! Documents that the strict reader accepts or refuses, with the place of each error.

use deed_canon::{ParseErrorKind, parse, parse_tree, to_canonical};

fn refused(input: &str) -> (ParseErrorKind, String) {
    let error = parse(input.as_bytes()).unwrap_err();
    assert_eq!(parse_tree(input.as_bytes()).unwrap_err(), error, "both readers agree");
    (error.kind, input.get(error.span.start..error.span.end).unwrap_or_default().to_owned())
}

fn check(input: &str, canonical: &str) {
    let value = parse(input.as_bytes()).unwrap_or_else(|e| panic!("{input}: {e}"));
    assert_eq!(String::from_utf8(to_canonical(&value).unwrap()).unwrap(), canonical);
    assert_eq!(parse_tree(input.as_bytes()).unwrap().to_value(), value);
}

#[test]
fn reads_json() {
    check(
        " { \"b\" : [ 1 , 2.50, -0, 1e2, true, null ] , \"a\" : \"\\u20ac\\n\" } ",
        "{\"a\":\"€\\n\",\"b\":[1,2.5,0,100,true,null]}",
    );
    check("-0.0", "0");
    check("1.0", "1");
    check("9007199254740991", "9007199254740991");
    check("1e21", "1e+21");
    check("5e-324", "5e-324");
    check("\"\\ud83d\\ude02\"", "\"😂\"");
    check("{}", "{}");
}

#[test]
fn an_integral_double_is_an_integer() {
    assert_eq!(parse(b"1.0").unwrap(), parse(b"1").unwrap());
    assert_eq!(parse(b"1e3").unwrap(), parse(b"1000").unwrap());
}

#[test]
fn refuses_duplicate_keys_and_names_both_places() {
    let input = "{\"a\":1,\"b\":2,\"a\":3}";
    let error = parse(input.as_bytes()).unwrap_err();
    let ParseErrorKind::DuplicateKey { key, first } = error.kind else { panic!("{error:?}") };
    assert_eq!((key.as_str(), first.start, error.span.start), ("a", 1, 13));
    // An escaped spelling of the same key is the same key.
    assert!(matches!(refused("{\"a\":1,\"\\u0061\":2}").0, ParseErrorKind::DuplicateKey { .. }));
}

#[test]
fn refuses_numbers_that_would_be_rounded() {
    for input in
        ["9007199254740992", "-9007199254740992", "9007199254740993.0", "1e16", "123456789012345678901234567890"]
    {
        assert_eq!(refused(input), (ParseErrorKind::UnsafeInteger, input.to_owned()));
    }
    for input in ["1e400", "-1e400", "1e-400", "0.0000001e-400"] {
        assert_eq!(refused(input), (ParseErrorKind::NumberRange, input.to_owned()));
    }
    check("0e-400", "0");
    for input in ["NaN", "Infinity"] {
        assert_eq!(refused(input).0, ParseErrorKind::NotANumber);
    }
    assert_eq!(refused("-Infinity").0, ParseErrorKind::NotANumber);
}

#[test]
fn refuses_lone_surrogates() {
    for input in ["\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"", "{\"\\udfff\":1}"] {
        assert_eq!(refused(input).0, ParseErrorKind::LoneSurrogate, "{input}");
    }
}

#[test]
fn nests_128_levels_and_no_more() {
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    check(&nested(128), &nested(128));
    assert_eq!(refused(&nested(129)).0, ParseErrorKind::TooDeep { limit: 128 });
    assert_eq!(refused(&"[".repeat(100_000)).0, ParseErrorKind::TooDeep { limit: 128 });
    assert_eq!(refused(&"{\"a\":".repeat(100_000)).0, ParseErrorKind::TooDeep { limit: 128 });
}

#[test]
fn refuses_what_is_not_json() {
    for input in [
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "'a'",
        "01",
        "1.",
        ".5",
        "+1",
        "tru",
        "[1 2]",
        "\"a",
        "\"\\x\"",
        "1 2",
        "\"\t\"",
        "-",
        "1e",
        "// c\n1",
        "\u{a0}1",
    ] {
        parse(input.as_bytes()).unwrap_err();
    }
    assert_eq!(parse(b"\xff").unwrap_err().kind, ParseErrorKind::InvalidUtf8);
    assert_eq!(parse(b"\xef\xbb\xbf1").unwrap_err().kind, ParseErrorKind::ByteOrderMark);
}
