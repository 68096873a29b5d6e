//! Keys of maps. JSON has only string keys, so a key with one obvious text is written as that text, as `serde_json`
//! does.

use super::display::put_display;
use crate::fault::Fault;
use crate::scalar::{Form, put_string};
use serde::ser::Impossible;
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// Writes a key in quotes and returns its form.
pub(super) struct Key<'w>(pub(super) &'w mut Vec<u8>);

type No = Impossible<Form, Fault>;

#[cold]
fn refused() -> Fault {
    Fault::not_json("the key of a map is not a string")
}

/// Methods for the types whose key is their `Display` text.
macro_rules! shown {
    ($($method:ident($kind:ty)),+ $(,)?) => { $(
        fn $method(self, value: $kind) -> Result<Form, Fault> {
            put_display(self.0, &value)
        }
    )+ };
}

/// Writes a double as `serde_json` does in a key: `1.0`, not `1`.
fn put_float<T: Serialize>(out: &mut Vec<u8>, value: T) -> Result<Form, Fault> {
    out.push(b'"');
    serde_json::to_writer(&mut *out, &value).map_err(|_| refused())?;
    out.push(b'"');
    Ok(Form::Verbatim)
}

impl Serializer for Key<'_> {
    type Ok = Form;
    type Error = Fault;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    shown! {
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_i128(i128),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_u128(u128),
        serialize_char(char),
    }

    fn serialize_f32(self, value: f32) -> Result<Form, Fault> {
        if value.is_finite() { put_float(self.0, value) } else { Err(refused()) }
    }

    fn serialize_f64(self, value: f64) -> Result<Form, Fault> {
        if value.is_finite() { put_float(self.0, value) } else { Err(refused()) }
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<Form, Fault> {
        Ok(put_string(self.0, value))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<Form, Fault> {
        put_display(self.0, value)
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Form, Fault> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Form, Fault> {
        value.serialize(self)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Form, Fault> {
        Err(refused())
    }

    fn serialize_none(self) -> Result<Form, Fault> {
        Err(refused())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Form, Fault> {
        Err(refused())
    }

    fn serialize_unit(self) -> Result<Form, Fault> {
        Err(refused())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Form, Fault> {
        Err(refused())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Form, Fault> {
        Err(refused())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<No, Fault> {
        Err(refused())
    }

    fn serialize_tuple(self, _: usize) -> Result<No, Fault> {
        Err(refused())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<No, Fault> {
        Err(refused())
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<No, Fault> {
        Err(refused())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<No, Fault> {
        Err(refused())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<No, Fault> {
        Err(refused())
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<No, Fault> {
        Err(refused())
    }
}
