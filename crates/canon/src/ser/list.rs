//! Arrays: sequences, tuples, and the tuples of enum variants.

use super::Writer;
use super::object::Wrap;
use crate::fault::Fault;
use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeTuple, SerializeTupleStruct, SerializeTupleVariant};

/// An array that is still open.
pub(super) struct List<'w> {
    writer: &'w mut Writer,
    length: usize,
    wrap: Wrap,
}

impl<'w> List<'w> {
    #[inline]
    pub(super) fn open(writer: &'w mut Writer, wrap: Wrap) -> Result<Self, Fault> {
        wrap.open(writer)?;
        writer.open(b'[').map_err(|fault| wrap.blame(writer, fault))?;
        Ok(Self { writer, length: 0, wrap })
    }

    #[inline]
    fn put<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        if self.length > 0 {
            self.writer.out.push(b',');
        }
        value.serialize(&mut *self.writer).map_err(|fault| self.blame(fault))?;
        self.length += 1;
        Ok(())
    }

    /// A fault of the newest element, seen from outside.
    #[cold]
    fn blame(&mut self, fault: Fault) -> Fault {
        self.wrap.blame(self.writer, fault.under(&self.length))
    }

    #[inline]
    fn close(self) {
        self.writer.close(b']');
        self.wrap.close(self.writer);
    }
}

macro_rules! elements {
    ($($compound:ident :: $method:ident),+) => { $(
        impl $compound for List<'_> {
            type Ok = ();
            type Error = Fault;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
                self.put(value)
            }

            #[inline]
            fn end(self) -> Result<(), Fault> {
                self.close();
                Ok(())
            }
        }
    )+ };
}

elements!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);
