//! Every kind of data that serde knows, in the JSON form that `serde_json` gives it.

use super::Writer;
use super::display::put_display;
use super::list::List;
use super::object::{Object, Wrap};
use crate::fault::{Fault, FaultKind};
use crate::scalar::{put_digits, put_f64, put_i64, put_string, put_u64};
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// Methods for the number types that fit into a wider one without loss.
macro_rules! widened {
    ($($method:ident($narrow:ty) => $put:ident($wide:ty)),+ $(,)?) => { $(
        #[inline]
        fn $method(self, value: $narrow) -> Result<(), Fault> {
            $put(&mut self.out, <$wide>::from(value))
        }
    )+ };
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = List<'w>;
    type SerializeTuple = List<'w>;
    type SerializeTupleStruct = List<'w>;
    type SerializeTupleVariant = List<'w>;
    type SerializeMap = Object<'w>;
    type SerializeStruct = Object<'w>;
    type SerializeStructVariant = Object<'w>;

    widened! {
        serialize_i8(i8) => put_i64(i64),
        serialize_i16(i16) => put_i64(i64),
        serialize_i32(i32) => put_i64(i64),
        serialize_i64(i64) => put_i64(i64),
        serialize_u8(u8) => put_u64(u64),
        serialize_u16(u16) => put_u64(u64),
        serialize_u32(u32) => put_u64(u64),
        serialize_u64(u64) => put_u64(u64),
        serialize_f32(f32) => put_f64(f64),
        serialize_f64(f64) => put_f64(f64),
    }

    fn serialize_i128(self, value: i128) -> Result<(), Fault> {
        let value = i64::try_from(value).map_err(|_| Fault::at(FaultKind::Unsafe))?;
        self.serialize_i64(value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), Fault> {
        let value = u64::try_from(value).map_err(|_| Fault::at(FaultKind::Unsafe))?;
        self.serialize_u64(value)
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Fault> {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Fault> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Fault> {
        put_string(&mut self.out, value);
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Fault> {
        put_display(&mut self.out, value).map(drop)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Fault> {
        self.open(b'[')?;
        for (i, byte) in value.iter().enumerate() {
            if i > 0 {
                self.out.push(b',');
            }
            put_digits(&mut self.out, u64::from(*byte));
        }
        self.close(b']');
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Fault> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Fault> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Fault> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Fault> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Fault> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        let wrap = Wrap::Variant(variant);
        wrap.open(self)?;
        value.serialize(&mut *self).map_err(|fault| wrap.blame(self, fault))?;
        wrap.close(self);
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<List<'w>, Fault> {
        List::open(self, Wrap::Bare)
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<List<'w>, Fault> {
        List::open(self, Wrap::Bare)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'w>, Fault> {
        List::open(self, Wrap::Bare)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'w>, Fault> {
        List::open(self, Wrap::Variant(variant))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Object<'w>, Fault> {
        Object::open(self, Wrap::Bare)
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'w>, Fault> {
        Object::open(self, Wrap::Bare)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'w>, Fault> {
        Object::open(self, Wrap::Variant(variant))
    }
}
