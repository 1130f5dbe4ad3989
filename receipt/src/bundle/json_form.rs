//! The bundle as one JSON text: the same members, byte for byte.

use contract::json::{Limits, Value};

use super::{
    archive::ArchiveMalformed,
    files::{BYTES_MAX, Files},
    path,
};
use crate::{
    canon::{Canonical, Members, Part},
    fields::Fields,
};

/// A byte takes at most six in JSON (`\u0000`), and names and braces stand beside the members.
const LIMITS: Limits = Limits::BUNDLE_MEMBER.with_bytes(7 * BYTES_MAX);

/// The JSON form of `files`.
///
/// # Errors
/// A member is no UTF-8, or there is no manifest.
pub fn write_json(files: &Files) -> Result<Canonical, ArchiveMalformed> {
    let manifest = manifest(files)?;
    let text = |(name, bytes)| Some((name, Part::Text(std::str::from_utf8(bytes).ok()?)));
    let members = files.iter().map(text).collect::<Option<Members<'_>>>();
    let members = members.ok_or(ArchiveMalformed)?;
    Ok(Members::default().with("manifest", &manifest).with("files", members).canonical())
}

/// Reads the JSON form.
///
/// # Errors
/// It is none: other members, a manifest that is not a copy of the one among the files, or beyond the
/// limits.
pub fn read_json(text: &[u8]) -> Result<Files, ArchiveMalformed> {
    let value = Value::parse(text, &LIMITS).map_err(|_| ArchiveMalformed)?;
    let fields = Fields::of(&value, "files").map_err(|_| ArchiveMalformed)?;
    let copy = fields.value("manifest").map_err(|_| ArchiveMalformed)?;
    let members = fields.get("files").and_then(Value::as_object).ok_or(ArchiveMalformed)?;
    if value.as_object().is_none_or(|object| object.len() != 2) {
        return Err(ArchiveMalformed);
    }
    let mut files = Files::default();
    for (name, text) in members {
        let text = text.as_str().ok_or(ArchiveMalformed)?;
        files.insert(name, text).map_err(|_| ArchiveMalformed)?;
    }
    if &manifest(&files)? == copy { Ok(files) } else { Err(ArchiveMalformed) }
}

fn manifest(files: &Files) -> Result<Value, ArchiveMalformed> {
    let manifest = files.get(path::MANIFEST).ok_or(ArchiveMalformed)?;
    Value::parse(manifest, &Limits::BUNDLE_MEMBER).map_err(|_| ArchiveMalformed)
}
