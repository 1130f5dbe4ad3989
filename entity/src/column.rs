//! Between the words of the wire and the types of a column.

use chrono::{DateTime, Utc};
use contract::{
    alert::AlertType,
    evaluation::Verdict,
    form::{AccessMode, BudgetWindow},
    member::MemberStatus,
    outcome::OutcomeStatus,
    policy::{ReviewVerdict, VersionStatus},
    receipt::Redaction,
    rule::Severity,
    scope::Role,
    time::Timestamp,
    webhook::DeliveryStatus,
};
use sea_orm::{
    ColIdx, DbErr, QueryResult, TryGetError, TryGetable, Value,
    sea_query::{ArrayType, ColumnType, ValueType, ValueTypeErr},
};

/// A closed set of words, stored as text.
pub trait Vocabulary: Copy + 'static {
    /// Every word there is.
    const ALL: &'static [Self];

    /// The word of wire and column.
    fn word(self) -> &'static str;
}

macro_rules! vocabularies {
    ($($name:ty),+) => {$(
        impl Vocabulary for $name {
            const ALL: &'static [Self] = &<$name>::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    )+};
}

vocabularies!(
    AccessMode,
    AlertType,
    BudgetWindow,
    DeliveryStatus,
    MemberStatus,
    OutcomeStatus,
    Redaction,
    ReviewVerdict,
    Role,
    Severity,
    Verdict,
    VersionStatus
);

/// A column that holds one word of a vocabulary. A row with another word cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<T>(pub T);

impl<T: Vocabulary> Word<T> {
    fn of(text: &str) -> Option<Self> {
        T::ALL.iter().find(|known| known.word() == text).map(|known| Self(*known))
    }
}

impl<T> From<T> for Word<T> {
    fn from(word: T) -> Self {
        Self(word)
    }
}

impl<T: Vocabulary> From<Word<T>> for Value {
    fn from(word: Word<T>) -> Self {
        word.0.word().into()
    }
}

impl<T: Vocabulary> TryGetable for Word<T> {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Self, TryGetError> {
        let text = String::try_get_by(row, index)?;
        Self::of(&text).ok_or_else(|| unknown(&text).into())
    }
}

fn unknown(text: &str) -> DbErr {
    DbErr::Type(format!("`{text}` is none of the words of its column"))
}

impl<T: Vocabulary> ValueType for Word<T> {
    fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
        let text = <String as ValueType>::try_from(value)?;
        Self::of(&text).ok_or(ValueTypeErr)
    }

    fn type_name() -> String {
        "Word".to_owned()
    }

    fn array_type() -> ArrayType {
        ArrayType::String
    }

    fn column_type() -> ColumnType {
        ColumnType::Text
    }
}

/// The instant of a column, in whole milliseconds.
pub fn instant(at: DateTime<Utc>) -> Timestamp {
    const EPOCH: Timestamp = Timestamp::from_millis(0).expect("1970 is an instant");
    EPOCH.plus_millis(at.timestamp_millis())
}

/// The column of an instant.
pub fn at(instant: Timestamp) -> DateTime<Utc> {
    // A timestamp lies within the years 0 to 9999, so the default is never taken.
    DateTime::from_timestamp_millis(instant.millis()).unwrap_or_default()
}

/// The number of a version or revision. The schema refuses negative ones.
pub fn number(column: i32) -> u32 {
    column.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_comes_back_as_it_went() {
        for status in VersionStatus::ALL {
            let stored = Value::from(Word(status));
            assert_eq!(<Word<VersionStatus> as ValueType>::unwrap(stored), Word(status));
        }
        assert!(<Word<Role> as ValueType>::try_from("owner".into()).is_err());
    }

    #[test]
    fn an_instant_comes_back_as_it_went() {
        for text in ["0000-01-01T00:00:00.000Z", "2026-09-01T10:00:03.250Z"] {
            let moment: Timestamp = text.parse().unwrap();
            assert_eq!(instant(at(moment)), moment);
        }
    }
}
