//! Streams as text: server-sent events and lines of JSON.

use super::fault::{DecodeFault, failure, json};
use serde_json::Value;

/// The beginnings of lines of a stream; a line that begins with a colon is a comment.
const FIELDS: [&str; 5] = ["data:", "event:", "id:", "retry:", ":"];

/// Returns the data of server-sent events, in order, without the marker of the end. The last event counts only if the
/// stream went on after it: one that broke off has no empty line behind it.
pub(super) fn server_sent(text: &str) -> Result<Vec<Value>, DecodeFault> {
    let text = text.trim_start_matches('\u{feff}');
    let (mut found, mut data, mut fields) = (Vec::new(), Vec::new(), 0_usize);
    let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r')).peekable();
    while let Some(line) = lines.next() {
        let is_last = lines.peek().is_none();
        if line.is_empty() {
            found.extend(event(&mut data)?);
        } else if let Some(value) = line.strip_prefix("data:") {
            fields += 1;
            data.push(value.strip_prefix(' ').unwrap_or(value));
        } else if FIELDS.iter().any(|field| line.starts_with(field) || (is_last && field.starts_with(line))) {
            fields += 1;
        } else if fields == 0 {
            // Not a stream of events at all: a page, most often.
            return Err(json(text).err().unwrap_or(DecodeFault::NotJson("text")));
        }
    }
    Ok(found)
}

fn event(data: &mut Vec<&str>) -> Result<Option<Value>, DecodeFault> {
    if data.is_empty() {
        return Ok(None);
    }
    let whole = std::mem::take(data).join("\n");
    if whole.trim() == "[DONE]" || whole.trim().is_empty() {
        return Ok(None);
    }
    let value = json(&whole)?;
    failure(&value)?;
    Ok(Some(value))
}

/// Returns the values of lines of JSON. A last line without its end is left out if it breaks off.
pub(super) fn json_lines(text: &str) -> Result<Vec<Value>, DecodeFault> {
    let mut found = Vec::new();
    for line in text.split('\n').map(str::trim).filter(|line| !line.is_empty()) {
        let value = match json(line) {
            // Only the last line can break off; what is missing is found when the reply is put together.
            Err(DecodeFault::Cut) if text.trim_end().ends_with(line) => break,
            other => other?,
        };
        failure(&value)?;
        found.push(value);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn events_are_read_with_comments_line_ends_and_several_lines_of_data() {
        let text = ": ping\r\n\r\nevent: x\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata: [DONE]\n\ndata: {\"cut\":";
        assert_eq!(server_sent(text), Ok(vec![json!({"a": 1})]));
        assert_eq!(server_sent("<html>\n</html>"), Err(DecodeFault::NotJson("a page")));
        assert_eq!(json_lines("{\"a\":1}\n{\"b\":"), Ok(vec![json!({"a": 1})]));
    }
}
