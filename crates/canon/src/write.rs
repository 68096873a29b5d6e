//! The RFC 8785 writer. It pushes bytes into a sink, so a document is hashed without being built first.

use crate::error::CanonError;
use crate::number::{MAX_SAFE, is_unsafe_double};
use crate::parse::MAX_DEPTH;
use crate::tree::Pointer;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// Where canonical bytes go once a buffer's worth of them is there.
pub(crate) trait Sink {
    fn take(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    fn take(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Small writes go into a buffer; the sink sees whole blocks.
struct Out<'a, S> {
    buffer: Vec<u8>,
    sink: &'a mut S,
}

const BLOCK: usize = 16 * 1024;

impl<S: Sink> Out<'_, S> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Called between values, so that putting a byte is only putting a byte.
    #[inline]
    fn spill(&mut self) {
        if self.buffer.len() >= BLOCK {
            self.sink.take(&self.buffer);
            self.buffer.clear();
        }
    }
}

/// The canonical bytes of a value.
pub fn to_canonical(value: &Value) -> Result<Vec<u8>, CanonError> {
    let mut out = Vec::new();
    write(value, &mut out)?;
    Ok(out)
}

/// The canonical form as text, for messages and command output.
pub fn canonical_string(value: &Value) -> Result<String, CanonError> {
    let bytes = to_canonical(value)?;
    String::from_utf8(bytes).map_err(|e| CanonError::NotJson(e.to_string()))
}

/// Orders two keys by their UTF-16 code units, as RFC 8785 asks.
///
/// Byte order is the same except where a character beyond the basic plane (its first byte is 0xF0 or more)
/// meets one from U+E000 up (0xEE or 0xEF): written as surrogates, the former sorts first.
pub fn utf16_cmp(a: &str, b: &str) -> Ordering {
    match a.bytes().zip(b.bytes()).find(|(x, y)| x != y) {
        Some((0xf0.., 0xee | 0xef)) => Ordering::Less,
        Some((0xee | 0xef, 0xf0..)) => Ordering::Greater,
        Some((x, y)) => x.cmp(&y),
        None => a.len().cmp(&b.len()),
    }
}

pub(crate) fn write(value: &Value, sink: &mut impl Sink) -> Result<(), CanonError> {
    let mut out = Out { buffer: Vec::with_capacity(BLOCK + 1024), sink };
    write_value(value, &mut out, MAX_DEPTH).map_err(Fault::into_error)?;
    out.sink.take(&out.buffer);
    Ok(())
}

/// A fault found deep inside, gathering its pointer on the way out so that the good path pays nothing.
struct Fault {
    kind: FaultKind,
    path: Vec<String>,
}

enum FaultKind {
    Unsafe,
    NotFinite,
    TooDeep,
}

impl Fault {
    fn at(kind: FaultKind) -> Self {
        Self { kind, path: Vec::new() }
    }

    fn under(mut self, token: &dyn ToString) -> Self {
        self.path.push(token.to_string());
        self
    }

    fn into_error(self) -> CanonError {
        let pointer = self.path.iter().rev().fold(String::new(), |p, token| Pointer::push(&p, token));
        match self.kind {
            FaultKind::Unsafe => CanonError::UnsafeInteger { pointer },
            FaultKind::NotFinite => CanonError::NotFinite { pointer },
            FaultKind::TooDeep => CanonError::TooDeep { limit: MAX_DEPTH },
        }
    }
}

fn write_value(value: &Value, out: &mut Out<'_, impl Sink>, levels: usize) -> Result<(), Fault> {
    match value {
        Value::Null => out.put(b"null"),
        Value::Bool(true) => out.put(b"true"),
        Value::Bool(false) => out.put(b"false"),
        Value::Number(n) => write_number(n, out)?,
        Value::String(s) => write_string(s, out),
        Value::Array(items) => {
            let levels = levels.checked_sub(1).ok_or_else(|| Fault::at(FaultKind::TooDeep))?;
            out.put(b"[");
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.put(b",");
                }
                write_value(item, out, levels).map_err(|f| f.under(&i))?;
                out.spill();
            }
            out.put(b"]");
        }
        Value::Object(map) => {
            let levels = levels.checked_sub(1).ok_or_else(|| Fault::at(FaultKind::TooDeep))?;
            write_object(map, out, levels)?;
        }
    }
    Ok(())
}

fn write_object(map: &Map<String, Value>, out: &mut Out<'_, impl Sink>, levels: usize) -> Result<(), Fault> {
    // The map's own order is insertion or byte order, depending on features elsewhere in the build.
    // Most maps are in canonical order already; only the others pay for a sort.
    let sorted = map.keys().zip(map.keys().skip(1)).all(|(a, b)| utf16_cmp(a, b) == Ordering::Less);
    out.put(b"{");
    if sorted {
        write_members(map.iter(), out, levels)?;
    } else {
        let mut members: Vec<_> = map.iter().collect();
        members.sort_by(|a, b| utf16_cmp(a.0, b.0));
        write_members(members.into_iter(), out, levels)?;
    }
    out.put(b"}");
    Ok(())
}

fn write_members<'a>(
    members: impl Iterator<Item = (&'a String, &'a Value)>,
    out: &mut Out<'_, impl Sink>,
    levels: usize,
) -> Result<(), Fault> {
    for (i, (key, value)) in members.enumerate() {
        if i > 0 {
            out.put(b",");
        }
        write_string(key, out);
        out.put(b":");
        write_value(value, out, levels).map_err(|f| f.under(key))?;
        out.spill();
    }
    Ok(())
}

fn write_number(number: &Number, out: &mut Out<'_, impl Sink>) -> Result<(), Fault> {
    if let Some(n) = number.as_i64() {
        if !(-MAX_SAFE..=MAX_SAFE).contains(&n) {
            return Err(Fault::at(FaultKind::Unsafe));
        }
        write_integer(n, out);
        return Ok(());
    }
    if number.is_u64() {
        return Err(Fault::at(FaultKind::Unsafe));
    }
    match number.as_f64() {
        Some(value) if !value.is_finite() => Err(Fault::at(FaultKind::NotFinite)),
        Some(value) if is_unsafe_double(value) => Err(Fault::at(FaultKind::Unsafe)),
        Some(value) => {
            out.put(ryu_js::Buffer::new().format_finite(value).as_bytes());
            Ok(())
        }
        None => Err(Fault::at(FaultKind::NotFinite)),
    }
}

fn write_integer(number: i64, out: &mut Out<'_, impl Sink>) {
    let mut digits = [0u8; 20];
    let mut rest = number.unsigned_abs();
    let mut used = 0;
    for slot in digits.iter_mut().rev() {
        *slot = b'0' + (rest % 10) as u8;
        used += 1;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.put(b"-");
    }
    out.put(digits.get(digits.len() - used..).unwrap_or_default());
}

/// The bytes that cannot stand in a string as they are.
#[allow(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
const ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = true;
        control += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

fn write_string(text: &str, out: &mut Out<'_, impl Sink>) {
    out.put(b"\"");
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|b| ESCAPED.get(usize::from(*b)).is_some_and(|e| *e)) {
        let (plain, tail) = rest.split_at(at);
        out.put(plain);
        if let Some((special, after)) = tail.split_first() {
            write_escape(*special, out);
            rest = after;
        }
    }
    out.put(rest);
    out.put(b"\"");
}

fn write_escape(byte: u8, out: &mut Out<'_, impl Sink>) {
    match byte {
        b'"' => out.put(b"\\\""),
        b'\\' => out.put(b"\\\\"),
        0x08 => out.put(b"\\b"),
        0x09 => out.put(b"\\t"),
        0x0a => out.put(b"\\n"),
        0x0c => out.put(b"\\f"),
        0x0d => out.put(b"\\r"),
        other => out.put(format!("\\u{other:04x}").as_bytes()),
    }
}
