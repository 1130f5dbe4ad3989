//! Readers that convert the JSON tree to typed requests and collect all errors.
//!
//! A reader that fails adds at least one error to [`FieldErrors`] and returns `None`. The caller continues
//! with the other members, so one response lists all errors of a body.
//!
//! A body is a struct that derives [`FromJson`]. A reader with other rules uses [`ObjectReader`].
//!
//! ```
//! use contract::read::{FieldPatch, FromJson, code, long_text};
//!
//! #[derive(Debug, FromJson)]
//! #[json(nulls)] // `null` clears a member
//! struct GroupPatch {
//!     #[json(with = code)]
//!     code: Option<String>,
//!     #[json(with = long_text)]
//!     description: FieldPatch<String>,
//! }
//!
//! let body = contract::json::Value::parse(br#"{"code": "-"}"#, &contract::json::Limits::REQUEST).unwrap();
//! let errors = contract::read::body::<GroupPatch>(&body).unwrap_err();
//! assert_eq!((errors[0].path.as_str(), errors[0].code.as_str()), ("/code", "format"));
//! ```

pub mod schema;
mod values;

use std::fmt;

pub use contract_derive::FromJson;

use self::schema::{Description, MemberSchema, Shape};
pub use self::values::{
    CODE_MAX, any, array, code, filled_list, integer, is_code, line, list, long_text, name,
    password, reason, scalar, text, unique_list,
};
pub(crate) use self::values::{id, positive_integer};
use crate::{
    error::FieldError,
    json::{Object, Value},
};

/// The position of a value in a request body: a JSON Pointer (RFC 6901) that is formatted only when printed.
#[derive(Clone, Copy, Debug)]
pub struct JsonPath<'a> {
    parent: Option<&'a JsonPath<'a>>,
    segment: PathSegment<'a>,
}

#[derive(Clone, Copy, Debug)]
enum PathSegment<'a> {
    Root,
    Name(&'a str),
    Index(usize),
}

impl JsonPath<'static> {
    /// The root of the body.
    pub const ROOT: Self = Self { parent: None, segment: PathSegment::Root };
}

impl JsonPath<'_> {
    /// Returns the path of the member `name` of this value.
    pub fn name<'b>(&'b self, name: &'b str) -> JsonPath<'b> {
        JsonPath { parent: Some(self), segment: PathSegment::Name(name) }
    }

    /// Returns the path of the element `index` of this value.
    pub fn index(&self, index: usize) -> JsonPath<'_> {
        JsonPath { parent: Some(self), segment: PathSegment::Index(index) }
    }
}

impl fmt::Display for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.segment {
            PathSegment::Root => Ok(()),
            PathSegment::Name(name) => write!(f, "/{}", name.replace('~', "~0").replace('/', "~1")),
            PathSegment::Index(index) => write!(f, "/{index}"),
        }
    }
}

/// The errors of a request body in reading order.
#[derive(Debug, Default)]
pub struct FieldErrors {
    list: Vec<FieldError>,
    /// The schemas described so far; present only while readers describe themselves.
    description: Option<Box<Description>>,
}

/// The maximum number of errors in a response, which limits the response to a hostile body.
const ERRORS_MAX: usize = 100;

impl FieldErrors {
    /// Adds an error.
    pub fn push(&mut self, at: &JsonPath<'_>, code: &'static str, message: impl Into<String>) {
        if self.list.len() < ERRORS_MAX {
            self.list.push(FieldError::new(at.to_string(), code, message));
        }
    }

    /// Returns whether there are no errors.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of errors.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the errors.
    pub fn into_vec(self) -> Vec<FieldError> {
        self.list
    }
}

/// A type that can be read from the JSON tree.
pub trait FromJson: Sized {
    /// Reads the value at the path `at`. Returns `None` after adding at least one error.
    fn from_json(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Self>;
}

/// A function that reads a value like [`FromJson::from_json`].
pub trait Reader<T>: Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<T> {}

impl<T, F: Fn(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<T>> Reader<T> for F {}

/// A function that reads one value like [`FromJson::from_json`].
pub trait ReadOnce<T>: FnOnce(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<T> {}

impl<T, F: FnOnce(&Value, &JsonPath<'_>, &mut FieldErrors) -> Option<T>> ReadOnce<T> for F {}

/// Reads a request body.
///
/// # Errors
/// Returns all errors of the body.
pub fn body<T: FromJson>(value: &Value) -> Result<T, Vec<FieldError>> {
    let mut errors = FieldErrors::default();
    match T::from_json(value, &JsonPath::ROOT, &mut errors) {
        Some(read) if errors.is_empty() => Ok(read),
        _ => Err(errors.into_vec()),
    }
}

/// The change that a patch makes to an optional value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldPatch<T> {
    /// The member is absent: the value is unchanged.
    #[default]
    Keep,
    /// The member is `null`: the value is cleared.
    Clear,
    /// The member has a value: it replaces the old value.
    Set(T),
}

impl<T> FieldPatch<T> {
    /// Returns the value after the change, where `before` is the old value.
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(after) => Some(after),
        }
    }
}

/// The meaning of `null` for an optional member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nulls {
    /// `null` means absent: requests that create or act.
    Absent,
    /// `null` is a value that the reader of the member accepts or rejects: patches and contexts.
    Values,
}

/// A reader of the members of an object. [`ObjectReader::finish`] rejects unknown members.
#[derive(Debug)]
pub struct ObjectReader<'v, 'e> {
    object: Option<&'v Object>,
    path: JsonPath<'v>,
    nulls: Nulls,
    known: Vec<&'static str>,
    errors: &'e mut FieldErrors,
    errors_before: usize,
    members: Vec<MemberSchema>,
    shapes: Option<(&'static str, Vec<Shape>)>,
}

impl<'v, 'e> ObjectReader<'v, 'e> {
    /// Starts to read an object of a request that creates or acts. `null` means that an optional member is
    /// absent.
    pub fn new(value: &'v Value, at: &JsonPath<'v>, errors: &'e mut FieldErrors) -> Option<Self> {
        Self::start(Nulls::Absent, value, at, errors)
    }

    /// Starts to read an object in which `null` is a value: a patch or a context. A patch accepts `null` only
    /// for members that are read with [`nullable`](Self::nullable).
    pub fn with_nulls(
        value: &'v Value,
        at: &JsonPath<'v>,
        errors: &'e mut FieldErrors,
    ) -> Option<Self> {
        Self::start(Nulls::Values, value, at, errors)
    }

    fn start(
        nulls: Nulls,
        value: &'v Value,
        at: &JsonPath<'v>,
        errors: &'e mut FieldErrors,
    ) -> Option<Self> {
        let object = value.as_object();
        if object.is_none() && !errors.is_describing() {
            errors.push(at, "type", "must be an object");
            return None;
        }
        let errors_before = errors.len();
        Some(Self {
            object,
            path: *at,
            nulls,
            known: Vec::new(),
            errors,
            errors_before,
            members: Vec::new(),
            shapes: None,
        })
    }

    /// Returns the value of a member if it counts as present.
    fn member(&self, name: &str) -> Option<&'v Value> {
        let value = self.object?.get(name)?;
        let is_absent = self.nulls == Nulls::Absent && matches!(value, Value::Null);
        (!is_absent).then_some(value)
    }

    /// Adds the schema of a member.
    fn describe<T>(
        &mut self,
        name: &'static str,
        is_required: bool,
        is_nullable: bool,
        read: impl ReadOnce<T>,
    ) {
        let at = self.path.name(name);
        let schema = self.errors.schema_of(|errors| drop(read(&Value::Null, &at, errors)));
        self.members.push(MemberSchema { name, schema, is_required, is_nullable });
    }

    /// Reads a required member.
    pub fn required<T>(&mut self, name: &'static str, read: impl ReadOnce<T>) -> Option<T> {
        if self.errors.is_describing() {
            self.describe(name, true, false, read);
            return None;
        }
        self.known.push(name);
        let at = self.path.name(name);
        if let Some(value) = self.object.and_then(|object| object.get(name)) {
            read(value, &at, self.errors)
        } else {
            self.errors.push(&at, "required", format!("`{name}` is required"));
            None
        }
    }

    /// Reads an optional member.
    pub fn optional<T>(&mut self, name: &'static str, read: impl ReadOnce<T>) -> Option<T> {
        if self.errors.is_describing() {
            self.describe(name, false, self.nulls == Nulls::Absent, read);
            return None;
        }
        self.known.push(name);
        let value = self.member(name)?;
        read(value, &self.path.name(name), self.errors)
    }

    /// Reads an optional member of a patch: absent leaves the value unchanged, `null` clears it.
    pub fn nullable<T>(
        &mut self,
        name: &'static str,
        read: impl ReadOnce<T>,
    ) -> Option<FieldPatch<T>> {
        if self.errors.is_describing() {
            self.describe(name, false, true, read);
            return None;
        }
        self.known.push(name);
        match self.object.and_then(|object| object.get(name)) {
            None => Some(FieldPatch::Keep),
            Some(Value::Null) => Some(FieldPatch::Clear),
            Some(value) => read(value, &self.path.name(name), self.errors).map(FieldPatch::Set),
        }
    }

    /// Returns the unparsed value of a member if it counts as present, and marks the member as known.
    pub fn raw(&mut self, name: &'static str) -> Option<&'v Value> {
        self.known.push(name);
        self.member(name)
    }

    /// Returns whether a member counts as present. Does not mark it as known.
    pub fn has(&self, name: &str) -> bool {
        self.member(name).is_some()
    }

    /// Describes the shapes of the object, of which exactly one applies.
    pub fn one_of(&mut self, shapes: impl FnOnce() -> Vec<Shape>) {
        if self.errors.is_describing() {
            self.shapes = Some(("oneOf", shapes()));
        }
    }

    /// Describes the shapes of the object, of which at least one applies.
    pub fn any_of(&mut self, shapes: impl FnOnce() -> Vec<Shape>) {
        if self.errors.is_describing() {
            self.shapes = Some(("anyOf", shapes()));
        }
    }

    /// Requires at least one of `names`. If all are absent, the error is reported for the first.
    pub fn at_least_one_of(&mut self, names: &[&'static str]) -> Option<()> {
        self.any_of(|| {
            let case = |name: &&'static str| Shape { required: vec![*name], ..Shape::default() };
            names.iter().map(case).collect()
        });
        if self.errors.is_describing() || names.iter().any(|name| self.has(name)) {
            return Some(());
        }
        let list: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("one of {} is required", list.join(", "));
        self.add_error(names.first()?, "required", message);
        None
    }

    /// Requires exactly one of `names`.
    pub fn exactly_one_of(&mut self, names: &[&'static str]) -> Option<()> {
        self.at_least_one_of(names)?;
        self.one_of(|| {
            let case = |name: &&'static str| {
                let absent = names.iter().filter(|other| *other != name).copied().collect();
                Shape { required: vec![*name], absent, ..Shape::default() }
            };
            names.iter().map(case).collect()
        });
        self.at_most_one_of(names)
    }

    /// Rejects all of `names` but the first that is present. Does not describe them: `one_of` does.
    pub fn at_most_one_of(&mut self, names: &[&'static str]) -> Option<()> {
        let present: Vec<_> = names.iter().filter(|name| self.has(name)).copied().collect();
        let Some((first, others)) = present.split_first() else { return Some(()) };
        for other in others {
            self.add_error(
                other,
                "conflict",
                format!("`{other}` and `{first}` exclude each other"),
            );
        }
        others.is_empty().then_some(())
    }

    /// Returns whether the object has no errors so far.
    pub fn is_valid(&self) -> bool {
        self.errors.len() == self.errors_before
    }

    /// Adds an error for the member `name`.
    pub fn add_error(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        self.errors.push(&self.path.name(name), code, message);
    }

    /// Returns the errors, for checks that combine several members.
    pub fn errors(&mut self) -> &mut FieldErrors {
        self.errors
    }

    /// Rejects unknown members. Returns `Some` if the object has no errors.
    pub fn finish(self) -> Option<()> {
        let schema = || object_schema(&self.members, self.shapes.as_ref(), self.nulls);
        if self.errors.describes(schema) {
            return None;
        }
        for (name, _) in self.object.into_iter().flatten() {
            if !self.known.contains(&name) {
                let hint = closest_match(name, &self.known)
                    .map(|known| format!("; did you mean `{known}`?"))
                    .unwrap_or_default();
                let message = format!("`{name}` is not a known member{hint}");
                self.errors.push(&self.path.name(name), "unknown", message);
            }
        }
        self.is_valid().then_some(())
    }

    /// Finishes an object that can have further members, which are stored unchanged.
    pub fn finish_open(self) -> Option<()> {
        let any = self.errors.schema_of(|errors| {
            schema::any(errors);
        });
        let schema = || {
            let mut object = object_schema(&self.members, self.shapes.as_ref(), self.nulls);
            object.insert("additionalProperties", any);
            object
        };
        if self.errors.describes(schema) {
            return None;
        }
        self.is_valid().then_some(())
    }
}

/// Returns the schema of an object with these members.
fn object_schema(
    members: &[MemberSchema],
    shapes: Option<&(&'static str, Vec<Shape>)>,
    nulls: Nulls,
) -> Object {
    let nulls_are_absent = nulls == Nulls::Absent;
    let Some((keyword, shapes)) = shapes else {
        return schema::object(members, &Shape::default(), nulls_are_absent);
    };
    let shapes = shapes.iter().map(|shape| schema::object(members, shape, nulls_are_absent));
    Object::from([(*keyword, shapes.collect())])
}

/// Returns the known name that is nearest to `name`, if it is within two edits.
pub fn closest_match<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let nearest = known.iter().map(|known| (edit_distance(name, known), *known)).min()?;
    (nearest.0 <= 2 && nearest.0 < name.len()).then_some(nearest.1)
}

/// Returns the Levenshtein distance in bytes, or `usize::MAX` for names longer than 64 bytes.
fn edit_distance(a: &str, b: &str) -> usize {
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    strsim::generic_levenshtein(&Vec::from(a), &Vec::from(b))
}
