//! The request of `evaluate` and `record`, from a file or from arguments.

use std::{fs, io::Read as _, path::PathBuf};

use clap::Args;
use contract::json::{Limits, Object, Value};

use crate::{document::Format, exit::Error};

/// The request of `evaluate` and `record`.
#[derive(Debug, Args)]
pub(super) struct RequestArgs {
    /// A request or a context in YAML or JSON; - for standard input
    #[arg(value_name = "FILE", required_unless_present = "decision_type")]
    file: Option<PathBuf>,
    /// The decision type
    #[arg(long = "type", value_name = "TYPE")]
    decision_type: Option<String>,
    /// A field of the context, such as amount=1250 or payee.id=SUP-1. A value that is JSON is not a text
    #[arg(long = "field", value_name = "NAME=VALUE", value_parser = field)]
    fields: Vec<(String, Value)>,
}

/// Parses a field. A dot in its name separates the names of nested objects.
fn field(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("must have the form NAME=VALUE")?;
    let json = Value::parse(value.as_bytes(), &Limits::REQUEST);
    Ok((name.to_owned(), json.unwrap_or_else(|_| Value::from(value))))
}

impl RequestArgs {
    /// Returns the body of the request.
    pub(super) fn read(&self) -> Result<Object, Error> {
        let mut request = match &self.file {
            Some(_) => self.read_file()?,
            None => Object::new(),
        };
        let mut context = take_object(&mut request, "context");
        if let Some(decision_type) = &self.decision_type {
            context.insert("decision_type", decision_type.as_str());
        }
        let mut fields = take_object(&mut context, "fields");
        for (name, value) in &self.fields {
            set(&mut fields, name, value.clone());
        }
        context.insert("fields", fields);
        request.insert("context", context);
        Ok(request)
    }

    /// Returns the request in the file. A file without the member `context` is a context.
    fn read_file(&self) -> Result<Object, Error> {
        let path = self.file.clone().unwrap_or_default();
        let mut text = String::new();
        if path.as_os_str() == "-" {
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Error::file(&path, error))?;
        } else {
            text = fs::read_to_string(&path).map_err(|error| Error::file(&path, error))?;
        }
        // JSON is also YAML.
        let format = Format::of(&path).unwrap_or(Format::Yaml);
        let value = format.parse(&text).map_err(|error| Error::file(&path, error))?;
        match value {
            Value::Object(request) if request.get("context").is_some() => Ok(request),
            Value::Object(context) => Ok(Object::from([("context", context.into())])),
            _ => Err(Error::file(&path, "must be an object")),
        }
    }
}

/// Removes the object `name`; an empty one if there is none.
fn take_object(object: &mut Object, name: &str) -> Object {
    match object.remove(name) {
        Some(Value::Object(inner)) => inner,
        _ => Object::new(),
    }
}

/// Sets the member at a path with dots.
fn set(object: &mut Object, path: &str, value: Value) {
    match path.split_once('.') {
        None => drop(object.insert(path, value)),
        Some((first, rest)) => {
            let mut inner = take_object(object, first);
            set(&mut inner, rest, value);
            object.insert(first, inner);
        }
    }
}
