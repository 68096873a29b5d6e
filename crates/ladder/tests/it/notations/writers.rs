//! Writers of values in notations that are not JSON.

use serde_json::{Map, Value};

/// A notation and its writer.
pub(crate) struct Notation {
    pub(crate) name: &'static str,
    /// The rule by which it is read; none where older rules read a part of its texts.
    pub(crate) rule: Option<&'static str>,
    /// Writes a value; none where the notation cannot.
    pub(crate) write: fn(&Value) -> Option<String>,
    /// It has no lists and objects within objects.
    pub(crate) is_flat: bool,
    /// Nothing says where a text ends, so that a cut may lie within the last value.
    pub(crate) is_open: bool,
}

const fn closed(name: &'static str, rule: Option<&'static str>, write: fn(&Value) -> Option<String>) -> Notation {
    Notation { name, rule, write, is_flat: false, is_open: false }
}

const LITERAL: Option<&str> = Some("language_literal");

pub(crate) const NOTATIONS: [Notation; 22] = [
    closed("lua", None, |value| Some(format!("return {}\n", lua(value)))),
    closed("php", None, |value| Some(format!("<?php\n\nreturn {};\n", php(value)))),
    closed("swift", LITERAL, |value| Some(format!("let record: [String: Any] = {}", swift(value)))),
    closed("go", None, |value| Some(format!("record := {}\n", go(value)))),
    closed("kotlin", LITERAL, |value| Some(format!("val record = {}", kotlin(value)))),
    closed("r", None, |value| Some(format!("record <- {}", r(value)))),
    closed("powershell", None, |value| Some(powershell(value, 0))),
    closed("edn", None, |value| Some(edn(value))),
    closed("ruby", None, |value| Some(format!("record = {}", ruby(value)))),
    closed("scala", LITERAL, |value| Some(format!("val record = {}", scala(value)))),
    closed("rust", None, |value| Some(format!("let record = {};", rust(value)))),
    closed("c_sharp", None, |value| Some(format!("var record = {};", c_sharp(value)))),
    closed("java", LITERAL, |value| Some(format!("var record = {};", java(value)))),
    closed("xml", None, |value| Some(format!("<?xml version=\"1.0\"?>\n<record>\n{}</record>", xml(value)))),
    closed("plist", Some("markup_elements"), |value| {
        Some(format!("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n{}</plist>\n", plist(value)))
    }),
    Notation { is_open: true, ..closed("hcl", None, |value| Some(hcl(value.as_object()?, 0))) },
    Notation { is_open: true, ..closed("protobuf", None, |value| protobuf(value.as_object()?, 0)) },
    Notation { is_flat: true, ..closed("sql", Some("insert_rows"), sql) },
    Notation { is_flat: true, ..closed("html table", Some("markup_elements"), html_table) },
    Notation { is_flat: true, ..closed("definitions", Some("markup_elements"), definitions) },
    Notation { is_flat: true, is_open: true, ..closed("query", None, query) },
    Notation { is_flat: true, is_open: true, ..closed("env", None, env) },
];

/// A text in quotes, with a backslash before each of the given characters.
fn quoted(text: &str, quote: char, escaped: &[char]) -> String {
    let mut out = String::from(quote);
    for c in text.chars() {
        if c == quote || c == '\\' || escaped.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(quote);
    out
}

fn scalar(value: &Value, text: impl Fn(&str) -> String, words: [&str; 3]) -> String {
    match value {
        Value::String(inner) => text(inner),
        Value::Bool(true) => words[0].to_owned(),
        Value::Bool(false) => words[1].to_owned(),
        Value::Null => words[2].to_owned(),
        other => other.to_string(),
    }
}

fn joined(items: &[Value], write: impl Fn(&Value) -> String, by: &str) -> String {
    items.iter().map(write).collect::<Vec<_>>().join(by)
}

fn members(map: &Map<String, Value>, write: impl Fn(&str, &Value) -> String, by: &str) -> String {
    map.iter().map(|(key, value)| write(key, value)).collect::<Vec<_>>().join(by)
}

fn lua(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("{{ {} }}", joined(items, lua, ", ")),
        Value::Object(map) => {
            format!("{{\n{},\n}}", members(map, |key, value| format!("{key} = {}", lua(value)), ",\n"))
        }
        other => scalar(other, |text| quoted(text, '"', &[]), ["true", "false", "nil"]),
    }
}

fn php(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", joined(items, php, ", ")),
        Value::Object(map) => {
            format!("array({})", members(map, |key, value| format!("'{key}' => {}", php(value)), ", "))
        }
        other => scalar(other, |text| quoted(text, '\'', &[]), ["TRUE", "FALSE", "null"]),
    }
}

fn swift(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", joined(items, swift, ", ")),
        Value::Object(map) => format!("[{}]", members(map, |key, value| format!("\"{key}\": {}", swift(value)), ", ")),
        other => scalar(other, |text| quoted(text, '"', &[]), ["true", "false", "nil"]),
    }
}

fn go(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[]any{{{}}}", joined(items, go, ", ")),
        Value::Object(map) => {
            format!(
                "map[string]interface{{}}{{\n{},\n}}",
                members(map, |key, value| format!("\t\"{key}\": {}", go(value)), ",\n")
            )
        }
        other => scalar(other, |text| quoted(text, '"', &[]), ["true", "false", "nil"]),
    }
}

fn kotlin(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("listOf({})", joined(items, kotlin, ", ")),
        Value::Object(map) => {
            format!("mapOf({})", members(map, |key, value| format!("\"{key}\" to {}", kotlin(value)), ", "))
        }
        other => scalar(other, |text| quoted(text, '"', &['$']), ["true", "false", "null"]),
    }
}

fn r(value: &Value) -> String {
    match value {
        Value::Array(items) if items.iter().any(Value::is_object) => format!("list({})", joined(items, r, ", ")),
        Value::Array(items) => format!("c({})", joined(items, r, ", ")),
        Value::Object(map) => format!("list({})", members(map, |key, value| format!("{key} = {}", r(value)), ", ")),
        Value::Number(number) if number.is_i64() => format!("{number}L"),
        other => scalar(other, |text| quoted(text, '"', &[]), ["TRUE", "FALSE", "NULL"]),
    }
}

fn powershell(value: &Value, depth: usize) -> String {
    let inner = |value: &Value| powershell(value, depth + 1);
    match value {
        Value::Array(items) => format!("@({})", joined(items, inner, ", ")),
        Value::Object(map) if depth.is_multiple_of(2) => {
            format!("@{{\n{}\n}}", members(map, |key, value| format!("    {key} = {}", inner(value)), "\n"))
        }
        Value::Object(map) => {
            format!("@{{ {} }}", members(map, |key, value| format!("{key} = {}", inner(value)), "; "))
        }
        other => scalar(other, |text| format!("'{}'", text.replace('\'', "''")), ["$true", "$false", "$null"]),
    }
}

fn edn(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", joined(items, edn, " ")),
        Value::Object(map) => format!("{{{}}}", members(map, |key, value| format!(":{key} {}", edn(value)), ", ")),
        other => scalar(other, |text| quoted(text, '"', &[]), ["true", "false", "nil"]),
    }
}

fn ruby(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", joined(items, ruby, ", ")),
        Value::Object(map) => format!("{{{}}}", members(map, |key, value| format!(":{key} => {}", ruby(value)), ", ")),
        other => scalar(other, |text| quoted(text, '\'', &[]), ["true", "false", "nil"]),
    }
}

fn scala(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("List({})", joined(items, scala, ", ")),
        Value::Object(map) => {
            format!("Map({})", members(map, |key, value| format!("\"{key}\" -> {}", scala(value)), ", "))
        }
        other => scalar(other, |text| quoted(text, '"', &[]), ["true", "false", "None"]),
    }
}

fn rust(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("vec![{}]", joined(items, rust, ", ")),
        Value::Object(map) => {
            format!("Record {{ {} }}", members(map, |key, value| format!("{key}: {}", rust(value)), ", "))
        }
        other => scalar(other, |text| format!("{}.to_string()", quoted(text, '"', &[])), ["true", "false", "None"]),
    }
}

fn c_sharp(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("new[] {{ {} }}", joined(items, c_sharp, ", ")),
        Value::Object(map) => {
            format!("new Record {{ {} }}", members(map, |key, value| format!("{key} = {}", c_sharp(value)), ", "))
        }
        Value::Number(number) if number.is_f64() => format!("{number}m"),
        other => scalar(other, |text| quoted(text, '"', &[]), ["true", "false", "null"]),
    }
}

fn java(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("List.of({})", joined(items, java, ", ")),
        Value::Object(map) => {
            format!("Map.of({})", members(map, |key, value| format!("\"{key}\", {}", java(value)), ", "))
        }
        other => scalar(other, |text| quoted(text, '"', &[]), ["true", "false", "null"]),
    }
}

fn hcl(map: &Map<String, Value>, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let line = |key: &str, value: &Value| match value {
        Value::Object(inner) => format!("{indent}{key} {{\n{}{indent}}}\n", hcl(inner, depth + 1)),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let block =
                |item: &Value| format!("{indent}{key} {{\n{}{indent}}}\n", hcl(item.as_object().unwrap(), depth + 1));
            items.iter().map(block).collect()
        }
        Value::Array(items) => format!("{indent}{key} = [{}]\n", joined(items, hcl_scalar, ", ")),
        other => format!("{indent}{key} = {}\n", hcl_scalar(other)),
    };
    map.iter().map(|(key, value)| line(key, value)).collect()
}

fn hcl_scalar(value: &Value) -> String {
    scalar(value, |text| quoted(text, '"', &[]), ["true", "false", "null"])
}

fn protobuf(map: &Map<String, Value>, depth: usize) -> Option<String> {
    let indent = "  ".repeat(depth);
    let mut out = String::new();
    for (key, value) in map {
        let items = match value {
            Value::Array(items) => items.clone(),
            other => vec![other.clone()],
        };
        for item in items {
            match &item {
                Value::Object(inner) => {
                    out.push_str(&format!("{indent}{key} {{\n{}{indent}}}\n", protobuf(inner, depth + 1)?))
                }
                Value::Null => return None,
                other => out.push_str(&format!("{indent}{key}: {}\n", hcl_scalar(other))),
            }
        }
    }
    Some(out)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn plain(value: &Value) -> String {
    scalar(value, str::to_owned, ["true", "false", "null"])
}

fn xml(value: &Value) -> String {
    match value {
        Value::Object(map) => map.iter().map(|(key, value)| format!("<{key}>{}</{key}>\n", xml(value))).collect(),
        Value::Array(items) => items.iter().map(|item| format!("<item>{}</item>", xml(item))).collect(),
        other => escaped(&plain(other)),
    }
}

fn plist(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            format!("<dict>\n{}</dict>\n", members(map, |key, value| format!("<key>{key}</key>{}", plist(value)), "\n"))
        }
        Value::Array(items) => format!("<array>{}</array>", joined(items, plist, "")),
        Value::Bool(value) => format!("<{value}/>"),
        Value::Number(number) if number.is_i64() => format!("<integer>{number}</integer>"),
        Value::Number(number) => format!("<real>{number}</real>"),
        other => format!("<string>{}</string>", escaped(&plain(other))),
    }
}

fn sql(value: &Value) -> Option<String> {
    let map = value.as_object()?;
    let columns = members(map, |key, _| key.to_owned(), ", ");
    let write =
        |value: &Value| scalar(value, |text| format!("'{}'", text.replace('\'', "''")), ["TRUE", "FALSE", "NULL"]);
    let values = members(map, |_, value| write(value), ", ");
    Some(format!("INSERT INTO records ({columns})\nVALUES ({values});"))
}

fn html_table(value: &Value) -> Option<String> {
    let map = value.as_object()?;
    let headers = members(map, |key, _| format!("<th>{key}</th>"), "");
    let cells = members(map, |_, value| format!("<td>{}</td>", escaped(&plain(value))), "");
    Some(format!(
        "<table class=\"plain\">\n<thead><tr>{headers}</tr></thead>\n<tbody><tr>{cells}</tr></tbody>\n</table>"
    ))
}

fn definitions(value: &Value) -> Option<String> {
    let terms =
        members(value.as_object()?, |key, value| format!("<dt>{key}</dt><dd>{}</dd>", escaped(&plain(value))), "\n");
    Some(format!("<dl>\n{terms}\n</dl>"))
}

fn query(value: &Value) -> Option<String> {
    let encoded = |text: String| -> String {
        let byte = |byte: u8| match byte {
            b' ' => "+".to_owned(),
            byte if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        };
        text.bytes().map(byte).collect()
    };
    Some(members(value.as_object()?, |key, value| format!("{key}={}", encoded(plain(value))), "&"))
}

fn env(value: &Value) -> Option<String> {
    let write = |value: &Value| scalar(value, |text| quoted(text, '"', &[]), ["true", "false", ""]);
    Some(format!("# settings\n{}\n", members(value.as_object()?, |key, value| format!("{key}={}", write(value)), "\n")))
}
