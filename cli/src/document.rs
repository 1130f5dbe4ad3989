//! Files in YAML or JSON as JSON trees.

mod json;
mod order;
pub mod yaml;

use std::path::Path;

use contract::json::Value;

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

    /// Parses a text. Member names are unique, and numbers are within ±(2^53 − 1).
    ///
    /// # Errors
    /// Returns the first error with its position.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Json => json::parse(text),
            Self::Yaml => yaml::parse(text),
        }
    }

    /// Returns the text of a value. The order of members is fixed, so equal values have equal texts.
    pub fn render(self, value: &Value) -> String {
        match self {
            Self::Json => json::render(value),
            Self::Yaml => yaml::render(value),
        }
    }

    /// Returns the text `old`, changed to have the value `new`. In YAML, the text of unchanged parts is the
    /// same, with its comments.
    pub fn update(self, old: &str, new: &Value) -> String {
        match self {
            Self::Json => json::render(new),
            Self::Yaml => yaml::update(old, new),
        }
    }

    /// Returns the line (from 1) of the value at a JSON Pointer, or of the closest value around it.
    pub fn line_of(self, text: &str, pointer: &str) -> Option<usize> {
        match self {
            Self::Json => None,
            Self::Yaml => yaml::line_of(text, pointer),
        }
    }
}
