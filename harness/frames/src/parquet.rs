//! A frame as a Parquet file, by the crate that polars itself reads and writes Parquet with.
//!
//! Pages are not compressed: the codecs are C libraries, and a repeated text is stored only once anyway
//! (docs/decisions/0021-libraries-of-the-harness.md has the measurement).

use std::io::Cursor;

use polars::prelude::{
    Column, CompatLevel, DataFrame, PolarsError, PolarsResult, SchemaExt as _, Series,
};
use polars_parquet::{
    read::{
        BasicDecompressor, ColumnChunkMetadata, PageReader, column_iter_to_arrays, infer_schema,
        read_metadata,
    },
    write::{
        CompressionOptions, Encoding, FileWriter, RowGroupIterator, StatisticsOptions, Version,
        WriteOptions,
    },
};

/// The bytes of a Parquet file with all rows in one group.
pub fn write(frame: &DataFrame) -> PolarsResult<Vec<u8>> {
    let mut frame = frame.clone();
    frame.rechunk_mut();
    let schema = frame.schema().to_arrow(CompatLevel::newest());
    let options = WriteOptions {
        statistics: StatisticsOptions::default(),
        version: Version::V1,
        compression: CompressionOptions::Uncompressed,
        data_page_size: None,
    };
    let mut writer = FileWriter::try_new(Vec::new(), schema.clone(), options)?;
    if frame.height() > 0 {
        let encodings = schema.iter().map(|_| vec![Encoding::RleDictionary]).collect();
        let chunks = frame.iter_chunks(CompatLevel::newest(), false).map(Ok);
        for group in RowGroupIterator::try_new(chunks, &schema, options, encodings)? {
            writer.write(frame.height() as u64, group?)?;
        }
    }
    writer.end(None)?;
    Ok(writer.into_inner())
}

/// The frame in a Parquet file.
///
/// # Errors
/// The bytes are no Parquet file, or one with nested or compressed columns.
fn read(bytes: &[u8]) -> PolarsResult<DataFrame> {
    let metadata = read_metadata(&mut Cursor::new(bytes))?;
    let schema = infer_schema(&metadata)?;
    let mut columns = Vec::new();
    for (name, field) in schema.iter() {
        let mut arrays = Vec::new();
        for group in &metadata.row_groups {
            let mut chunks =
                group.parquet_columns().iter().filter(|chunk| root(chunk) == name.as_str());
            let (Some(chunk), None) = (chunks.next(), chunks.next()) else {
                return Err(unexpected(&format!("column {name} is nested or not there")));
            };
            let range = chunk.byte_range();
            let page = bytes
                .get(range.start as usize..range.end as usize)
                .ok_or_else(|| unexpected(&format!("column {name} ends behind the file")))?;
            let pages =
                PageReader::new(Cursor::new(page.to_vec().into()), chunk, Vec::new(), usize::MAX);
            let pages = BasicDecompressor::new(pages, Vec::new());
            let types = vec![&chunk.descriptor().descriptor.primitive_type];
            arrays.extend(column_iter_to_arrays(vec![pages], types, field.clone(), None)?.0);
        }
        let series = if arrays.is_empty() {
            Series::new_empty(name.clone(), &polars::prelude::DataType::from_arrow_field(field))
        } else {
            Series::try_from((field, arrays))?
        };
        columns.push(Column::from(series));
    }
    let height = columns.first().map_or(0, Column::len);
    DataFrame::new(height, columns)
}

/// Reads from a Parquet file the columns that the frame `wanted` has, in its order. The file may have more.
///
/// # Errors
/// As [`read`]; a column is missing or holds values of another type.
pub fn read_like(wanted: &DataFrame, bytes: &[u8]) -> PolarsResult<DataFrame> {
    let found = read(bytes)?;
    let column = |wanted: &Column| {
        let column = found.column(wanted.name())?;
        if column.dtype() == wanted.dtype() {
            return Ok(column.clone());
        }
        let (name, is, is_not) = (wanted.name(), column.dtype(), wanted.dtype());
        let why = format!("column {name} is {is} and not {is_not}");
        Err(PolarsError::SchemaMismatch(why.into()))
    };
    let columns = wanted.columns().iter().map(column).collect::<PolarsResult<_>>()?;
    DataFrame::new(found.height(), columns)
}

fn root(chunk: &ColumnChunkMetadata) -> &str {
    chunk.descriptor().path_in_schema.first().map_or("", |name| name.as_str())
}

fn unexpected(what: &str) -> PolarsError {
    PolarsError::ComputeError(what.to_owned().into())
}
