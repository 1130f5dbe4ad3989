//! Conversions between contract types and column types.

use chrono::{DateTime, Utc};
use contract::{string_enum::StringEnum, time::Timestamp};
use sea_orm::{
    ColIdx, DbErr, QueryResult, TryGetError, TryGetable, Value,
    sea_query::{ArrayType, ColumnType, Nullable, ValueType, ValueTypeErr},
};

/// A column that contains a value of a closed set. A row with an unknown name cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextEnum<T>(pub T);

impl<T> From<T> for TextEnum<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: StringEnum> From<TextEnum<T>> for Value {
    fn from(value: TextEnum<T>) -> Self {
        value.0.as_str().into()
    }
}

impl<T: StringEnum> TryGetable for TextEnum<T> {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Self, TryGetError> {
        let text = String::try_get_by(row, index)?;
        T::from_name(&text)
            .map(Self)
            .ok_or_else(|| DbErr::Type(format!("`{text}` is not a value of its column")).into())
    }
}

impl<T: StringEnum> ValueType for TextEnum<T> {
    fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
        let text = <String as ValueType>::try_from(value)?;
        T::from_name(&text).map(Self).ok_or(ValueTypeErr)
    }

    fn type_name() -> String {
        "TextEnum".to_owned()
    }

    fn array_type() -> ArrayType {
        ArrayType::String
    }

    fn column_type() -> ColumnType {
        ColumnType::Text
    }
}

impl<T> Nullable for TextEnum<T> {
    fn null() -> Value {
        String::null()
    }
}

/// Returns the timestamp of a column, in whole milliseconds.
pub fn from_column(time: DateTime<Utc>) -> Timestamp {
    const EPOCH: Timestamp = Timestamp::from_millis(0).expect("1970 is a valid timestamp");
    EPOCH.plus_millis(time.timestamp_millis())
}

pub fn to_column(timestamp: Timestamp) -> DateTime<Utc> {
    // A timestamp is within the years 0 to 9999, so the default is never used.
    DateTime::from_timestamp_millis(timestamp.millis()).unwrap_or_default()
}

/// Returns a version or revision number. The schema refuses negative numbers.
pub fn unsigned(column: i32) -> u32 {
    column.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use contract::{policy::VersionStatus, scope::Role};

    use super::*;

    #[test]
    fn enum_round_trips_through_its_column_and_unknown_names_are_refused() {
        for status in VersionStatus::ALL {
            let stored = Value::from(TextEnum(status));
            assert_eq!(<TextEnum<VersionStatus> as ValueType>::unwrap(stored), TextEnum(status));
        }
        assert!(<TextEnum<Role> as ValueType>::try_from("owner".into()).is_err());
    }

    #[test]
    fn timestamp_round_trips_through_its_column() {
        for text in ["0000-01-01T00:00:00.000Z", "2026-09-01T10:00:03.250Z"] {
            let timestamp: Timestamp = text.parse().unwrap();
            assert_eq!(from_column(to_column(timestamp)), timestamp);
        }
    }
}
