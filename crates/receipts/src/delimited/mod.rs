//! CSV and TSV: every record once, in a window, with nothing kept but the summary.
//!
//! Input: a feed at its beginning. Output: the parse outcome and the summary of the table. The first record is the
//! header. A record that does not parse ends the inspection.

mod recent;

use crate::bytes::{after, before};
use crate::context::{FormatReport, InspectContext, fails, not_checked, quote};
use crate::feed::Feed;
use crate::sentinel::{TextContext, Watch};
use crate::table::hash::hash;
use crate::table::{Table, value};
use deed_diag::Invariant as _;
use deed_model::{ContentSummary, Coverage, FoundAt, ParseOutcome};
use deed_table::cells::{Fault, FaultKind, Form, Found, Scanner, Span};
use recent::{KnownCell, RecentCells};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

/// The number of rows from which on repeated cells are recognised.
const MANY_ROWS: u64 = 1_000;

/// The reader of a table.
struct Reader<'t, 'l> {
    table: Option<Table>,
    /// Recent cells of each column; empty while there are few rows, and with too many columns.
    recent: Vec<RecentCells>,
    cells: usize,
    line: u64,
    offset: u64,
    context: &'t mut InspectContext<'l>,
}

/// Inspects a table.
pub(crate) fn inspect(
    feed: &mut Feed<'_, '_>,
    delimiter: u8,
    context: &mut InspectContext<'_>,
) -> io::Result<FormatReport> {
    if feed.rest().starts_with(b"\xef\xbb\xbf") {
        feed.consume(3);
        context.note("a byte order mark stands before the table");
    }
    let scanner = Scanner::new(delimiter, context.limits.cells, usize::MAX);
    let mut watch = Watch::new(context.sentinels.needles());
    let most = context.limits.row_bytes;
    let mut reader = Reader { table: None, recent: Vec::new(), cells: 0, line: 1, offset: 0, context };
    let mut spans = Vec::new();
    let parse = loop {
        watch.see(feed.rest(), feed.offset());
        let (used, stopped) = reader.window(feed.rest(), feed.offset(), feed.ended(), &scanner, &mut watch, &mut spans);
        feed.consume(used);
        if let Some(outcome) = stopped {
            break outcome;
        }
        if feed.ended() {
            break reader.end();
        }
        if feed.rest().len() > most {
            break reader.too_long();
        }
        feed.more()?;
    };
    let coverage = if parse == ParseOutcome::Parses { Coverage::Complete } else { Coverage::Partial };
    let summary = reader.table.map_or(ContentSummary::Opaque, |table| ContentSummary::Table(table.summary(coverage)));
    Ok(FormatReport { parse, summary })
}

impl Reader<'_, '_> {
    /// Reads the records of a window. Returns the bytes they take, and the outcome if it stopped.
    fn window(
        &mut self,
        window: &[u8],
        offset: u64,
        ended: bool,
        scanner: &Scanner,
        watch: &mut Watch,
        spans: &mut Vec<Span>,
    ) -> (usize, Option<ParseOutcome>) {
        let mut used = 0;
        loop {
            let bytes = after(window, used);
            if bytes.is_empty() {
                return (used, None);
            }
            self.offset = offset + used as u64;
            let (length, lines) = match scanner.scan(bytes, ended, spans) {
                Ok(Found::Record { length, lines }) => (length, lines),
                Ok(Found::More) => return (used, None),
                Err(fault) => return (used, Some(self.refusal(fault))),
            };
            if length > self.context.limits.row_bytes {
                return (used, Some(self.too_long()));
            }
            let watched = watch.touches(self.offset, self.offset + length as u64);
            if let Err(outcome) = self.record(bytes, spans, watched) {
                return (used, Some(outcome));
            }
            used += length;
            self.line += lines;
        }
    }

    fn record(&mut self, bytes: &[u8], spans: &[Span], watched: bool) -> Result<(), ParseOutcome> {
        if let [Span { start: 0, end: 0, .. }] = spans {
            self.context.note("the table has blank lines, which are no rows");
            return Ok(());
        }
        let Some(table) = &mut self.table else { return self.header(bytes, spans) };
        if spans.len() != self.cells {
            let message = format!("{} cells where the header has {}", spans.len(), self.cells);
            return Err(fails(place(self.line, table.rows() + 1), message));
        }
        if table.rows() == MANY_ROWS && self.recent.is_empty() {
            self.recent = recent::of_columns(table.width());
        }
        for (at, span) in spans.iter().enumerate() {
            let cell = span.of(bytes);
            if let Err(valid) = see(table, self.recent.get_mut(at), at, cell, span.form == Form::Doubled) {
                let offset = self.offset + u64::from(span.start) + valid as u64;
                let place = FoundAt { offset: Some(offset), ..place(self.line, table.rows() + 1) };
                return Err(fails(place, "the bytes are not UTF-8"));
            }
        }
        if watched {
            self.placeholders(bytes, spans);
        }
        self.table.as_mut().invariant("a record follows the header").end_row();
        Ok(())
    }

    #[cold]
    fn placeholders(&mut self, bytes: &[u8], spans: &[Span]) {
        let table = self.table.as_ref().invariant("a record follows the header");
        for (at, span) in spans.iter().enumerate() {
            let cell = span.of(bytes);
            let number = (at + 1).to_string();
            let name = if at < table.width() { table.name(at) } else { &number };
            let place = || place(self.line, table.rows() + 1);
            self.context.sentinels.check(
                &unquoted(cell, span.form == Form::Doubled),
                TextContext::Prose,
                Some(name),
                place,
            );
        }
    }

    fn header(&mut self, bytes: &[u8], spans: &[Span]) -> Result<(), ParseOutcome> {
        let at = FoundAt { line: Some(self.line), ..FoundAt::default() };
        let mut table = Table::new(self.context.limits, Some(spans.len()));
        let mut seen = HashSet::new();
        let mut numbers = 0;
        for (i, span) in spans.iter().enumerate() {
            let cell = unquoted(span.of(bytes), span.form == Form::Doubled);
            let Ok(name) = std::str::from_utf8(&cell) else {
                return Err(fails(at, format!("the name of column {} is not UTF-8", i + 1)));
            };
            if name.is_empty() {
                return Err(fails(at, format!("the name of column {} is empty", i + 1)));
            }
            if !seen.insert(hash(&cell)) {
                return Err(fails(at, format!("two columns are called {}", quote(name))));
            }
            let of = value::of_cell(&cell, value::byte_classes(&cell));
            numbers += usize::from(matches!(of, value::Value::Integer(_)));
            table.add(name);
            self.context.sentinels.check(&cell, TextContext::Prose, None, || at.clone());
        }
        if numbers == spans.len() {
            self.context.note("every name in the header is a number: the first line may be a row");
        }
        if table.distinct_limit() < self.context.limits.distinct {
            let note = format!("distinct values are counted exactly up to {} a column", table.distinct_limit());
            self.context.note(format!("{note}, since there are {} columns", spans.len()));
        }
        if spans.len() > table.width() {
            self.context.note(format!("columns after the first {} are counted and not summarised", table.width()));
        }
        self.cells = spans.len();
        self.table = Some(table);
        Ok(())
    }

    fn end(&self) -> ParseOutcome {
        match &self.table {
            Some(_) => ParseOutcome::Parses,
            None => fails(FoundAt { line: Some(1), ..FoundAt::default() }, "the table has no header"),
        }
    }

    fn too_long(&self) -> ParseOutcome {
        not_checked(format!("line {} begins a row of more than {} bytes", self.line, self.context.limits.row_bytes))
    }

    fn refusal(&self, fault: Fault) -> ParseOutcome {
        if fault.kind == FaultKind::Cells {
            return not_checked(format!("line {} has more than {} cells", self.line, self.context.limits.cells));
        }
        let mut place =
            FoundAt { line: Some(self.line), offset: Some(self.offset + fault.at as u64), ..FoundAt::default() };
        if let Some(table) = &self.table {
            place.row = Some(table.rows() + 1);
            place.field = (fault.cell < table.width()).then(|| crate::context::cut(table.name(fault.cell), 40));
        }
        fails(place, fault.kind.message())
    }
}

/// Adds a cell to the table. Fails with the number of valid bytes if they are not UTF-8.
#[inline]
fn see(
    table: &mut Table,
    recent: Option<&mut RecentCells>,
    at: usize,
    cell: &[u8],
    doubled: bool,
) -> Result<(), usize> {
    if cell.is_empty() {
        table.see(at, value::Value::Null, cell, 0);
        return Ok(());
    }
    // A cell that was seen before is UTF-8, and nothing in it is new.
    let Some(recent) = recent.filter(|_| !doubled) else { return see_new(table, at, cell, doubled).map(drop) };
    let Some(key) = recent.key(cell) else { return see_new(table, at, cell, doubled).map(drop) };
    match recent.find(key) {
        Some(known) => table.see_again(at, known.of, known.hash),
        None => recent.keep(key, see_new(table, at, cell, doubled)?),
    }
    Ok(())
}

fn see_new(table: &mut Table, at: usize, cell: &[u8], doubled: bool) -> Result<KnownCell, usize> {
    let sorts = value::byte_classes(cell);
    if sorts & value::class::HIGH != 0 {
        std::str::from_utf8(cell).map_err(|error| error.valid_up_to())?;
    }
    let text = unquoted(cell, doubled);
    let (value, hash) = (value::of_cell(&text, sorts), hash(&text));
    if at < table.width() {
        table.see(at, value, &text, hash);
    }
    Ok(KnownCell { of: value.value_type(), hash })
}

fn place(line: u64, row: u64) -> FoundAt {
    FoundAt { line: Some(line), row: Some(row), ..FoundAt::default() }
}

/// The text of a cell.
#[inline]
fn unquoted(cell: &[u8], doubled: bool) -> Cow<'_, [u8]> {
    if !doubled {
        return Cow::Borrowed(cell);
    }
    let mut text = Vec::with_capacity(cell.len());
    let mut rest = cell;
    while let Some(quote) = memchr::memchr(b'"', rest) {
        text.extend_from_slice(before(rest, quote + 1));
        // The scanner has checked that another quote follows.
        rest = after(rest, quote + 2);
    }
    text.extend_from_slice(rest);
    Cow::Owned(text)
}
