//! The column `decisions.texts`: the texts of a decision, byte for byte, as one compressed value.
//!
//! The texts repeat each other: the context is part of the record, and digests occur in several texts. Compressed
//! together they need a third of their space. ADR 0017 compares this with LZ4 and with the compression of PostgreSQL.
//!
//! The value is the four texts, separated by line feeds, which JSON escapes, in a Zstandard frame (RFC 8878) with a
//! checksum. Rows that an earlier version wrote have no frame.

use std::{cell::RefCell, io};

use sea_orm::{
    ColIdx, DbErr, QueryResult, TryGetError, TryGetable, Value,
    sea_query::{ArrayType, ColumnType, ValueType, ValueTypeErr},
};
use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::{CParameter, MAGICNUMBER, get_frame_content_size},
};

/// The texts of a decision, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionTexts {
    /// The response.
    pub record: String,
    /// The preimage of the context digest.
    pub context: String,
    /// The preimage of the integrity hash; absent for receipts of schema version 1.
    pub integrity: Option<String>,
    /// The signed receipt statement; absent for receipts of schema version 1.
    pub statement: Option<String>,
}

/// The compression level. Higher levels take longer and save less than 3 % of typical decisions.
const LEVEL: i32 = 1;

/// The largest size of the texts in bytes. The limits of requests and policies keep decisions far below it.
const BYTES_MAX: u64 = 256 << 20;

thread_local! {
    // Their tables take longer to allocate than a decision takes to compress or decompress.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

impl DecisionTexts {
    /// Returns the content of the frame, which is also the value of a row without a frame.
    pub fn joined(&self) -> String {
        let integrity = self.integrity.as_deref().unwrap_or_default();
        let statement = self.statement.as_deref().unwrap_or_default();
        [&self.record, &self.context, integrity, statement].join("\n")
    }

    /// Returns the size of all texts in bytes.
    pub fn size(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let sizes = [
            self.record.len(),
            self.context.len(),
            optional(&self.integrity),
            optional(&self.statement),
        ];
        sizes.iter().sum()
    }

    /// Returns the value of the column.
    ///
    /// # Errors
    /// Returns an error only if memory runs out.
    pub fn encode(&self) -> io::Result<Vec<u8>> {
        let joined = self.joined();
        COMPRESSOR.with_borrow_mut(|compressor| {
            let compressor = match compressor {
                Some(compressor) => compressor,
                None => compressor.insert(new_compressor()?),
            };
            compressor.compress(joined.as_bytes())
        })
    }

    /// Reads a value of the column.
    ///
    /// # Errors
    /// Returns an error if the value is damaged.
    pub fn decode(value: Vec<u8>) -> io::Result<Self> {
        let joined = if value.starts_with(&MAGICNUMBER.to_le_bytes()) {
            let size = get_frame_content_size(&value).ok().flatten();
            let size = size.filter(|size| *size <= BYTES_MAX).ok_or(io::ErrorKind::InvalidData)?;
            decompress(&value, usize::try_from(size).map_err(io::Error::other)?)?
        } else {
            value
        };
        let joined = String::from_utf8(joined).map_err(io::Error::other)?;
        let texts: Vec<&str> = joined.split('\n').collect();
        let [record, context, integrity, statement] = texts[..] else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let optional = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok(Self {
            record: record.to_owned(),
            context: context.to_owned(),
            integrity: optional(integrity),
            statement: optional(statement),
        })
    }
}

fn decompress(frame: &[u8], size: usize) -> io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(decompressor) => decompressor,
            None => decompressor.insert(Decompressor::new()?),
        };
        decompressor.decompress(frame, size)
    })
}

fn new_compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    Ok(compressor)
}

impl From<DecisionTexts> for Value {
    fn from(texts: DecisionTexts) -> Self {
        // Without memory for the frame there is none for the statement either.
        texts.encode().expect("a frame is written to memory").into()
    }
}

impl TryGetable for DecisionTexts {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Self, TryGetError> {
        let value = Vec::try_get_by(row, index)?;
        Self::decode(value).map_err(|error| {
            DbErr::Type(format!("the texts of a decision are damaged: {error}")).into()
        })
    }
}

impl ValueType for DecisionTexts {
    fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
        Self::decode(<Vec<u8> as ValueType>::try_from(value)?).map_err(|_| ValueTypeErr)
    }

    fn type_name() -> String {
        "DecisionTexts".to_owned()
    }

    fn array_type() -> ArrayType {
        ArrayType::Bytes
    }

    fn column_type() -> ColumnType {
        ColumnType::Blob
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> DecisionTexts {
        DecisionTexts {
            record: r#"{"context":{"note":"line\nfeed"},"decision":"ALLOW"}"#.repeat(20),
            context: r#"{"note":"line\nfeed"}"#.repeat(10),
            integrity: Some(r#"{"decision":"ALLOW"}"#.to_owned()),
            statement: Some(r#"{"decision":"ALLOW"}"#.to_owned()),
        }
    }

    #[test]
    fn texts_round_trip_and_take_less_space() {
        for texts in [texts(), DecisionTexts { integrity: None, statement: None, ..texts() }] {
            let value = texts.encode().unwrap();
            assert!(value.len() * 4 < texts.record.len());
            assert_eq!(DecisionTexts::decode(value).unwrap(), texts);
        }
    }

    #[test]
    fn value_of_an_earlier_version_is_read() {
        let plain = b"{\"a\":1}\n{\"b\":2}\n\n".to_vec();
        let texts = DecisionTexts::decode(plain).unwrap();
        assert_eq!((&*texts.record, &*texts.context), (r#"{"a":1}"#, r#"{"b":2}"#));
        assert_eq!((texts.integrity, texts.statement), (None, None));
    }

    #[test]
    fn damaged_value_is_refused() {
        let value = texts().encode().unwrap();
        for index in 0..value.len() {
            let mut damaged = value.clone();
            damaged[index] ^= 1;
            // A frame header has bits without meaning; the texts are then intact.
            assert!(DecisionTexts::decode(damaged).map_or(true, |read| read == texts()), "{index}");
        }
        assert!(DecisionTexts::decode(value[..value.len() - 1].to_vec()).is_err());
        assert!(DecisionTexts::decode(b"one\ntwo".to_vec()).is_err());
    }
}
