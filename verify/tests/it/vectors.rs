//! Access to the known answers in `receipt/vectors`.

use std::{fs, path::PathBuf};

use contract::json::{Limits, Value};

pub(crate) fn json(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../receipt/vectors").join(name);
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    Value::parse(&text, &Limits::BUNDLE_FILE).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Accessors for required members of a vector.
pub(crate) trait Known {
    fn at(&self, name: &str) -> &Value;
    fn text(&self, name: &str) -> &str;
    fn list(&self, name: &str) -> &[Value];
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
}
