//! `markdown_to_html.v1`: a Markdown report as a whole HTML document.
//!
//! What enters is CommonMark with tables, strikethrough, task lists and footnotes; what leaves is HTML5 in which
//! nothing of the report can act: HTML in it is shown as text, and a link keeps its address only where it is relative
//! or has a scheme that opens a page or a letter. Each of these is noted.

use crate::adapter::{Adapted, only};
use crate::error::{AdapterError, ErrorKind, Place};
use crate::note::{NoteKind, Notes};
use crate::out::Out;
use crate::settings::Settings;
use deed_table::Input;
use deed_table::read_all;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;

/// Schemes that a link may have.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Reports beyond this are refused: a whole one is held, and its parts refer to each other.
const LARGEST: u64 = 32 << 20;

const HEAD: &str = "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>";

pub(crate) fn run(
    inputs: &mut [&mut dyn Input],
    output: &mut dyn Write,
    settings: &Settings<'_>,
) -> Result<Adapted, AdapterError> {
    let limits = &settings.limits;
    let held = u64::try_from(limits.held_bytes).unwrap_or(u64::MAX);
    let bytes = read_all(only(inputs)?, limits.input_bytes.min(held).min(LARGEST))?;
    let mut notes = Notes::default();
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        AdapterError::new(ErrorKind::Encoding, "the report is not UTF-8").at(Place::offset(error.valid_up_to() as u64))
    })?;
    let text = cleaned(text, &mut notes);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
    let title = title(Parser::new_ext(&text, options));
    let mut out = Out::new(output, limits.output_bytes);
    out.buffer.extend_from_slice(HEAD.as_bytes());
    put_escaped(&mut out.buffer, &title);
    out.buffer.extend_from_slice(b"</title>\n</head>\n<body>\n");
    let events = Parser::new_ext(&text, options).into_offset_iter().map(|(event, at)| harmless(event, &at, &mut notes));
    html::write_html_io(&mut out, events).map_err(written)?;
    out.buffer.extend_from_slice(b"</body>\n</html>\n");
    out.finish(None, notes)
}

/// The refusal that stopped the writer; [`Out`] hands its own through as the inner error.
fn written(error: std::io::Error) -> AdapterError {
    match error.downcast::<AdapterError>() {
        Ok(inner) => inner,
        Err(error) => AdapterError::write(&error),
    }
}

/// Without a byte order mark and without characters that HTML cannot hold.
fn cleaned<'t>(text: &'t str, notes: &mut Notes) -> Cow<'t, str> {
    let text = match text.strip_prefix('\u{feff}') {
        None => text,
        Some(rest) => {
            notes.add(NoteKind::ByteOrderMark, || Place::offset(0));
            rest
        }
    };
    let refused = |c: char| {
        matches!(c, '\0'..='\x08' | '\x0b' | '\x0e'..='\x1f' | '\x7f'..='\u{9f}' | '\u{fdd0}'..='\u{fdef}')
            || u32::from(c) & 0xfffe == 0xfffe
    };
    if !text.contains(refused) {
        return Cow::Borrowed(text);
    }
    for (at, _) in text.match_indices(refused) {
        notes.add(NoteKind::ControlDropped, || Place::offset(at as u64));
    }
    Cow::Owned(text.replace(refused, ""))
}

/// The text of the first heading of the first level, or `Report`.
fn title<'t>(events: impl Iterator<Item = Event<'t>>) -> String {
    let mut title = String::new();
    let mut inside = false;
    for event in events {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => inside = true,
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => break,
            Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) if inside => title.push_str(&text),
            Event::SoftBreak | Event::HardBreak if inside => title.push(' '),
            _ => {}
        }
    }
    let title = title.trim();
    if title.is_empty() { "Report".to_owned() } else { title.to_owned() }
}

/// An event that cannot act in a page.
fn harmless<'t>(event: Event<'t>, at: &Range<usize>, notes: &mut Notes) -> Event<'t> {
    let place = || Place::offset(at.start as u64);
    match event {
        Event::Html(text) | Event::InlineHtml(text) => {
            notes.add(NoteKind::HtmlEscaped, place);
            Event::Text(text)
        }
        // The lines of a block of HTML become text; a paragraph of their own keeps them valid.
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: address(dest_url, place, notes), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Image { link_type, dest_url: address(dest_url, place, notes), title, id })
        }
        event => event,
    }
}

/// The address, or `#` where it has a scheme that is not allowed.
fn address<'t>(address: CowStr<'t>, place: impl FnOnce() -> Place, notes: &mut Notes) -> CowStr<'t> {
    if is_allowed(&address) {
        return address;
    }
    notes.add(NoteKind::LinkNeutralised, place);
    "#".into()
}

/// Browsers leave out spaces and control characters when they look for a scheme, and so does this.
fn is_allowed(address: &str) -> bool {
    let bare: String = address.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let Some((scheme, _)) = bare.split_once(':') else { return true };
    if scheme.contains(['/', '?', '#']) {
        return true;
    }
    SCHEMES.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme))
}

fn put_escaped(out: &mut Vec<u8>, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.extend_from_slice(b"&amp;"),
            '<' => out.extend_from_slice(b"&lt;"),
            '>' => out.extend_from_slice(b"&gt;"),
            '"' => out.extend_from_slice(b"&quot;"),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}
