//! Reads `table.json_rows` row by row.
//!
//! Takes a window over one JSON array of objects and returns one row at a time, its cells by the number of their
//! column. Columns are numbered as they are met. A key that stands twice in a row is refused.

use crate::error::{AdapterError, ErrorKind, Place, quote};
use crate::limits::Limits;
use crate::rows::row::{Cell, Cursor, Frame, Row};
use deed_canon::Invariant;
use deed_table::Input;
use deed_table::Window;
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    After,
}

/// The rows of a table, and the columns that were met so far.
pub(crate) struct Rows<'i> {
    window: Window<'i>,
    limits: Limits,
    state: State,
    /// Bytes of the row that was handed out last.
    taken: usize,
    row: u64,
    cells: Vec<Cell>,
    columns: Columns,
}

/// Names of columns, by number and by name.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The row in which a column was met last.
    seen: Vec<u64>,
}

impl<'i> Rows<'i> {
    pub(crate) fn open(input: &'i mut dyn Input, limits: &Limits) -> Result<Self, AdapterError> {
        let window = Window::open(input, limits.input_bytes)?;
        let limits = Limits { depth: limits.depth.min(deed_canon::MAX_DEPTH), ..*limits };
        let columns = Columns::default();
        Ok(Self { window, limits, state: State::Before, taken: 0, row: 0, cells: Vec::new(), columns })
    }

    /// Reads the same table again; the columns that were met stay.
    pub(crate) fn rewind(&mut self) -> Result<(), AdapterError> {
        self.window.rewind()?;
        (self.state, self.taken, self.row) = (State::Before, 0, 0);
        self.columns.seen.fill(0);
        Ok(())
    }

    /// The names of the columns that were met so far, by their number.
    pub(crate) fn names(&self) -> &[String] {
        &self.columns.names
    }

    /// Numbers a column before it is met.
    pub(crate) fn expect(&mut self, name: &str) -> Result<usize, AdapterError> {
        self.columns.number(name, usize::MAX, self.limits.columns)
    }

    /// The next row, together with the names of the columns.
    pub(crate) fn next(&mut self) -> Result<Option<(Row<'_>, &[String])>, AdapterError> {
        self.window.consume(std::mem::take(&mut self.taken));
        if !self.advance()? {
            return Ok(None);
        }
        self.row += 1;
        if self.row > self.limits.rows {
            return Err(AdapterError::limit(format_args!("{} rows", self.limits.rows)).at(Place::row(self.row)));
        }
        let length = self.frame()?;
        self.taken = length;
        let (base, number) = (self.window.offset(), self.row);
        let bytes = self.window.rest().get(..length).invariant("a whole row is in the window");
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let place = Place::row(number).at_offset(base + error.valid_up_to() as u64);
            AdapterError::new(ErrorKind::Encoding, "the bytes are not UTF-8").at(place)
        })?;
        cells(text, number, &self.limits, &mut self.columns, &mut self.cells).map_err(|mut error| {
            error.place.row = Some(number);
            error.place.offset = error.place.offset.map(|offset| offset + base);
            error
        })?;
        Ok(Some((Row { text, cells: &self.cells, number }, &self.columns.names)))
    }

    /// Goes to the beginning of the next row; false at the end of the table.
    fn advance(&mut self) -> Result<bool, AdapterError> {
        loop {
            let byte = self.byte()?;
            let expected = match (self.state, byte) {
                (State::Before, Some(b'[')) => {
                    self.window.consume(1);
                    self.state = State::Inside;
                    continue;
                }
                (State::Before, _) => "an array of rows, which begins with `[`",
                (State::Inside, Some(b'{')) if self.row == 0 => return Ok(true),
                (State::Inside, Some(b',')) if self.row > 0 => {
                    self.window.consume(1);
                    if self.byte()? == Some(b'{') {
                        return Ok(true);
                    }
                    "a row, which begins with `{`"
                }
                (State::Inside, Some(b']')) => {
                    self.window.consume(1);
                    self.state = State::After;
                    continue;
                }
                (State::Inside, _) if self.row == 0 => "a row, which begins with `{`, or the end of the array",
                (State::Inside, _) => "a comma or the end of the array",
                (State::After, None) => return Ok(false),
                (State::After, Some(_)) => "nothing behind the array of rows",
            };
            let place = Place { row: (self.row > 0).then_some(self.row), ..Place::offset(self.window.offset()) };
            return Err(AdapterError::new(ErrorKind::Syntax, format!("expected {expected}")).at(place));
        }
    }

    /// The next byte that is not white space.
    fn byte(&mut self) -> Result<Option<u8>, AdapterError> {
        loop {
            let rest = self.window.rest();
            let spaces = rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
            let byte = rest.get(spaces).copied();
            self.window.consume(spaces);
            if byte.is_some() || self.window.ended() {
                return Ok(byte);
            }
            self.window.more()?;
        }
    }

    /// Brings a whole row into the window, and says how long it is.
    fn frame(&mut self) -> Result<usize, AdapterError> {
        let mut frame = Frame::default();
        loop {
            let place = || Place::row(self.row).at_offset(self.window.offset());
            let rest = self.window.rest();
            let found = frame.scan(rest, self.limits.depth).map_err(|error| error.at(place()))?;
            if found.unwrap_or(rest.len()) > self.limits.row_bytes {
                let limit = format_args!("{} bytes in one row", self.limits.row_bytes).to_string();
                return Err(AdapterError::limit(limit).at(place()));
            }
            if let Some(length) = found {
                return Ok(length);
            }
            if self.window.ended() {
                return Err(AdapterError::new(ErrorKind::Syntax, "the input ends within a row").at(place()));
            }
            self.window.more()?;
        }
    }
}

/// Reads the cells of one row. Offsets in errors count from the beginning of the row.
fn cells(
    text: &str,
    row: u64,
    limits: &Limits,
    columns: &mut Columns,
    cells: &mut Vec<Cell>,
) -> Result<(), AdapterError> {
    cells.clear();
    let mut cursor = Cursor { text, at: 0 };
    cursor.eat(b'{', "a row")?;
    cursor.skip_space();
    while cursor.peek() != Some(b'}') {
        if !cells.is_empty() {
            cursor.eat(b',', "a comma or the end of the row")?;
            cursor.skip_space();
        }
        let (kind, start, end) = cursor.string()?;
        let key = Cell { column: 0, kind, start, end };
        let key = Row { text, cells: &[], number: row }.decoded(&key);
        let column = columns.number(&key, cells.len(), limits.columns)?;
        if columns.seen.get(column) == Some(&row) {
            let message = format!("the key {} stands twice in a row", quote(&key));
            return Err(AdapterError::new(ErrorKind::DuplicateKey, message).at(Place::default().in_column(&key)));
        }
        *columns.seen.get_mut(column).invariant("a column has a number") = row;
        cursor.skip_space();
        cursor.eat(b':', "a colon")?;
        cursor.skip_space();
        let (kind, start, end) = cursor.value(limits.depth).map_err(|error| {
            let place = (*error.place).clone().in_column(&key);
            error.at(place)
        })?;
        if end - start > limits.cell_bytes {
            let limit = AdapterError::limit(format_args!("{} bytes in one cell", limits.cell_bytes));
            return Err(limit.at(Place::offset(start as u64).in_column(&key)));
        }
        cells.push(Cell { column, kind, start, end });
        cursor.skip_space();
    }
    Ok(())
}

impl Columns {
    /// The number of a name. Most rows have the columns of the first in its order, so a guess is tried first.
    fn number(&mut self, name: &str, guess: usize, most: usize) -> Result<usize, AdapterError> {
        if self.names.get(guess).is_some_and(|known| known == name) {
            return Ok(guess);
        }
        if let Some(number) = self.numbers.get(name) {
            return Ok(*number);
        }
        let number = self.names.len();
        if number >= most {
            return Err(AdapterError::limit(format_args!("{most} columns")));
        }
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.seen.push(0);
        Ok(number)
    }
}
