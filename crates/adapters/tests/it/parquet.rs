//! Parquet files that others write: types that JSON has not, codecs, and what is refused.

use crate::common::{refusal, run};
use deed_adapters::Settings;
use parquet::basic::{Compression, GzipLevel};
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96,
    Int96Type,
};
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::json;
use std::sync::Arc;

const READ: &str = "parquet_to_json_rows.v1";

fn file(
    schema: &str,
    compression: Compression,
    write: impl FnOnce(&mut SerializedRowGroupWriter<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    write(&mut group);
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

macro_rules! column {
    ($group:expr, $type:ty, $values:expr) => {{
        let mut column = $group.next_column().unwrap().unwrap();
        column.typed::<$type>().write_batch($values, None, None).unwrap();
        column.close().unwrap();
    }};
}

fn rows(bytes: &[u8], settings: &Settings<'_>) -> String {
    String::from_utf8(run(READ, &[bytes], settings).unwrap().0).unwrap()
}

#[test]
fn types_that_json_has_not_become_text_or_exact_numbers() {
    let schema = "message m {
        required int32 d (DATE); required int64 ms (TIMESTAMP(MILLIS,true)); required int64 us (TIMESTAMP(MICROS,false));
        required int32 t (TIME(MILLIS,true)); required int64 dec (DECIMAL(18,2));
        required fixed_len_byte_array(4) fdec (DECIMAL(9,3)); required int32 u (INTEGER(32,false));
        required fixed_len_byte_array(16) id (UUID); required int96 old; required float f; required binary raw;
    }";
    let bytes = file(schema, Compression::GZIP(GzipLevel::default()), |group| {
        column!(group, Int32Type, &[-1, 19_782]);
        column!(group, Int64Type, &[-1, 1_709_164_800_123]);
        column!(group, Int64Type, &[0, 1_500_000]);
        column!(group, Int32Type, &[0, 86_399_999]);
        column!(group, Int64Type, &[-5, 123_400]);
        let fixed = |bytes: &[u8]| FixedLenByteArray::from(bytes.to_vec());
        column!(group, FixedLenByteArrayType, &[fixed(&[255, 255, 255, 255]), fixed(&[0, 0, 4, 210])]);
        column!(group, Int32Type, &[-1, 7]);
        column!(group, FixedLenByteArrayType, &[fixed(&[0; 16]), fixed(&[171; 16])]);
        let old = |nanos: u32, day| {
            let mut value = Int96::new();
            value.set_data(nanos, 0, day);
            value
        };
        column!(group, Int96Type, &[old(5, 2_440_588), old(0, 2_440_589)]);
        column!(group, FloatType, &[0.1, 2.0]);
        column!(group, ByteArrayType, &[ByteArray::from("x"), ByteArray::from("ü")]);
    });
    assert_eq!(
        rows(&bytes, &Settings::default()),
        "[\n{\"d\":\"1969-12-31\",\"ms\":\"1969-12-31T23:59:59.999Z\",\"us\":\"1970-01-01T00:00:00.000000\",\
         \"t\":\"00:00:00.000\",\"dec\":-0.05,\"fdec\":-0.001,\"u\":4294967295,\
         \"id\":\"00000000-0000-0000-0000-000000000000\",\"old\":\"1970-01-01T00:00:00.000000005\",\"f\":0.1,\"raw\":\"x\"},\n\
         {\"d\":\"2024-02-29\",\"ms\":\"2024-02-29T00:00:00.123Z\",\"us\":\"1970-01-01T00:00:01.500000\",\
         \"t\":\"23:59:59.999\",\"dec\":1234,\"fdec\":1.234,\"u\":7,\
         \"id\":\"abababab-abab-abab-abab-abababababab\",\"old\":\"1970-01-02T00:00:00.000000000\",\"f\":2,\"raw\":\"ü\"}\n]\n"
    );
}

#[test]
fn large_numbers_are_text_or_nothing() {
    let bytes = file("message m { required int64 n; }", Compression::UNCOMPRESSED, |group| {
        column!(group, Int64Type, &[i64::MAX]);
    });
    assert_eq!(refusal(READ, &[&bytes], &Settings::default()).0, "number");
    let schema = json!({ "properties": { "n": { "type": "string" } } });
    let settings = Settings { row: Some(&schema), ..Settings::default() };
    assert_eq!(rows(&bytes, &settings), "[\n{\"n\":\"9223372036854775807\"}\n]\n");
}

#[test]
fn what_has_no_place_in_rows_is_refused() {
    let nested = file("message m { required group g { required int32 a; } }", Compression::UNCOMPRESSED, |group| {
        column!(group, Int32Type, &[1]);
    });
    assert_eq!(refusal(READ, &[&nested], &Settings::default()).0, "nested");
    let binary = file("message m { required binary b; }", Compression::UNCOMPRESSED, |group| {
        column!(group, ByteArrayType, &[ByteArray::from(vec![255])]);
    });
    assert_eq!(refusal(READ, &[&binary], &Settings::default()).0, "encoding");
    let nan = file("message m { required float f; }", Compression::UNCOMPRESSED, |group| {
        column!(group, FloatType, &[f32::NAN]);
    });
    assert_eq!(refusal(READ, &[&nan], &Settings::default()).0, "number");
}

#[test]
fn a_row_group_that_claims_more_rows_than_it_has_is_refused() {
    let bytes = file("message m { required int32 a; }", Compression::UNCOMPRESSED, |group| {
        column!(group, Int32Type, &[1, 2, 3]);
    });
    let length = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
    let start = bytes.len() - 8 - length;
    let metadata = ParquetMetaDataReader::decode_metadata(&bytes[start..bytes.len() - 8]).unwrap();
    let group = metadata.row_group(0).clone().into_builder().set_num_rows(5).build().unwrap();
    let lying = metadata.into_builder().set_row_groups(vec![group]).build();
    let mut changed = bytes[..start].to_vec();
    ParquetMetaDataWriter::new(&mut changed, &lying).finish().unwrap();
    assert_eq!(refusal(READ, &[&changed], &Settings::default()).0, "syntax");
}
