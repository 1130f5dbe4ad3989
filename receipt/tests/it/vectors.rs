//! Access to the files in `receipt/vectors`.

use std::{fs, path::PathBuf};

use contract::json::{Limits, Value};

/// The limits of a request, with U+0000 allowed, which `contract` refuses only in requests.
pub(crate) const READER: Limits = Limits { allow_nul: true, ..Limits::REQUEST };

pub(crate) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name)
}

pub(crate) fn bytes(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).unwrap()
}

/// Parses a JSON file with the parser under test.
pub(crate) fn json(name: &str) -> Value {
    Value::parse(&bytes(name), &Limits::BUNDLE_FILE)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the sorted names of the entries in a directory.
pub(crate) fn names(directory: &str) -> Vec<String> {
    let entries = fs::read_dir(path(directory)).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Accessors for required members of a vector.
pub(crate) trait Known {
    fn at(&self, name: &str) -> &Value;
    fn text(&self, name: &str) -> &str;
    fn list(&self, name: &str) -> &[Value];
    fn bytes(&self, name: &str) -> Vec<u8>;
}

impl Known for Value {
    fn at(&self, name: &str) -> &Value {
        self.get(name).unwrap_or_else(|| panic!("no member {name}"))
    }

    fn text(&self, name: &str) -> &str {
        self.at(name).as_str().unwrap()
    }

    fn list(&self, name: &str) -> &[Value] {
        self.at(name).as_array().unwrap()
    }

    /// Returns the bytes of a hexadecimal member.
    fn bytes(&self, name: &str) -> Vec<u8> {
        hex::decode(self.text(name)).unwrap()
    }
}
