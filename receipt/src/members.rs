//! The members of signed objects, listed once for reading and writing.
//!
//! [`members!`] lists the fields of a struct, whose names are those of the members. The type of a field gives the only
//! permitted form of its member: IDs, digests and times are texts, and an absent `Option` is no member.

use contract::{
    evaluation::Verdict,
    id::{
        ApiKeyId, CapabilityId, ChainId, DecisionId, EventId, PolicyGroupId, PolicyId,
        PolicyVersionId, ReviewRecordId, SnapshotId, SubmissionId, TenantId, UserId,
    },
    json::{Number, Value},
    policy::ReviewVerdict,
    time::Timestamp,
};
use uuid::Uuid;

use crate::{
    canonical_json::{JsonPart, ObjectBuilder},
    digest::Digest,
    object_reader::{ParseFieldError, SignedObjectReader, parsed},
    transparency_log::Vkey,
};

/// A struct whose fields are the members of an object.
pub(crate) trait Members<'a>: Sized {
    /// Reads the members.
    fn read_members(fields: SignedObjectReader<'a>) -> Result<Self, ParseFieldError>;

    /// Adds the members to `object`, except those that it has already.
    fn write_members<'s>(&'s self, object: ObjectBuilder<'s>) -> ObjectBuilder<'s>;
}

impl<'a> SignedObjectReader<'a> {
    /// Returns the member `name`, whose type gives its only permitted form: IDs, digests and times are texts. An optional
    /// one may be absent, and `null` is refused.
    ///
    /// # Errors
    /// Returns an error if the member is missing or not in this form.
    pub fn member<T: Member<'a>>(&self, name: &'static str) -> Result<T, ParseFieldError> {
        T::read_from(*self, name)
    }

    /// Reads the members of a struct.
    pub(crate) fn read<T: Members<'a>>(self) -> Result<T, ParseFieldError> {
        T::read_members(self)
    }
}

/// Implements [`Members`]. The members have the names of the fields.
macro_rules! members {
    ($object:ty $(where $life:lifetime)? { $($name:ident),+ $(,)? }) => {
        impl<'m $(, $life)?> $crate::members::Members<'m> for $object $(where 'm: $life)? {
            fn read_members(
                fields: $crate::object_reader::SignedObjectReader<'m>,
            ) -> Result<Self, $crate::object_reader::ParseFieldError> {
                Ok(Self {
                    $($name: $crate::members::Member::read_from(fields, stringify!($name))?,)+
                })
            }

            fn write_members<'s>(
                &'s self,
                object: $crate::canonical_json::ObjectBuilder<'s>,
            ) -> $crate::canonical_json::ObjectBuilder<'s> {
                $(let object =
                    $crate::members::Member::write_to(&self.$name, object, stringify!($name));)+
                object
            }
        }
    };
}
pub(crate) use members;

/// The value of a member in its only permitted form.
pub trait Member<'a>: Sized {
    /// Reads the value of the member `name`.
    fn read(value: &'a Value, name: &'static str) -> Result<Self, ParseFieldError>;

    /// Returns the value to write.
    fn part(&self) -> JsonPart<'_>;

    /// Reads the member `name` of an object.
    fn read_from(
        fields: SignedObjectReader<'a>,
        name: &'static str,
    ) -> Result<Self, ParseFieldError> {
        Self::read(fields.value(name)?, name)
    }

    /// Adds the member `name` to an object.
    fn write_to<'s>(&'s self, object: ObjectBuilder<'s>, name: &'static str) -> ObjectBuilder<'s> {
        object.member(name, self.part())
    }
}

impl<'a, T: Members<'a>> Member<'a> for T {
    fn read(value: &'a Value, name: &'static str) -> Result<Self, ParseFieldError> {
        T::read_members(SignedObjectReader::new(value, name)?)
    }

    fn part(&self) -> JsonPart<'_> {
        self.write_members(ObjectBuilder::default()).into()
    }
}

impl<'a, T: Member<'a>> Member<'a> for Option<T> {
    fn read(value: &'a Value, name: &'static str) -> Result<Self, ParseFieldError> {
        T::read(value, name).map(Some)
    }

    fn part(&self) -> JsonPart<'_> {
        self.as_ref().map_or(JsonPart::Value(&Value::Null), T::part)
    }

    fn read_from(
        fields: SignedObjectReader<'a>,
        name: &'static str,
    ) -> Result<Self, ParseFieldError> {
        fields.get(name).map(|value| T::read(value, name)).transpose()
    }

    fn write_to<'s>(&'s self, object: ObjectBuilder<'s>, name: &'static str) -> ObjectBuilder<'s> {
        object.optional(name, self.as_ref().map(T::part))
    }
}

impl<'a, T: Member<'a>> Member<'a> for Vec<T> {
    fn read(value: &'a Value, name: &'static str) -> Result<Self, ParseFieldError> {
        let elements = value.as_array().ok_or(ParseFieldError::Member(name))?;
        elements.iter().map(|element| T::read(element, name)).collect()
    }

    fn part(&self) -> JsonPart<'_> {
        self.iter().map(T::part).collect::<Vec<_>>().into()
    }
}

/// Implements [`Member`] by an expression that reads a value, and one that writes it.
macro_rules! member {
    ($($type:ty: |$value:ident| $read:expr, |$own:ident| $part:expr;)+) => {$(
        impl<'a> Member<'a> for $type {
            fn read($value: &'a Value, name: &'static str) -> Result<Self, ParseFieldError> {
                $read.ok_or(ParseFieldError::Member(name))
            }

            fn part(&self) -> JsonPart<'_> {
                let $own = self;
                $part
            }
        }
    )+};
}

macro_rules! texts {
    ($($type:ty),+ $(,)?) => {
        member! { $($type: |value| value.as_str().and_then(parsed), |own| own.to_string().into();)+ }
    };
}

member! {
    &'a str: |value| value.as_str(), |own| (*own).into();
    String: |value| value.as_str().map(str::to_owned), |own| own.as_str().into();
    bool: |value| value.as_bool(), |own| (*own).into();
    u32: |value| integer(value), |own| (*own).into();
    u64: |value| integer(value), |own| (*own).into();
    Number: |value| number(value), |own| (*own).into();
    Digest: |value| value.as_str().and_then(parsed), |own| (*own).into();
    Verdict: |value| value.as_str().and_then(parsed), |own| own.as_str().into();
    ReviewVerdict: |value| value.as_str().and_then(parsed), |own| own.as_str().into();
    Value: |value| Some(value.clone()), |own| own.into();
    &'a Value: |value| Some(value), |own| (*own).into();
}

texts! {
    ApiKeyId, CapabilityId, ChainId, DecisionId, EventId, PolicyGroupId, PolicyId, PolicyVersionId,
    ReviewRecordId, SnapshotId, SubmissionId, TenantId, Timestamp, UserId, Uuid, Vkey,
}

fn number(value: &Value) -> Option<Number> {
    let Value::Number(number) = value else { return None };
    Some(*number)
}

fn integer<N: TryFrom<i64>>(value: &Value) -> Option<N> {
    N::try_from(number(value)?.as_i64()?).ok()
}
