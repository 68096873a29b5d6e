//! Values that are written as their `Display` text, escaped while writing and never collected.

use crate::fault::Fault;
use crate::scalar::{Form, put_text};
use std::fmt::{Display, Write};

/// Writes the text in quotes.
pub(super) fn put_display<T: Display + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<Form, Fault> {
    out.push(b'"');
    let mut escaping = Escaping { out, form: Form::Verbatim };
    write!(escaping, "{value}").map_err(|_| Fault::not_json("a value could not be written as text"))?;
    let form = escaping.form;
    out.push(b'"');
    Ok(form)
}

struct Escaping<'a> {
    out: &'a mut Vec<u8>,
    form: Form,
}

impl Write for Escaping<'_> {
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        if put_text(self.out, part.as_bytes()) == Form::Escaped {
            self.form = Form::Escaped;
        }
        Ok(())
    }
}
