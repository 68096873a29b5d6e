//! Objects: maps, structs, and the wrapping of enum variants.

use super::Writer;
use super::key::Key;
use super::order::{Entry, compare, key, reorder};
use crate::fault::{Fault, FaultKind};
use crate::invariant::Invariant as _;
use crate::scalar::{Form, put_string};
use crate::write::utf16_cmp;
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeStruct, SerializeStructVariant};
use std::cmp::Ordering;

/// The context of a value: by itself, or as the content of an enum variant: `{"Variant":…}`.
#[derive(Clone, Copy)]
pub(super) enum Wrap {
    Bare,
    Variant(&'static str),
}

impl Wrap {
    #[inline]
    pub(super) fn open(self, writer: &mut Writer) -> Result<(), Fault> {
        if let Self::Variant(name) = self {
            writer.open(b'{')?;
            put_string(&mut writer.out, name);
            writer.out.push(b':');
        }
        Ok(())
    }

    #[inline]
    pub(super) fn close(self, writer: &mut Writer) {
        if let Self::Variant(_) = self {
            writer.close(b'}');
        }
    }

    /// Returns a fault of the content, seen from outside.
    #[cold]
    pub(super) fn blame(self, writer: &mut Writer, fault: Fault) -> Fault {
        writer.broken = true;
        match self {
            Self::Bare => fault,
            Self::Variant(name) => fault.under(&name),
        }
    }
}

/// An object that is still open.
pub(super) struct Object<'w> {
    writer: &'w mut Writer,
    /// The index of its first member among those of all open objects.
    first: usize,
    /// The previous field, in a struct.
    last: Option<&'static str>,
    order: Order,
    next: Next,
    wrap: Wrap,
}

/// The order of the keys so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Kept,
    Broken,
}

/// The part that a map must yield next. Any other part would make bytes that are not JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Key,
    Value,
}

impl<'w> Object<'w> {
    #[inline]
    pub(super) fn open(writer: &'w mut Writer, wrap: Wrap) -> Result<Self, Fault> {
        wrap.open(writer)?;
        writer.open(b'{').map_err(|fault| wrap.blame(writer, fault))?;
        let first = writer.entries.len();
        Ok(Self { writer, first, last: None, order: Order::Kept, next: Next::Key, wrap })
    }

    /// Writes a member whose name is known at compile time. Always inlined, so that the search for
    /// escapes in the name and the comparison with the previous name happen at compile time too.
    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
        let start = self.begin();
        let form = put_string(&mut self.writer.out, name);
        let order = self.last.replace(name).map_or(Ordering::Less, |last| utf16_cmp(last, name));
        self.note(Entry { start, key_end: self.writer.out.len(), end: start, form }, order)?;
        self.value(value)
    }

    /// A member's key, as the map has just serialised it.
    #[inline]
    fn key(&mut self, start: usize, form: Form) -> Result<(), Fault> {
        let Writer { out, entries, .. } = &*self.writer;
        let entry = Entry { start, key_end: out.len(), end: start, form };
        let order = match entries.get(self.first..) {
            Some([.., before]) if self.order == Order::Kept => compare(out, before, &entry),
            Some(_) | None => Ordering::Less,
        };
        self.note(entry, order)
    }

    /// Starts the next member.
    #[inline]
    fn begin(&mut self) -> usize {
        if self.writer.entries.len() > self.first {
            self.writer.out.push(b',');
        }
        self.writer.out.len()
    }

    /// Notes the member whose key was just written; `order` is that of the key before and this one.
    #[inline]
    fn note(&mut self, entry: Entry, order: Ordering) -> Result<(), Fault> {
        self.writer.entries.push(entry);
        match order {
            Ordering::Less => {}
            Ordering::Equal => return Err(self.blame(Fault::at(FaultKind::DuplicateKey))),
            Ordering::Greater => self.order = Order::Broken,
        }
        self.writer.out.push(b':');
        Ok(())
    }

    #[inline]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        value.serialize(&mut *self.writer).map_err(|fault| self.blame(fault))
    }

    /// A fault of the newest member, seen from outside.
    #[cold]
    fn blame(&mut self, fault: Fault) -> Fault {
        let Writer { out, entries, .. } = &mut *self.writer;
        let fault = match entries.last() {
            Some(entry) => fault.under(&key(out, entry)),
            None => fault,
        };
        // The object around this one looks for its own newest member.
        entries.truncate(self.first);
        self.wrap.blame(self.writer, fault)
    }

    #[inline]
    fn close(mut self) -> Result<(), Fault> {
        if self.order == Order::Broken {
            self.reorder()?;
        }
        self.writer.entries.truncate(self.first);
        self.writer.close(b'}');
        self.wrap.close(self.writer);
        Ok(())
    }

    fn reorder(&mut self) -> Result<(), Fault> {
        let Writer { out, entries, .. } = &mut *self.writer;
        reorder(out, entries.get_mut(self.first..).invariant("the object's entries are the last ones")).map_err(
            |twice| {
                self.writer.entries.push(twice);
                self.blame(Fault::at(FaultKind::DuplicateKey))
            },
        )
    }

    /// Refuses a map that yields a key where a value is due, or the reverse.
    #[inline]
    fn expect(&mut self, due: Next, then: Next) -> Result<(), Fault> {
        if self.next != due {
            return Err(self.wrap.blame(self.writer, Fault::not_json("a map does not yield keys and values in turn")));
        }
        self.next = then;
        Ok(())
    }
}

impl SerializeMap for Object<'_> {
    type Ok = ();
    type Error = Fault;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.expect(Next::Key, Next::Value)?;
        let start = self.begin();
        let form = key.serialize(Key(&mut self.writer.out)).map_err(|fault| self.wrap.blame(self.writer, fault))?;
        self.key(start, form)
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.expect(Next::Value, Next::Key)?;
        self.value(value)
    }

    #[inline]
    fn end(mut self) -> Result<(), Fault> {
        self.expect(Next::Key, Next::Key)?;
        self.close()
    }
}

macro_rules! fields {
    ($($compound:ident),+) => { $(
        impl $compound for Object<'_> {
            type Ok = ();
            type Error = Fault;

            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
                self.field(name, value)
            }

            #[inline]
            fn end(self) -> Result<(), Fault> {
                self.close()
            }
        }
    )+ };
}

fields!(SerializeStruct, SerializeStructVariant);
