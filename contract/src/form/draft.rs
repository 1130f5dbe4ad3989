//! Request bodies of form management.

use super::{
    ACCESS_CHARS_MAX, AccessMode, Branding, FormField, FormLanguage, TokenBudget, field::fields,
};
use crate::{
    id::PolicyId,
    read::{
        FieldPatch, ObjectReader, integer, name, password,
        schema::{self, Shape},
        text,
    },
    time::Timestamp,
};

/// The largest `max_uses` of a form token.
const USES_MAX: u32 = 1_000_000;

/// The maximum length of the description of a form in characters.
const DESCRIPTION_MAX: usize = 5_000;

/// The maximum length of the message after a submission in characters.
const MESSAGE_MAX: usize = 2_000;

/// The minimum length of a password in characters. Attempts are limited to five per minute and address.
const PASSWORD_MIN: usize = 6;

/// The body of `POST /v1/forms`.
#[body(derive_more::Debug)]
#[debug("FormDraft {{ title: {title:?}, .. }}")]
#[json(check = check_password(access_mode))]
pub struct FormDraft {
    /// The ID of the policy that decides on submissions.
    pub policy_id: PolicyId,
    /// The title, 1 to 200 characters.
    #[json(with = name)]
    pub title: String,
    /// The description; at most 5,000 characters.
    #[json(with = text(0, DESCRIPTION_MAX))]
    pub description: Option<String>,
    /// The decision type of submissions. It can be absent if the policy has exactly one.
    #[json(with = text(1, 100))]
    pub decision_type: Option<String>,
    /// The fields of the form; absent means that they are derived from the active rules of the policy.
    #[json(with = fields)]
    pub fields: Option<Vec<FormField>>,
    /// The credential that a submitter must present; absent means `open`.
    pub access_mode: Option<AccessMode>,
    /// Whether the form is published; absent means false.
    pub is_published: Option<bool>,
    /// The submission budget; absent means 1,000 per day.
    pub token_budget: Option<TokenBudget>,
    /// The requester that the form displays.
    pub branding: Option<Branding>,
    /// The message that is shown after a submission; at most 2,000 characters.
    #[json(with = text(0, MESSAGE_MAX))]
    pub success_message: Option<String>,
    /// The language of the public pages; absent means `auto`.
    pub language: Option<FormLanguage>,
    /// The password of access mode `password`, 6 to 256 characters. It is never returned.
    #[json(with = password(PASSWORD_MIN, ACCESS_CHARS_MAX))]
    pub password: Option<String>,
}

/// Requires the password of access mode `password`.
fn check_password(members: &mut ObjectReader<'_, '_>, access_mode: Option<AccessMode>) {
    if access_mode == Some(AccessMode::Password) && !members.has("password") {
        members.add_error("password", "required", "access mode `password` requires a password");
    }
    members.one_of(|| {
        let by_password = AccessMode::Password.as_str();
        let others = AccessMode::NAMES.into_iter().filter(|name| *name != by_password);
        let case = |required: &[&'static str], names| Shape {
            required: required.to_vec(),
            overrides: vec![("access_mode", names)],
            ..Shape::default()
        };
        vec![
            case(&["access_mode", "password"], schema::string_enum([by_password])),
            case(&[], schema::string_enum(others)),
        ]
    });
}

/// The body of `PATCH /v1/forms/:formId`. Absent members are unchanged.
#[body(derive_more::Debug, Default)]
#[debug("FormPatch {{ title: {title:?}, .. }}")]
#[json(nulls)]
pub struct FormPatch {
    /// The title, 1 to 200 characters.
    #[json(with = name)]
    pub title: Option<String>,
    /// The description; `null` clears it.
    #[json(with = text(0, DESCRIPTION_MAX))]
    pub description: FieldPatch<String>,
    /// The decision type of submissions.
    #[json(with = text(1, 100))]
    pub decision_type: Option<String>,
    /// All fields of the form, which replace the existing ones.
    #[json(with = fields)]
    pub fields: Option<Vec<FormField>>,
    /// The credential that a submitter must present.
    pub access_mode: Option<AccessMode>,
    /// Whether the form is published.
    pub is_published: Option<bool>,
    /// The submission budget.
    pub token_budget: Option<TokenBudget>,
    /// The requester that the form displays.
    pub branding: Option<Branding>,
    /// The message that is shown after a submission; `null` clears it.
    #[json(with = text(0, MESSAGE_MAX))]
    pub success_message: FieldPatch<String>,
    /// The language of the public pages.
    pub language: Option<FormLanguage>,
    /// A new password, 6 to 256 characters, which is never returned; `null` clears it.
    #[json(with = password(PASSWORD_MIN, ACCESS_CHARS_MAX))]
    pub password: FieldPatch<String>,
}

/// The body of `POST /v1/forms/:formId/tokens`.
#[body(Copy, Default)]
pub struct FormTokenDraft {
    /// The maximum number of submissions with the token, 1 to 1,000,000; absent means unlimited.
    #[json(with = integer(1, USES_MAX))]
    pub max_uses: Option<u32>,
    /// The time at which the token expires; absent means that it does not expire.
    pub expires_at: Option<Timestamp>,
}
