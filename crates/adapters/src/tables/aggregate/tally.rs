//! The running state of one column of one group, and the measure that it results in.

use crate::error::{AdapterError, ErrorKind};
use crate::number;
use crate::rows::{Cell, CellKind, Row, put_string};
use crate::settings::{How, Measure};
use deed_table::decimal::Decimal;
use std::cmp::Ordering;

/// The least or greatest value so far.
#[derive(Debug, Clone)]
enum Extreme {
    Number(Decimal),
    Text(String),
}

/// Kept while rows come in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    count: u64,
    sum: Decimal,
    extreme: Option<Extreme>,
}

impl Tally {
    /// Takes a cell in; false where there was no value to take.
    pub(crate) fn add(
        &mut self,
        row: &Row<'_>,
        cell: Option<&Cell>,
        whole_row: bool,
        measure: &Measure,
    ) -> Result<bool, AdapterError> {
        if whole_row {
            self.count += 1;
            return Ok(true);
        }
        let Some(cell) = cell.filter(|cell| cell.kind != CellKind::Null) else { return Ok(false) };
        row.check_number(cell, &measure.field)?;
        self.count += 1;
        let place = || row.place(&measure.field);
        match measure.how {
            How::Count => {}
            How::Sum | How::Mean => {
                let value = decimal(row, cell, measure)?;
                self.sum = self.sum.plus(value).ok_or_else(|| too_large().at(place()))?;
            }
            How::Min | How::Max => {
                let value = match cell.kind {
                    CellKind::Text | CellKind::Escaped => Extreme::Text(row.decoded(cell).into_owned()),
                    _ => Extreme::Number(decimal(row, cell, measure)?),
                };
                let order = match &self.extreme {
                    None => None,
                    Some(old) => Some(compare(&value, old).ok_or_else(|| {
                        AdapterError::new(ErrorKind::Type, "numbers and texts have no order among each other")
                            .at(place())
                    })?),
                };
                let better = if measure.how == How::Min { Ordering::Less } else { Ordering::Greater };
                if order.is_none_or(|order| order == better) {
                    self.extreme = Some(value);
                }
            }
        }
        Ok(true)
    }

    /// The measure as JSON.
    pub(crate) fn result(&self, how: How) -> Result<String, AdapterError> {
        match how {
            How::Count => Ok(self.count.to_string()),
            How::Sum => checked(self.sum.text()),
            How::Mean if self.count == 0 => Ok("null".to_owned()),
            How::Mean => {
                let mean = self.sum.double() / self.count as f64;
                let number = deed_canon::number_from_f64(mean).map_err(|_| too_large())?;
                Ok(number.to_string())
            }
            How::Min | How::Max => match &self.extreme {
                None => Ok("null".to_owned()),
                Some(Extreme::Number(value)) => checked(value.text()),
                Some(Extreme::Text(text)) => {
                    let mut json = Vec::new();
                    put_string(&mut json, text);
                    String::from_utf8(json).map_err(|_| too_large())
                }
            },
        }
    }
}

fn decimal(row: &Row<'_>, cell: &Cell, measure: &Measure) -> Result<Decimal, AdapterError> {
    let place = || row.place(&measure.field);
    match cell.kind {
        CellKind::Number(_) => Decimal::parse(row.raw(cell)).ok_or_else(|| too_large().at(place())),
        _ => Err(AdapterError::new(ErrorKind::Type, "a value that cannot be measured; expected a number").at(place())),
    }
}

fn compare(a: &Extreme, b: &Extreme) -> Option<Ordering> {
    match (a, b) {
        // Values whose sizes differ so much that they do not fit one scale are compared as doubles.
        (Extreme::Number(a), Extreme::Number(b)) => a.order(*b).or_else(|| a.double().partial_cmp(&b.double())),
        (Extreme::Text(a), Extreme::Text(b)) => Some(a.cmp(b)),
        (Extreme::Number(_), Extreme::Text(_)) | (Extreme::Text(_), Extreme::Number(_)) => None,
    }
}

fn too_large() -> AdapterError {
    AdapterError::new(ErrorKind::Number, "a number does not fit 38 digits, so its sum would not be exact")
}

/// A result that every reader reads alike.
fn checked(literal: String) -> Result<String, AdapterError> {
    let safe = number::form(literal.as_bytes()).is_some_and(|form| number::is_safe(&literal, form));
    if safe { Ok(literal) } else { Err(number::refusal(&literal, crate::error::Place::default())) }
}
