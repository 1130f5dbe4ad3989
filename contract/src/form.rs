//! Hosted forms: public forms whose submissions are decided by a policy.

mod draft;
mod field;
mod public;
mod schema;

pub use self::{
    draft::{FormDraft, FormPatch, FormTokenDraft},
    field::{
        EMAIL_CHARS_MAX, EMAIL_PATTERN, FieldOption, FieldType, FormField, URL_PATTERN, lf_breaks,
    },
    public::{
        FormContract, FormSchema, FormSubmission, FormSubmissionResult, FormUi, Respondent,
        SdkExamples, SubmissionViolation,
    },
    schema::json_schema,
};
use crate::{
    id::{FormId, FormTokenId, PolicyId, TenantId},
    read::{integer, text},
    time::Timestamp,
};

/// The maximum number of fields of a form.
pub const FIELDS_MAX: usize = 500;

/// The maximum limit of a submission budget.
pub const BUDGET_MAX: u32 = 1_000_000_000;

/// The maximum length of a form token or form password in characters.
pub const ACCESS_CHARS_MAX: usize = 256;

string_enum! {
    /// The credential that a submitter of a form must present.
    pub enum AccessMode {
        /// Nothing. Anyone with the link can submit.
        Open = "open",
        /// A token of the form.
        Token = "token",
        /// The password of the form.
        Password = "password",
        /// A session of a member of the tenant.
        Console = "console",
    }
}

string_enum! {
    /// The time window of a submission budget. Windows start at whole hours and days in UTC.
    pub enum BudgetWindow {
        /// The budget is per hour.
        Hour = "hour",
        /// The budget is per day.
        Day = "day",
        /// The budget is for the lifetime of the form.
        Total = "total",
    }
}

string_enum! {
    /// The language of the public pages of a form. The texts of the form itself are not translated.
    pub enum FormLanguage {
        /// The language that the browser prefers, or English.
        Auto = "auto",
        /// English.
        English = "en",
        /// German.
        German = "de",
        /// French.
        French = "fr",
        /// Spanish.
        Spanish = "es",
    }
}

impl BudgetWindow {
    /// Returns the length of a window in milliseconds, or `None` for `Total`.
    const fn length_ms(self) -> Option<i64> {
        match self {
            Self::Hour => Some(3_600_000),
            Self::Day => Some(crate::time::DAY_MS),
            Self::Total => None,
        }
    }

    /// Returns the start of the window that contains `time`. For `Total` this is the earliest timestamp.
    pub fn start(self, time: Timestamp) -> Timestamp {
        match self.length_ms() {
            Some(length) => time.plus_millis(time.millis().rem_euclid(length).saturating_neg()),
            // `plus_millis` saturates at the earliest timestamp.
            None => time.plus_millis(i64::MIN),
        }
    }

    /// Returns the seconds from `time` until the next window, or `None` for `Total`.
    pub fn wait_seconds(self, time: Timestamp) -> Option<u32> {
        let passed_ms = time.millis().saturating_sub(self.start(time).millis());
        let left_ms = self.length_ms()?.saturating_sub(passed_ms).unsigned_abs();
        u32::try_from(left_ms.div_ceil(1_000)).ok()
    }
}

/// The submission budget of a form: the number of submissions per time window.
#[wire(Copy, Eq, FromJson)]
pub struct TokenBudget {
    /// The maximum number of submissions per window; at least 1.
    #[json(with = integer(1, BUDGET_MAX))]
    pub limit: u32,
    /// The time window.
    pub window: BudgetWindow,
}

impl Default for TokenBudget {
    /// Returns 1,000 submissions per day, which is enough for people and limits machines.
    fn default() -> Self {
        Self { limit: 1_000, window: BudgetWindow::Day }
    }
}

/// The requester that a form displays.
#[wire(Default, Eq, FromJson)]
pub struct Branding {
    /// The name of the requester; absent means the name of the tenant.
    #[json(with = text(1, 200))]
    pub label: Option<String>,
    /// A description of the requester.
    #[json(with = text(0, 2_000))]
    pub description: Option<String>,
}

/// A hosted form.
#[wire]
pub struct Form {
    /// The ID of the form. It is part of the public link.
    pub id: FormId,
    /// The tenant of the form.
    pub tenant_id: TenantId,
    /// The ID of the policy that decides on submissions.
    pub policy_id: PolicyId,
    /// The title of the form.
    pub title: String,
    /// The description of the form.
    pub description: Option<String>,
    /// The decision type of submissions.
    pub decision_type: String,
    /// The fields of the form, in order.
    pub fields: Vec<FormField>,
    /// The credential that a submitter must present.
    pub access_mode: AccessMode,
    /// Whether the form is published.
    pub is_published: bool,
    /// The submission budget.
    pub token_budget: TokenBudget,
    /// The number of submissions in the current window.
    pub tokens_used: u32,
    /// The requester that the form displays.
    pub branding: Branding,
    /// The message that is shown after a submission.
    pub success_message: Option<String>,
    /// The language of the public pages.
    pub language: FormLanguage,
    /// The time at which the form was created.
    pub created_at: Timestamp,
    /// The ID of the user or API key that created the form.
    pub created_by: Option<String>,
    /// The time of the last change.
    pub updated_at: Timestamp,
}

/// A created form token. The token is shown only once.
#[wire(Eq)]
pub struct FormToken {
    /// The ID of the token.
    pub id: FormTokenId,
    /// The secret token.
    pub token: String,
    /// The URL of the form, including the token.
    pub url: String,
    /// The maximum number of submissions with the token; absent means unlimited.
    pub max_uses: Option<u32>,
    /// The time at which the token expires; absent means that it does not expire.
    pub expires_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn budget_windows_start_at_whole_hours_and_days() {
        let now = at("2026-09-01T10:20:30.400Z");
        assert_eq!(BudgetWindow::Hour.start(now), at("2026-09-01T10:00:00Z"));
        assert_eq!(BudgetWindow::Day.start(now), at("2026-09-01T00:00:00Z"));
        assert_eq!(BudgetWindow::Total.start(now), at("0000-01-01T00:00:00Z"));
        assert_eq!(BudgetWindow::Hour.wait_seconds(now), Some(39 * 60 + 30));
        assert_eq!(BudgetWindow::Hour.wait_seconds(at("2026-09-01T10:00:00Z")), Some(3_600));
        assert_eq!(BudgetWindow::Total.wait_seconds(now), None);
    }
}
