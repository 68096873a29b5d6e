//! The RFC 8785 writer. It writes into a sink, so a document can be hashed without being built first.

use crate::error::CanonError;
use crate::fault::{Fault, FaultKind};
use crate::parse::MAX_DEPTH;
use crate::scalar::{put_f64, put_i64, put_string, put_u64};
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// The sink for canonical bytes, in blocks.
pub(crate) trait Sink {
    fn take(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    fn take(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Buffers small writes; the sink receives whole blocks.
struct Out<'a, S> {
    buffer: Vec<u8>,
    sink: &'a mut S,
}

const BLOCK: usize = 16 * 1024;
/// Most documents are small, and allocating a large buffer costs more than writing them.
const FIRST: usize = 1024;

impl<S: Sink> Out<'_, S> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Flushes a full buffer. Called between values, so that writing a byte stays cheap.
    #[inline]
    fn spill(&mut self) {
        if self.buffer.len() >= BLOCK {
            self.sink.take(&self.buffer);
            self.buffer.clear();
        }
    }
}

/// Returns the canonical bytes of a value.
///
/// # Errors
/// If the value has no canonical form.
pub fn to_canonical(value: &Value) -> Result<Vec<u8>, CanonError> {
    let mut out = Vec::new();
    write(value, &mut out)?;
    Ok(out)
}

/// Returns the canonical form as text, for messages and command output.
///
/// # Errors
/// If the value has no canonical form.
pub fn canonical_string(value: &Value) -> Result<String, CanonError> {
    let bytes = to_canonical(value)?;
    String::from_utf8(bytes).map_err(|e| CanonError::NotJson(e.to_string()))
}

/// Compares two keys by their UTF-16 code units, as RFC 8785 requires.
///
/// Byte order is the same except where a character beyond the basic plane (its first byte is 0xF0 or more)
/// meets one from U+E000 up (0xEE or 0xEF): written as surrogates, the former sorts first.
#[inline]
pub fn utf16_cmp(a: &str, b: &str) -> Ordering {
    utf16_cmp_bytes(a.as_bytes(), b.as_bytes())
}

/// [`utf16_cmp`] for keys as UTF-8 bytes.
#[inline]
pub(crate) fn utf16_cmp_bytes(a: &[u8], b: &[u8]) -> Ordering {
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((0xf0.., 0xee | 0xef)) => Ordering::Less,
        Some((0xee | 0xef, 0xf0..)) => Ordering::Greater,
        Some((x, y)) => x.cmp(y),
        None => a.len().cmp(&b.len()),
    }
}

pub(crate) fn write(value: &Value, sink: &mut impl Sink) -> Result<(), CanonError> {
    let mut out = Out { buffer: Vec::with_capacity(FIRST), sink };
    write_value(value, &mut out, MAX_DEPTH).map_err(Fault::into_error)?;
    out.sink.take(&out.buffer);
    Ok(())
}

fn write_value(value: &Value, out: &mut Out<'_, impl Sink>, levels: usize) -> Result<(), Fault> {
    match value {
        Value::Null => out.put(b"null"),
        Value::Bool(true) => out.put(b"true"),
        Value::Bool(false) => out.put(b"false"),
        Value::Number(n) => write_number(n, &mut out.buffer)?,
        Value::String(s) => {
            put_string(&mut out.buffer, s);
        }
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
    // Most maps are already in canonical order; only the others are sorted.
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
        put_string(&mut out.buffer, key);
        out.put(b":");
        write_value(value, out, levels).map_err(|f| f.under(key))?;
        out.spill();
    }
    Ok(())
}

fn write_number(number: &Number, out: &mut Vec<u8>) -> Result<(), Fault> {
    if let Some(n) = number.as_i64() {
        return put_i64(out, n);
    }
    if let Some(n) = number.as_u64() {
        return put_u64(out, n);
    }
    put_f64(out, number.as_f64().ok_or_else(|| Fault::at(FaultKind::NotFinite))?)
}
