//! Files in YAML or JSON as JSON trees.

mod json;
mod line_ends;
mod order;
pub mod yaml;

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use contract::json::{Limits, Value};

use crate::exit::Error;

/// The limits of a file.
const LIMITS: Limits = Limits { allow_nul: false, ..Limits::BUNDLE_FILE };

/// The mark that some editors write at the start of a text in UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// YAML 1.2 with the core schema.
    Yaml,
}

impl Format {
    /// Returns the format that the extension of a file names, or `None` for other files.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }

    /// Parses a text. Member names are unique, numbers are within ±(2^53 − 1), and depth and size are limited. A byte
    /// order mark at the start is ignored.
    ///
    /// # Errors
    /// Returns the first error with its position.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        let text = text.trim_start_matches(BYTE_ORDER_MARK);
        if text.trim().is_empty() {
            return Err("is empty".to_owned());
        }
        match self {
            Self::Json => json::parse(text, &LIMITS),
            Self::Yaml => {
                let value = yaml::parse(text)?;
                // The same limits as for JSON.
                let checked = Value::parse(value.to_canonical().as_bytes(), &LIMITS);
                checked.map_err(|error| error.code.reason().to_owned())
            }
        }
    }

    /// Returns the text of a value. The order of members is fixed, so equal values have equal texts.
    pub fn render(self, value: &Value) -> String {
        match self {
            Self::Json => json::render(value),
            Self::Yaml => yaml::render(value),
        }
    }

    /// Returns the text `old`, changed to have the value `new`. The text of unchanged parts is the same, with its
    /// comments, spaces and line ends.
    pub fn update(self, old: &str, new: &Value) -> String {
        let body = old.trim_start_matches(BYTE_ORDER_MARK);
        let updated = match self {
            Self::Json => json::update(body, new),
            Self::Yaml => yaml::update(body, new),
        };
        let (mark, _) = old.split_at(old.len() - body.len());
        mark.to_owned() + &line_ends::keep(body, &updated)
    }

    /// Returns the line (from 1) of the value at a JSON Pointer, or of the closest value around it.
    pub fn line_of(self, text: &str, pointer: &str) -> Option<usize> {
        match self {
            Self::Json => None,
            Self::Yaml => yaml::line_of(text.trim_start_matches(BYTE_ORDER_MARK), pointer),
        }
    }
}

/// Returns the text that identifies an element when its other members change.
fn identity(value: &Value) -> String {
    let member = |name| value.get(name).and_then(Value::as_str).map(str::to_owned);
    member("code").or_else(|| member("unit_id")).unwrap_or_else(|| value.to_canonical())
}

/// Reads the text of a file.
///
/// # Errors
/// Returns an error if the file cannot be read, has more than `max_bytes` bytes, or is not UTF-8.
pub(crate) fn read_text(path: &Path, max_bytes: u64) -> Result<String, Error> {
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    read_from(file, path, max_bytes)
}

/// Reads the text of a file, or of standard input for the path `-`.
///
/// # Errors
/// Returns an error if the file cannot be read, has more than `max_bytes` bytes, or is not UTF-8.
pub(crate) fn read_text_or_stdin(path: &Path, max_bytes: u64) -> Result<String, Error> {
    if path.as_os_str() == "-" {
        return read_from(io::stdin(), path, max_bytes);
    }
    read_text(path, max_bytes)
}

fn read_from(reader: impl Read, path: &Path, max_bytes: u64) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let limited = &mut reader.take(max_bytes.saturating_add(1));
    limited.read_to_end(&mut bytes).map_err(|error| Error::file(path, error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > max_bytes {
        return Err(Error::file(path, format!("is larger than {max_bytes} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::file(path, format!("is not a text in UTF-8: byte {at} is not valid"))
    })
}
