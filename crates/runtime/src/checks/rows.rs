//! Reads a table of any format row by row, without holding it.

use deed_adapters::{Input, Settings, adapters};
use deed_diag::Invariant as _;
use serde_json::{Map, Value};
use std::io::{self, SeekFrom, Write};

/// No row is longer.
const LONGEST_ROW: usize = 16 << 20;

/// A visitor of rows; it returns false to stop.
pub(super) type RowVisitor<'e> = dyn FnMut(u64, Map<String, Value>) -> bool + 'e;

/// Goes through the rows of a table of a kind.
pub(super) fn each_row(
    kind: &str,
    input: &mut dyn Input,
    row: Option<&Value>,
    each: &mut RowVisitor<'_>,
) -> Result<(), String> {
    input.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
    let mut splitter = Splitter::new(each);
    let adapter = adapters().iter().find(|adapter| adapter.from == [kind] && adapter.to == "table.json_rows");
    match adapter {
        Some(adapter) if kind != "table.json_rows" => {
            let settings = Settings { row, ..Settings::default() };
            let adapted = adapter.run(&mut [input], &mut splitter, &settings);
            match (adapted, splitter.trouble.take()) {
                (_, Some(trouble)) => return Err(trouble),
                (Err(_), None) if splitter.enough => return Ok(()),
                (Err(error), None) => return Err(error.to_string()),
                (Ok(_), None) => {}
            }
        }
        _ => copy(input, &mut splitter)?,
    }
    Ok(())
}

fn copy(input: &mut dyn Input, splitter: &mut Splitter<'_, '_>) -> Result<(), String> {
    let mut buffer = vec![0; 256 << 10];
    loop {
        let count = input.read(&mut buffer).map_err(|error| error.to_string())?;
        let part = buffer.get(..count).invariant("a reader fills no more than its buffer");
        if part.is_empty() || splitter.enough {
            return splitter.trouble.take().map_or(Ok(()), Err);
        }
        if splitter.write_all(part).is_err() {
            return splitter.trouble.take().map_or(Ok(()), Err);
        }
    }
}

/// Takes one JSON list in, and gives its elements out.
struct Splitter<'s, 'e> {
    each: &'s mut RowVisitor<'e>,
    row: Vec<u8>,
    count: u64,
    depth: usize,
    in_text: bool,
    escaped: bool,
    enough: bool,
    trouble: Option<String>,
}

impl<'s, 'e> Splitter<'s, 'e> {
    fn new(each: &'s mut RowVisitor<'e>) -> Self {
        Self { each, row: Vec::new(), count: 0, depth: 0, in_text: false, escaped: false, enough: false, trouble: None }
    }

    fn byte(&mut self, byte: u8) {
        let inside = self.depth >= 2;
        if inside || self.in_text {
            self.row.push(byte);
        }
        if self.in_text {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.in_text = true,
            b'[' | b'{' => {
                self.depth += 1;
                if self.depth == 2 {
                    self.row.clear();
                    self.row.push(byte);
                }
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 1 {
                    self.whole();
                }
            }
            _ => {}
        }
    }

    fn whole(&mut self) {
        self.count += 1;
        match deed_canon::parse(&self.row) {
            Ok(Value::Object(row)) => self.enough = !(self.each)(self.count, row),
            Ok(_) => self.trouble = Some(format!("row {} is not an object", self.count)),
            Err(error) => self.trouble = Some(format!("row {}: {error}", self.count)),
        }
        self.row.clear();
    }
}

impl Write for Splitter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.byte(*byte);
            if self.row.len() > LONGEST_ROW {
                self.trouble = Some(format!("row {} is longer than {LONGEST_ROW} bytes", self.count + 1));
            }
            if self.trouble.is_some() || self.enough {
                return Err(io::Error::other("no more"));
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
