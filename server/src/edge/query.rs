//! Queries: one function reads the parameters of a query, checks them and describes them in the `OpenAPI`
//! document.

use std::{collections::BTreeMap, convert::Infallible, ops::RangeInclusive};

use axum::extract::FromRequestParts;
use contract::{
    error::FieldError,
    filter::{self, FilterReader, FilterValue, Format, ListFilter, RangeEnd},
    pagination::{LIMIT_DEFAULT, LIMIT_MAX},
    read::{self, JsonPath},
    time::Timestamp,
};
use governance::{Error, PageRequest, base::error::invalid};
use http::request::Parts;
use utoipa::openapi::{
    KnownFormat, ObjectBuilder, Required, SchemaFormat, Type,
    path::{Parameter, ParameterBuilder, ParameterIn},
};

use crate::{
    edge::{error::ApiError, percent_encoding},
    endpoint::{Describe, Operation},
};

/// A type that is read from the parameters of a query.
pub trait FromQuery: Sized {
    /// Reads the parameters. Returns `None` if a required parameter is absent or invalid.
    fn read(query: &mut QueryReader) -> Option<Self>;
}

/// The parameters of a request, read strictly: each must be known and may occur once.
#[derive(Debug)]
pub struct Query<T>(pub T);

/// The query of a route without parameters.
pub type NoQuery = Query<()>;

impl<S: Sync, T: FromQuery> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut query = QueryReader::new(parts);
        let value = T::read(&mut query);
        query.finish()?;
        Ok(Self(value.ok_or_else(|| Error::bug("a missing parameter was not rejected"))?))
    }
}

impl<T: FromQuery> Describe for Query<T> {
    fn describe(operation: &mut Operation) {
        let mut query = QueryReader { description: Some(Vec::new()), ..QueryReader::default() };
        T::read(&mut query);
        operation.query(query.description.unwrap_or_default());
    }
}

impl FromQuery for () {
    fn read(_: &mut QueryReader) -> Option<Self> {
        Some(())
    }
}

impl<T: FromQuery, U: FromQuery> FromQuery for (T, U) {
    fn read(query: &mut QueryReader) -> Option<Self> {
        let (first, second) = (T::read(query), U::read(query));
        first.zip(second)
    }
}

/// The filters of a list.
#[derive(Debug)]
pub struct Filters<T>(pub T);

impl<T: ListFilter> FromQuery for Filters<T> {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self(T::read(query)))
    }
}

impl FilterReader for QueryReader {
    fn read<T: FilterValue>(&mut self, parameter: filter::Parameter) -> Option<T> {
        let name = parameter.name?;
        if T::FORMAT == Format::Text {
            return T::parse(&self.text(name, parameter.max, parameter.description)?);
        }
        let value = self.get(name, parameter.description);
        match parameter.end {
            Some(RangeEnd::From) => self.start = Some(name),
            Some(RangeEnd::To) => self.check_range(name),
            None => {}
        }
        value
    }
}

impl FromQuery for PageRequest {
    fn read(query: &mut QueryReader) -> Option<Self> {
        Some(Self {
            limit: query.integer("limit", 1..=LIMIT_MAX, LIMIT_DEFAULT, "Page size"),
            cursor: query.text("cursor", 500, "`next_cursor` of the previous page"),
        })
    }
}

/// A reader of the parameters of a query. In describing mode it collects their descriptions.
#[derive(derive_more::Debug, Default)]
#[debug("QueryReader {{ known: {known:?}, .. }}")]
pub struct QueryReader {
    values: BTreeMap<String, String>,
    errors: Vec<FieldError>,
    known: Vec<&'static str>,
    /// The parameter with the start of the time range that was read last.
    start: Option<&'static str>,
    /// The parameters described so far; present only in describing mode.
    description: Option<Vec<Parameter>>,
}

impl<S: Sync> FromRequestParts<S> for QueryReader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::new(parts))
    }
}

impl QueryReader {
    fn new(parts: &Parts) -> Self {
        let mut query = Self::default();
        let text = parts.uri.query().unwrap_or_default();
        let is_readable = percent_encoding::decoded(text.as_bytes()).is_some();
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            // The parser replaces what it cannot read by U+FFFD, which a value can also contain.
            if !is_readable && (value.contains('\u{FFFD}') || name.contains('\u{FFFD}')) {
                query.add_error(&name, "format", "must be percent-encoded UTF-8");
            } else if value.contains('\0') {
                query.add_error(&name, "nul", "must not contain U+0000");
            } else if query.values.insert(name.to_string(), value.to_string()).is_some() {
                query.add_error(&name, "repeated", "occurs more than once");
            }
        }
        query
    }

    fn add_error(&mut self, name: &str, code: &str, message: &str) {
        let path = JsonPath::ROOT.name(name).to_string();
        self.errors.push(FieldError::new(path, code, format!("`{name}` {message}")));
    }

    /// Returns the value of a parameter and marks the parameter as known. In describing mode, describes it.
    fn value(
        &mut self,
        name: &'static str,
        description: &str,
        schema: impl FnOnce() -> ObjectBuilder,
    ) -> Option<&str> {
        self.known.push(name);
        if let Some(parameters) = &mut self.description {
            let parameter = ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .required(Required::False)
                .description(Some(description))
                .schema(Some(schema()));
            parameters.push(parameter.build());
        }
        self.values.get(name).map(String::as_str)
    }

    /// Reads a text of 1 to `max` characters.
    pub fn text(&mut self, name: &'static str, max: usize, description: &str) -> Option<String> {
        self.bounded_text(name, 1, max, description)
    }

    /// Reads a secret of at most `max` characters. An empty value is also returned, so that the caller
    /// refuses it like any other wrong secret.
    pub fn secret(&mut self, name: &'static str, max: usize, description: &str) -> Option<String> {
        self.bounded_text(name, 0, max, description)
    }

    fn bounded_text(
        &mut self,
        name: &'static str,
        min: usize,
        max: usize,
        description: &str,
    ) -> Option<String> {
        let schema = || {
            let min = (min > 0).then_some(min);
            string_pattern(r"^[^\u0000]*$").min_length(min).max_length(Some(max))
        };
        let value = self.value(name, description, schema)?.to_owned();
        if !(min..=max).contains(&value.chars().count()) {
            self.add_error(name, "length", &format!("must have {min} to {max} characters"));
            return None;
        }
        Some(value)
    }

    /// Reads a value with `parse`. `expected` describes the format in the error.
    pub fn parsed<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        schema: impl FnOnce() -> ObjectBuilder,
        description: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let parsed = parse(self.value(name, description, schema)?);
        if parsed.is_none() {
            self.add_error(name, "format", &format!("must be {expected}"));
        }
        parsed
    }

    /// Reads a value in its format, which is not a text.
    pub fn get<T: FilterValue>(&mut self, name: &'static str, description: &str) -> Option<T> {
        let (expected, schema) = match T::FORMAT {
            Format::Boolean => {
                ("true or false".to_owned(), ObjectBuilder::new().schema_type(Type::Boolean))
            }
            Format::Id => ("a UUID".to_owned(), string_format(KnownFormat::Uuid)),
            Format::Name(names) => {
                (format!("one of {}", names.join(", ")), string().enum_values(Some(names.to_vec())))
            }
            Format::Ordinal => ("a whole number of at least 1".to_owned(), integer(1..=u32::MAX)),
            Format::Text => ("a text".to_owned(), string()),
            Format::Time => {
                let expected = "an RFC 3339 date-time with an offset";
                (expected.to_owned(), string_format(KnownFormat::DateTime))
            }
        };
        self.parsed(name, &expected, || schema, description, T::parse)
    }

    /// Reads a whole number within `range`. Returns `default` if it is absent or cannot be parsed.
    pub fn integer(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u32>,
        default: u32,
        description: &str,
    ) -> u32 {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let schema = || integer(range.clone()).default(Some(default.into()));
        let description = format!("{description} (default: {default})");
        let number = self.parsed(name, &expected, schema, &description, |text| text.parse().ok());
        let number = number.unwrap_or(default);
        if !range.contains(&number) {
            self.add_error(name, "range", &format!("must be {expected}"));
        }
        number
    }

    /// Checks that a time range does not end before it begins.
    fn check_range(&mut self, end: &'static str) {
        let Some(start) = self.start else { return };
        let [from, to] = [start, end].map(|name| self.values.get(name)?.parse::<Timestamp>().ok());
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            self.add_error(start, "range", &format!("must not be after `{end}`"));
        }
    }

    /// Requires parameters that were read.
    pub fn require(&mut self, names: &[&'static str]) {
        for name in names {
            let described = self.description.iter_mut().flatten();
            for parameter in described.filter(|parameter| parameter.name == *name) {
                parameter.required = Required::True;
            }
            if !self.values.contains_key(*name) {
                self.add_error(name, "required", "is required");
            }
        }
    }

    /// Checks that all parameters were valid and known.
    fn finish(mut self) -> Result<(), ApiError> {
        let unknown: Vec<String> = self
            .values
            .keys()
            .filter(|name| !self.known.contains(&name.as_str()))
            .cloned()
            .collect();
        for name in unknown {
            let hint = read::closest_match(&name, &self.known)
                .map(|known| format!("; did you mean `{known}`?"))
                .unwrap_or_default();
            self.add_error(&name, "unknown", &format!("is an unknown parameter{hint}"));
        }
        if self.errors.is_empty() { Ok(()) } else { Err(invalid(&self.errors).into()) }
    }
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn string_format(format: KnownFormat) -> ObjectBuilder {
    string().format(Some(SchemaFormat::KnownFormat(format)))
}

pub(crate) fn string_pattern(pattern: &str) -> ObjectBuilder {
    string().pattern(Some(pattern))
}

fn integer(range: RangeInclusive<u32>) -> ObjectBuilder {
    let schema = ObjectBuilder::new().schema_type(Type::Integer);
    schema.minimum(Some(*range.start())).maximum(Some(*range.end()))
}
