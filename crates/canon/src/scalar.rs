//! Canonical bytes of strings and numbers, shared by the writers of values and of typed data.

use crate::fault::{Fault, FaultKind};
use crate::invariant::Invariant as _;
use crate::number::{MAX_SAFE, is_unsafe_double};

/// The form of a string in the output: verbatim or escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Verbatim,
    Escaped,
}

/// Appends a string in quotes, as in canonical JSON; for callers that write JSON byte by byte.
#[inline]
pub fn put_json_string(out: &mut Vec<u8>, text: &str) {
    put_string(out, text);
}

/// Writes a string in quotes.
#[inline]
pub(crate) fn put_string(out: &mut Vec<u8>, text: &str) -> Form {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let form = put_text(out, bytes);
    out.push(b'"');
    form
}

/// Writes the inside of a string; a long one may come in parts.
#[inline]
pub(crate) fn put_text(out: &mut Vec<u8>, bytes: &[u8]) -> Form {
    if is_plain_json(bytes) {
        out.extend_from_slice(bytes);
        Form::Verbatim
    } else {
        put_escaping(out, bytes);
        Form::Escaped
    }
}

/// Returns true if a text needs no escapes in JSON.
///
/// Blocks are tested without a branch inside, which compiles to vector instructions. The rest after the
/// last whole block is tested as part of a block that overlaps it, so that only very short texts
/// are tested byte by byte.
#[inline]
pub fn is_plain_json(bytes: &[u8]) -> bool {
    if let Some(end) = bytes.last_chunk::<16>() {
        bytes.as_chunks::<16>().0.iter().all(is_plain_block) && is_plain_block(end)
    } else if let (Some(start), Some(end)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        is_plain_block(start) && is_plain_block(end)
    } else {
        !bytes.iter().any(|b| needs_escape(*b))
    }
}

#[inline]
fn is_plain_block<const N: usize>(block: &[u8; N]) -> bool {
    !block.iter().fold(false, |found, b| found | needs_escape(*b))
}

#[inline]
fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

#[inline(never)]
fn put_escaping(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|b| needs_escape(*b)) {
        let (plain, tail) = rest.split_at(at);
        out.extend_from_slice(plain);
        if let Some((special, after)) = tail.split_first() {
            put_escape(out, *special);
            rest = after;
        }
    }
    out.extend_from_slice(rest);
}

fn put_escape(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => out.extend_from_slice(b"\\\""),
        b'\\' => out.extend_from_slice(b"\\\\"),
        0x08 => out.extend_from_slice(b"\\b"),
        0x09 => out.extend_from_slice(b"\\t"),
        0x0a => out.extend_from_slice(b"\\n"),
        0x0c => out.extend_from_slice(b"\\f"),
        0x0d => out.extend_from_slice(b"\\r"),
        other => {
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&crate::hex::pair(other));
        }
    }
}

/// Writes an integer that every reader can represent.
#[inline]
pub(crate) fn put_i64(out: &mut Vec<u8>, number: i64) -> Result<(), Fault> {
    if !(-MAX_SAFE..=MAX_SAFE).contains(&number) {
        return Err(Fault::at(FaultKind::Unsafe));
    }
    if number < 0 {
        out.push(b'-');
    }
    put_digits(out, number.unsigned_abs());
    Ok(())
}

/// Writes an integer that every reader can represent.
#[inline]
pub(crate) fn put_u64(out: &mut Vec<u8>, number: u64) -> Result<(), Fault> {
    if number > MAX_SAFE.unsigned_abs() {
        return Err(Fault::at(FaultKind::Unsafe));
    }
    put_digits(out, number);
    Ok(())
}

/// Writes a double in its shortest form, as ECMAScript does.
pub(crate) fn put_f64(out: &mut Vec<u8>, number: f64) -> Result<(), Fault> {
    if !number.is_finite() {
        return Err(Fault::at(FaultKind::NotFinite));
    }
    if is_unsafe_double(number) {
        return Err(Fault::at(FaultKind::Unsafe));
    }
    out.extend_from_slice(ryu_js::Buffer::new().format_finite(number).as_bytes());
    Ok(())
}

/// Writes decimal digits, whatever the size.
#[inline]
pub(crate) fn put_digits(out: &mut Vec<u8>, number: u64) {
    if number < 10 {
        out.push(b'0' + number as u8);
        return;
    }
    let mut digits = [0u8; 20];
    let mut rest = number;
    let mut used = 0;
    for slot in digits.iter_mut().rev() {
        *slot = b'0' + (rest % 10) as u8;
        used += 1;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(digits.len() - used..).invariant("a number has at most 20 digits"));
}
