//! The JSON form of a bundle: one JSON text with the same files, byte for byte.

use contract::json::{Limits, Value};

use super::{
    archive::ParseArchiveError,
    files::{BYTES_MAX, Files},
    path,
};
use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    object_reader::SignedObjectReader,
};

/// The limits of the JSON form. A byte of a file takes at most six bytes in JSON (`\u0000`). A seventh byte is
/// added for names and punctuation.
const LIMITS: Limits = Limits::BUNDLE_FILE.with_bytes(7 * BYTES_MAX);

/// Returns the JSON form of `files`.
///
/// # Errors
/// Returns an error if a file is not UTF-8 or the manifest is missing.
pub fn write_json(files: &Files) -> Result<CanonicalJson, ParseArchiveError> {
    let manifest = manifest(files)?;
    let text = |(name, bytes)| Some((name, JsonPart::Text(std::str::from_utf8(bytes).ok()?)));
    let members = files.iter().map(text).collect::<Option<ObjectBuilder<'_>>>();
    let members = members.ok_or(ParseArchiveError)?;
    Ok(ObjectBuilder::default().member("manifest", &manifest).member("files", members).canonical())
}

/// Parses the JSON form.
///
/// # Errors
/// Returns an error if a member other than `manifest` and `files` exists, if `manifest` differs from the
/// manifest in `files`, or if a limit is exceeded.
pub fn read_json(text: &[u8]) -> Result<Files, ParseArchiveError> {
    let value = Value::parse(text, &LIMITS).map_err(|_| ParseArchiveError)?;
    let fields = SignedObjectReader::new(&value, "files").map_err(|_| ParseArchiveError)?;
    let copy = fields.value("manifest").map_err(|_| ParseArchiveError)?;
    let members = fields.get("files").and_then(Value::as_object).ok_or(ParseArchiveError)?;
    if value.as_object().is_none_or(|object| object.len() != 2) {
        return Err(ParseArchiveError);
    }
    let mut files = Files::default();
    for (name, text) in members {
        let text = text.as_str().ok_or(ParseArchiveError)?;
        files.insert(name, text).map_err(|_| ParseArchiveError)?;
    }
    if &manifest(&files)? == copy { Ok(files) } else { Err(ParseArchiveError) }
}

fn manifest(files: &Files) -> Result<Value, ParseArchiveError> {
    let manifest = files.get(path::MANIFEST).ok_or(ParseArchiveError)?;
    Value::parse(manifest, &Limits::BUNDLE_FILE).map_err(|_| ParseArchiveError)
}
