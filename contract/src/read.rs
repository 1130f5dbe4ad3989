//! Reads typed requests from the JSON tree and collects every error on the way.
//!
//! A reader returns `None` after it has put at least one error into [`Errors`]; the caller reads on,
//! so that one answer names all that is wrong with a body.

pub mod schema;

use std::{cell::RefCell, fmt};

use self::schema::{Description, Part, Shape};
use crate::{
    error::FieldError,
    json::{Number, Object, Value},
    time::Timestamp,
};

/// Where in the body a value stands: a JSON Pointer (RFC 6901) that costs nothing until printed.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    Name(&'a str),
    Index(usize),
}

impl At<'static> {
    /// The body itself.
    pub const ROOT: Self = Self { parent: None, step: Step::Root };
}

impl At<'_> {
    /// The member `name` of this value.
    pub fn name<'b>(&'b self, name: &'b str) -> At<'b> {
        At { parent: Some(self), step: Step::Name(name) }
    }

    /// The element `index` of this value.
    pub fn index(&self, index: usize) -> At<'_> {
        At { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Name(name) => write!(f, "/{}", name.replace('~', "~0").replace('/', "~1")),
            Step::Index(index) => write!(f, "/{index}"),
        }
    }
}

/// The errors of one body, in reading order.
#[derive(Debug, Default)]
pub struct Errors {
    list: Vec<FieldError>,
    /// The schemas of readers that are asked to describe themselves.
    description: Option<Box<Description>>,
}

/// How many errors one answer names at the most; a hostile body must not make a huge answer.
const ERRORS_MAX: usize = 100;

impl Errors {
    /// Notes an error.
    pub fn push(&mut self, at: &At<'_>, code: &'static str, message: impl Into<String>) {
        if self.list.len() < ERRORS_MAX {
            self.list.push(FieldError {
                path: at.to_string(),
                code: code.to_owned(),
                message: message.into(),
            });
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many errors were noted.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The errors.
    pub fn into_vec(self) -> Vec<FieldError> {
        self.list
    }
}

/// A type that reads itself from the tree.
pub trait Read: Sized {
    /// Reads `value`, which stands at `at`; `None` when it noted an error.
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self>;
}

/// Reads a whole body.
///
/// # Errors
/// All that is wrong with it.
pub fn body<T: Read>(value: &Value) -> Result<T, Vec<FieldError>> {
    let mut errors = Errors::default();
    match T::read(value, &At::ROOT, &mut errors) {
        Some(read) if errors.is_empty() => Ok(read),
        _ => Err(errors.into_vec()),
    }
}

/// What a patch does to a value that may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The member is absent: the value stays.
    #[default]
    Keep,
    /// The member is `null`: the value goes.
    Clear,
    /// The new value.
    Set(T),
}

impl<T> Change<T> {
    /// The value after the change, given the one before.
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(after) => Some(after),
        }
    }
}

/// What `null` means as the value of a member that may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nulls {
    /// The same as no member: requests that create or act.
    Absent,
    /// A value, which the reader of the member takes or refuses: patches, and contexts.
    Values,
}

/// The members of an object while it is read; [`Members::finish`] refuses those nobody asked for.
#[derive(Debug)]
pub struct Members<'v, 'e> {
    object: Option<&'v Object>,
    at: At<'v>,
    nulls: Nulls,
    known: Vec<&'static str>,
    errors: &'e mut Errors,
    errors_before: usize,
    parts: Vec<Part>,
    cases: Option<(&'static str, Vec<Shape>)>,
}

impl<'v, 'e> Members<'v, 'e> {
    /// Starts to read `value`, which must be an object of a request that creates or acts: `null` for a
    /// member that may be absent means that it is absent.
    pub fn of(value: &'v Value, at: &At<'v>, errors: &'e mut Errors) -> Option<Self> {
        Self::with(Nulls::Absent, value, at, errors)
    }

    /// Starts to read `value`, which must be an object in which `null` is a value: a patch or a context.
    /// A patch takes `null` for its [`clearable`](Self::clearable) members only.
    pub fn exact(value: &'v Value, at: &At<'v>, errors: &'e mut Errors) -> Option<Self> {
        Self::with(Nulls::Values, value, at, errors)
    }

    fn with(nulls: Nulls, value: &'v Value, at: &At<'v>, errors: &'e mut Errors) -> Option<Self> {
        let object = value.as_object();
        if object.is_none() && !errors.is_describing() {
            errors.push(at, "type", "must be an object");
            return None;
        }
        let errors_before = errors.len();
        Some(Self {
            object,
            at: *at,
            nulls,
            known: Vec::new(),
            errors,
            errors_before,
            parts: Vec::new(),
            cases: None,
        })
    }

    /// The value of a member, when it counts as there.
    fn given(&self, name: &str) -> Option<&'v Value> {
        let value = self.object?.get(name)?;
        let is_absent = self.nulls == Nulls::Absent && matches!(value, Value::Null);
        (!is_absent).then_some(value)
    }

    /// Takes the schema of a member.
    fn describe<T>(
        &mut self,
        name: &'static str,
        is_required: bool,
        is_nullable: bool,
        read: impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<T>,
    ) {
        let at = self.at.name(name);
        let schema = self.errors.part(|errors| {
            read(&Value::Null, &at, errors);
        });
        self.parts.push(Part { name, schema, is_required, is_nullable });
    }

    /// A member that must be there.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<T>,
    ) -> Option<T> {
        if self.errors.is_describing() {
            self.describe(name, true, false, read);
            return None;
        }
        self.known.push(name);
        let at = self.at.name(name);
        if let Some(value) = self.object.and_then(|object| object.get(name)) {
            read(value, &at, self.errors)
        } else {
            self.errors.push(&at, "required", format!("`{name}` is required"));
            None
        }
    }

    /// A member that may be absent.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<T>,
    ) -> Option<T> {
        if self.errors.is_describing() {
            self.describe(name, false, self.nulls == Nulls::Absent, read);
            return None;
        }
        self.known.push(name);
        let value = self.given(name)?;
        read(value, &self.at.name(name), self.errors)
    }

    /// A member of a patch that may be taken away: absent keeps the value, `null` clears it.
    pub fn clearable<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value, &At<'_>, &mut Errors) -> Option<T>,
    ) -> Option<Change<T>> {
        if self.errors.is_describing() {
            self.describe(name, false, true, read);
            return None;
        }
        self.known.push(name);
        match self.object.and_then(|object| object.get(name)) {
            None => Some(Change::Keep),
            Some(Value::Null) => Some(Change::Clear),
            Some(value) => read(value, &self.at.name(name), self.errors).map(Change::Set),
        }
    }

    /// The raw value of a member that counts as there.
    pub fn raw(&mut self, name: &'static str) -> Option<&'v Value> {
        self.known.push(name);
        self.given(name)
    }

    /// Whether a member counts as there. It does not become known by this.
    pub fn has(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// Describes the shapes that the object may have, of which one holds.
    pub fn one_of(&mut self, cases: impl FnOnce() -> Vec<Shape>) {
        if self.errors.is_describing() {
            self.cases = Some(("oneOf", cases()));
        }
    }

    /// Describes the shapes that the object may have, of which at least one holds.
    pub fn any_of(&mut self, cases: impl FnOnce() -> Vec<Shape>) {
        if self.errors.is_describing() {
            self.cases = Some(("anyOf", cases()));
        }
    }

    /// Requires at least one of `names`; when all are absent, the first is the one that is missing.
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
        self.refuse(names.first()?, "required", message);
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
        if self.errors.is_describing() {
            return Some(());
        }
        let given: Vec<_> = names.iter().filter(|name| self.has(name)).copied().collect();
        let (first, others) = given.split_first()?;
        for other in others {
            self.refuse(other, "conflict", format!("`{other}` and `{first}` exclude each other"));
        }
        others.is_empty().then_some(())
    }

    /// Whether nothing was wrong with the object so far.
    pub fn is_good(&self) -> bool {
        self.errors.len() == self.errors_before
    }

    /// Notes an error at the member `name`.
    pub fn refuse(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        self.errors.push(&self.at.name(name), code, message);
    }

    /// The pointer to the member `name`.
    pub fn at<'b>(&'b self, name: &'b str) -> At<'b> {
        self.at.name(name)
    }

    /// The errors, for checks that look at several members.
    pub fn errors(&mut self) -> &mut Errors {
        self.errors
    }

    /// Refuses members that were not asked for; `Some` when the whole object was good.
    pub fn finish(self) -> Option<()> {
        let nulls_are_absent = self.nulls == Nulls::Absent;
        if self.errors.describes(|| described(&self.parts, self.cases.as_ref(), nulls_are_absent)) {
            return None;
        }
        for (name, _) in self.object.into_iter().flatten() {
            if !self.known.contains(&name) {
                let hint = nearest(name, &self.known)
                    .map(|known| format!("; did you mean `{known}`?"))
                    .unwrap_or_default();
                let message = format!("`{name}` is not a member here{hint}");
                self.errors.push(&self.at.name(name), "unknown", message);
            }
        }
        (self.errors.len() == self.errors_before).then_some(())
    }

    /// Ends an object that has further members, which are kept as they are.
    pub fn finish_open(self) -> Option<()> {
        let nulls_are_absent = self.nulls == Nulls::Absent;
        let any = self.errors.part(|errors| {
            schema::any(errors);
        });
        if self.errors.describes(|| {
            let mut object = described(&self.parts, self.cases.as_ref(), nulls_are_absent);
            object.insert("additionalProperties", any);
            object
        }) {
            return None;
        }
        (self.errors.len() == self.errors_before).then_some(())
    }
}

/// The schema of an object of these members.
fn described(
    parts: &[Part],
    cases: Option<&(&'static str, Vec<Shape>)>,
    nulls_are_absent: bool,
) -> Object {
    let Some((word, cases)) = cases else {
        return schema::object(parts, &Shape::default(), nulls_are_absent);
    };
    let cases = cases.iter().map(|case| schema::object(parts, case, nulls_are_absent));
    Object::from([(*word, cases.collect())])
}

/// The known name within two edits of `name`, if one is that near.
pub fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let near = known.iter().map(|known| (edits(name, known), *known)).min()?;
    (near.0 <= 2 && near.0 < name.len()).then_some(near.1)
}

/// Levenshtein distance in bytes; names longer than 64 bytes are simply far.
fn edits(a: &str, b: &str) -> usize {
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let above = *cell;
            *cell = (diagonal + usize::from(x != y)).min(above + 1).min(left + 1);
            diagonal = above;
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}

/// Reads a type that knows how.
pub fn typed<T: Read>(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<T> {
    T::read(value, at, errors)
}

/// A text of `min` to `max` Unicode scalar values.
pub fn text(
    min: usize,
    max: usize,
) -> impl Fn(&Value, &At<'_>, &mut Errors) -> Option<String> + Copy {
    move |value, at, errors| {
        if errors.describes(|| schema::text(min, max)) {
            return None;
        }
        let Some(text) = value.as_str() else {
            errors.push(at, "type", "must be a string");
            return None;
        };
        let length = text.chars().count();
        if length < min || (min > 0 && text.trim().is_empty()) {
            errors.push(at, "too_short", at_least(min));
            return None;
        }
        if length > max {
            errors.push(at, "too_long", format!("must have at most {max} characters"));
            return None;
        }
        Some(text.to_owned())
    }
}

fn at_least(min: usize) -> String {
    if min == 1 {
        "must not be empty".to_owned()
    } else {
        format!("must have at least {min} characters")
    }
}

/// Names of things: 1 to 200 characters.
pub fn name(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(1, 200)(value, at, errors)
}

/// Long text: up to 64 KiB.
pub fn prose(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(0, 65_536)(value, at, errors)
}

/// Reasons: 1 to 500 characters.
pub fn reason(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(1, 500)(value, at, errors)
}

/// The most characters of a code (contract, section 1).
pub const CODE_MAX: usize = 100;

/// Codes: 1 to 100 of `[A-Za-z0-9][A-Za-z0-9._-]*`.
pub fn code(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    if errors.describes(|| schema::text(1, CODE_MAX)) {
        errors.amend(|schema| drop(schema.insert("pattern", schema::CODE)));
        return None;
    }
    let code = text(1, CODE_MAX)(value, at, errors)?;
    if is_code(&code) {
        Some(code)
    } else {
        errors.push(
            at,
            "format",
            "must start with a letter or digit and hold only letters, digits, `.`, `_` and `-`",
        );
        None
    }
}

/// Whether `text` is made as codes are, its length aside.
pub fn is_code(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// A truth value.
pub fn boolean(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<bool> {
    if errors.describes(schema::boolean) {
        return None;
    }
    let truth = value.as_bool();
    if truth.is_none() {
        errors.push(at, "type", "must be true or false");
    }
    truth
}

/// A whole number within `min..=max`.
pub fn whole(min: u32, max: u32) -> impl Fn(&Value, &At<'_>, &mut Errors) -> Option<u32> + Copy {
    move |value, at, errors| {
        if errors.describes(|| schema::whole(min.into(), max.into())) {
            return None;
        }
        let number = value.as_f64().filter(|number| number.fract() == 0.0);
        let whole = number.filter(|n| *n >= f64::from(min) && *n <= f64::from(max));
        if whole.is_none() {
            errors.push(at, "range", format!("must be a whole number from {min} to {max}"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within u32")]
        whole.map(|number| number as u32)
    }
}

/// A word of an enumeration.
pub fn word<T: std::str::FromStr>(
    words: &'static [&'static str],
) -> impl Fn(&Value, &At<'_>, &mut Errors) -> Option<T> + Copy {
    move |value, at, errors| {
        if errors.describes(|| schema::words(words.iter().copied())) {
            return None;
        }
        let read = value.as_str().and_then(|text| text.parse().ok());
        if read.is_none() {
            errors.push(at, "enum", format!("must be one of {}", words.join(", ")));
        }
        read
    }
}

/// An id in its hyphenated form.
pub fn id<T: std::str::FromStr>(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<T> {
    if errors.describes(|| schema::formatted("uuid")) {
        return None;
    }
    let read = value.as_str().and_then(|text| text.parse().ok());
    if read.is_none() {
        errors.push(at, "format", "must be a UUID");
    }
    read
}

/// An RFC 3339 instant.
pub fn instant(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Timestamp> {
    if errors.describes(|| schema::formatted("date-time")) {
        return None;
    }
    let read = value.as_str().and_then(|text| text.parse().ok());
    if read.is_none() {
        errors.push(at, "format", "must be an RFC 3339 date-time with an offset");
    }
    read
}

/// Any object, kept as it is.
pub fn object(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Object> {
    if schema::map(errors) {
        return None;
    }
    let members = value.as_object();
    if members.is_none() {
        errors.push(at, "type", "must be an object");
    }
    members.cloned()
}

/// Any value, kept as it is.
pub fn any(value: &Value, _: &At<'_>, errors: &mut Errors) -> Option<Value> {
    if schema::any(errors) { None } else { Some(value.clone()) }
}

/// A list whose elements are read by another reader.
pub fn array(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Value> {
    if errors.describes(Object::new) {
        return None;
    }
    if value.as_array().is_none() {
        errors.push(at, "type", "must be an array");
        return None;
    }
    Some(value.clone())
}

/// A number that every JSON reader takes alike.
pub fn number(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Number> {
    if errors.describes(schema::number) {
        return None;
    }
    if let Value::Number(number) = value {
        return Some(*number);
    }
    errors.push(at, "type", "must be a number");
    None
}

/// A string, a number or a boolean.
pub fn scalar(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Value> {
    if errors.describes(|| schema::scalar(0)) {
        return None;
    }
    if matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
        return Some(value.clone());
    }
    errors.push(at, "type", "must be a string, a number or a boolean");
    None
}

/// A list of at most `max` elements, each read by `read`.
pub fn list<T>(
    max: usize,
    read: impl Fn(&Value, &At<'_>, &mut Errors) -> Option<T>,
) -> impl Fn(&Value, &At<'_>, &mut Errors) -> Option<Vec<T>> {
    move |value, at, errors| {
        if errors.is_describing() {
            let items = errors.part(|errors| {
                read(&Value::Null, at, errors);
            });
            errors.describes(|| schema::list(items, 0, max));
            return None;
        }
        let Some(elements) = value.as_array() else {
            errors.push(at, "type", "must be an array");
            return None;
        };
        if elements.len() > max {
            errors.push(at, "too_many", format!("must have at most {max} elements"));
            return None;
        }
        let read: Vec<Option<T>> = elements
            .iter()
            .enumerate()
            .map(|(index, element)| read(element, &at.index(index), errors))
            .collect();
        read.into_iter().collect()
    }
}

/// A list of 1 to `max` elements, each read by `read`.
pub fn filled_list<T>(
    max: usize,
    read: impl Fn(&Value, &At<'_>, &mut Errors) -> Option<T>,
) -> impl Fn(&Value, &At<'_>, &mut Errors) -> Option<Vec<T>> {
    move |value, at, errors| {
        let elements = list(max, &read)(value, at, errors);
        errors.amend(|schema| drop(schema.insert("minItems", 1)));
        let elements = elements?;
        if elements.is_empty() {
            errors.push(at, "too_few", "must have at least one element");
            return None;
        }
        Some(elements)
    }
}

/// A list of 1 to `max` elements, none twice, each read by `read`.
pub fn distinct<T: PartialEq + fmt::Display>(
    max: usize,
    read: impl Fn(&Value, &At<'_>, &mut Errors) -> Option<T>,
) -> impl Fn(&Value, &At<'_>, &mut Errors) -> Option<Vec<T>> {
    move |value, at, errors| {
        let distinct = RefCell::new(Vec::new());
        let read = |value: &Value, at: &At<'_>, errors: &mut Errors| {
            let element = read(value, at, errors)?;
            let mut distinct = distinct.borrow_mut();
            if distinct.contains(&element) {
                errors.push(at, "duplicate", format!("`{element}` is already in this list"));
                return None;
            }
            distinct.push(element);
            Some(())
        };
        let elements = filled_list(max, read)(value, at, errors);
        errors.amend(|schema| drop(schema.insert("uniqueItems", true)));
        elements.map(|_| distinct.into_inner())
    }
}
