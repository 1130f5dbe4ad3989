//! Hosted forms: questions that people answer, and whose answers a policy decides on.

mod draft;
mod field;
mod public;
mod schema;

use serde::{Deserialize, Serialize};

pub use self::{
    draft::{FormDraft, FormPatch, FormTokenDraft},
    field::{FieldOption, FieldType, FormField},
    public::{
        FormContract, FormSchema, FormUi, Respondent, SdkExamples, Submission, Submitted,
        SubmittedFault,
    },
    schema::json_schema,
};
use crate::{
    id::{FormId, FormTokenId, PolicyId, TenantId},
    json::Value,
    read::{At, Errors, Members, text, whole, word},
    time::Timestamp,
};

/// How many fields a form has at the most.
pub const FIELDS_MAX: usize = 500;

/// How many submissions a budget allows at the most.
pub const BUDGET_MAX: u32 = 1_000_000_000;

/// The most characters of what opens a form: a token, or a password.
pub const ACCESS_CHARS_MAX: usize = 256;

/// A closed set of words of the wire.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$each])* #[serde(rename = $text)] $variant,)+ }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The words of the wire.
            pub const WORDS: &'static [&'static str] = &[$($text),+];

            /// The word of the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text).ok_or(())
            }
        }

        #[cfg(feature = "openapi")]
        crate::schema::words!($name, [$($text),+]);
    };
}

pub(crate) use words;

words! {
    /// What a form asks of whoever submits it.
    AccessMode {
        /// Nothing: whoever has the link may submit.
        Open = "open",
        /// A token that was made for the form.
        Token = "token",
        /// The form's password.
        Password = "password",
        /// A sign-in of a member of the tenant.
        Console = "console",
    }
}

words! {
    /// After how long a budget is full again. Windows begin at whole hours and days of UTC.
    BudgetWindow {
        /// Each hour.
        Hour = "hour",
        /// Each day.
        Day = "day",
        /// Never.
        Total = "total",
    }
}

impl BudgetWindow {
    /// How long a window is; nothing when it does not end.
    const fn length_ms(self) -> Option<i64> {
        match self {
            Self::Hour => Some(3_600_000),
            Self::Day => Some(crate::time::DAY_MS),
            Self::Total => None,
        }
    }

    /// When the window that holds `at` began.
    pub fn start(self, at: Timestamp) -> Timestamp {
        match self.length_ms() {
            Some(length) => at.plus_millis(at.millis().rem_euclid(length).saturating_neg()),
            // The first instant there is.
            None => at.plus_millis(i64::MIN),
        }
    }

    /// Seconds from `at` until the next window begins; none when there is no next one.
    pub fn wait_seconds(self, at: Timestamp) -> Option<u32> {
        let passed_ms = at.millis().saturating_sub(self.start(at).millis());
        let left_ms = self.length_ms()?.saturating_sub(passed_ms).unsigned_abs();
        u32::try_from(left_ms.div_ceil(1_000)).ok()
    }
}

/// How many submissions a form takes in each window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenBudget {
    /// So many; at least 1.
    pub limit: u32,
    /// In each of these.
    pub window: BudgetWindow,
}

impl Default for TokenBudget {
    /// A thousand a day: enough for people, and an end for machines.
    fn default() -> Self {
        Self { limit: 1_000, window: BudgetWindow::Day }
    }
}

pub(crate) fn budget(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<TokenBudget> {
    let mut members = Members::of(value, at, errors)?;
    let limit = members.required("limit", whole(1, BUDGET_MAX));
    let window = members.required("window", word(BudgetWindow::WORDS));
    members.finish()?;
    Some(TokenBudget { limit: limit?, window: window? })
}

/// How a form presents whoever asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Branding {
    /// Who asks; the tenant's name when absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<String>,
    /// A sentence about who asks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
}

pub(crate) fn branding(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Branding> {
    let mut members = Members::of(value, at, errors)?;
    let label = members.optional("label", text(1, 200));
    let description = members.optional("description", text(0, 2_000));
    members.finish()?;
    Some(Branding { label, description })
}

/// A form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Form {
    /// The id: whoever knows it reaches the form.
    pub id: FormId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// The policy that decides on the answers.
    pub policy_id: PolicyId,
    /// What people call it.
    pub title: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// What kind of decision a submission asks for.
    pub decision_type: String,
    /// The questions, in order.
    pub fields: Vec<FormField>,
    /// What it asks of whoever submits.
    pub access_mode: AccessMode,
    /// Whether it is there for the public.
    pub is_published: bool,
    /// How many submissions it takes.
    pub token_budget: TokenBudget,
    /// How many it took in the current window.
    pub tokens_used: u32,
    /// Who asks.
    pub branding: Branding,
    /// What is said after a submission.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub success_message: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// By whom: the id of a person or of a key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub created_by: Option<String>,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A token that was made for a form. This is the only time that the token itself is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormToken {
    /// The id.
    pub id: FormTokenId,
    /// The token.
    pub token: String,
    /// The form's page with the token in its address.
    pub url: String,
    /// How many submissions it is good for; without end when absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_uses: Option<u32>,
    /// When it ends.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expires_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn windows_begin_at_whole_hours_and_days() {
        let now = at("2026-09-01T10:20:30.400Z");
        assert_eq!(BudgetWindow::Hour.start(now), at("2026-09-01T10:00:00Z"));
        assert_eq!(BudgetWindow::Day.start(now), at("2026-09-01T00:00:00Z"));
        assert_eq!(BudgetWindow::Total.start(now), at("0000-01-01T00:00:00Z"));
        assert_eq!(BudgetWindow::Hour.wait_seconds(now), Some(39 * 60 + 30));
        assert_eq!(BudgetWindow::Hour.wait_seconds(at("2026-09-01T10:00:00Z")), Some(3_600));
        assert_eq!(BudgetWindow::Total.wait_seconds(now), None);
    }
}
