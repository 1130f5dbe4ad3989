//! What is asked of the management of forms.

use super::{
    ACCESS_CHARS_MAX, AccessMode, Branding, FormField, TokenBudget, branding, budget, field::fields,
};
use crate::{
    id::PolicyId,
    json::Value,
    read::{
        At, Change, Errors, Members, Read, boolean, id, instant, name,
        schema::{self, Shape},
        text, whole, word,
    },
    time::Timestamp,
};

/// How many submissions a token is good for at the most, where it says so.
const USES_MAX: u32 = 1_000_000;

/// What a form is for: at most 5,000 characters.
fn description(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(0, 5_000)(value, at, errors)
}

/// What kind of decision a submission asks for, as every context says it.
fn decision_type(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(1, 100)(value, at, errors)
}

/// What is said after a submission: at most 2,000 characters.
fn success_message(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(0, 2_000)(value, at, errors)
}

/// The password of a form: 6 to 256 characters. Guesses are few: five a minute from an address.
fn password(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(6, ACCESS_CHARS_MAX)(value, at, errors)
}

/// The body of `POST /v1/forms`.
#[derive(Clone)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormDraft {
    /// The policy that decides on the answers.
    pub policy_id: PolicyId,
    /// 1 to 200 characters.
    pub title: String,
    /// What it is for; at most 5,000 characters.
    pub description: Option<String>,
    /// What kind of decision a submission asks for; the policy's own when it has exactly one.
    pub decision_type: Option<String>,
    /// The questions; drawn from the active rules of the policy when absent.
    pub fields: Option<Vec<FormField>>,
    /// Absent means `open`.
    pub access_mode: Option<AccessMode>,
    /// Absent means false.
    pub is_published: Option<bool>,
    /// Absent means a thousand a day.
    pub token_budget: Option<TokenBudget>,
    /// Who asks.
    pub branding: Option<Branding>,
    /// What is said after a submission; at most 2,000 characters.
    pub success_message: Option<String>,
    /// The password of access mode `password`: 6 to 256 characters, never shown again.
    pub password: Option<String>,
}

impl std::fmt::Debug for FormDraft {
    /// Without the password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FormDraft").field("title", &self.title).finish_non_exhaustive()
    }
}

impl Read for FormDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let policy_id = members.required("policy_id", id);
        let title = members.required("title", name);
        let description = members.optional("description", description);
        let decision_type = members.optional("decision_type", decision_type);
        let fields = members.optional("fields", fields);
        let access_mode = members.optional("access_mode", word(AccessMode::WORDS));
        let is_published = members.optional("is_published", boolean);
        let token_budget = members.optional("token_budget", budget);
        let branding = members.optional("branding", branding);
        let success_message = members.optional("success_message", success_message);
        let password = members.optional("password", password);
        if access_mode == Some(AccessMode::Password) && !members.has("password") {
            members.refuse("password", "required", "access by password needs a password");
        }
        members.one_of(|| {
            let by_password = AccessMode::Password.as_str();
            let others = AccessMode::WORDS.iter().copied().filter(|word| *word != by_password);
            let case = |required: &[&'static str], words| Shape {
                required: required.to_vec(),
                fixed: vec![("access_mode", words)],
                ..Shape::default()
            };
            vec![
                case(&["access_mode", "password"], schema::words([by_password])),
                case(&[], schema::words(others)),
            ]
        });
        members.finish()?;
        Some(Self {
            policy_id: policy_id?,
            title: title?,
            description,
            decision_type,
            fields,
            access_mode,
            is_published,
            token_budget,
            branding,
            success_message,
            password,
        })
    }
}

/// The body of `PATCH /v1/forms/:formId`. Absent members stay as they are.
#[derive(Clone, Default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormPatch {
    /// 1 to 200 characters.
    pub title: Option<String>,
    /// What it is for; `null` takes it away.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: Change<String>,
    /// What kind of decision a submission asks for.
    pub decision_type: Option<String>,
    /// All questions anew.
    pub fields: Option<Vec<FormField>>,
    /// What it asks of whoever submits.
    pub access_mode: Option<AccessMode>,
    /// Whether it is there for the public.
    pub is_published: Option<bool>,
    /// How many submissions it takes.
    pub token_budget: Option<TokenBudget>,
    /// Who asks.
    pub branding: Option<Branding>,
    /// What is said after a submission; `null` takes it away.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub success_message: Change<String>,
    /// A new password: 6 to 256 characters, never shown again; `null` takes it away.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub password: Change<String>,
}

impl std::fmt::Debug for FormPatch {
    /// Without the password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FormPatch").field("title", &self.title).finish_non_exhaustive()
    }
}

impl Read for FormPatch {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::exact(value, at, errors)?;
        let title = members.optional("title", name);
        let description = members.clearable("description", description);
        let decision_type = members.optional("decision_type", decision_type);
        let fields = members.optional("fields", fields);
        let access_mode = members.optional("access_mode", word(AccessMode::WORDS));
        let is_published = members.optional("is_published", boolean);
        let token_budget = members.optional("token_budget", budget);
        let branding = members.optional("branding", branding);
        let success_message = members.clearable("success_message", success_message);
        let password = members.clearable("password", password);
        members.finish()?;
        Some(Self {
            title,
            description: description?,
            decision_type,
            fields,
            access_mode,
            is_published,
            token_budget,
            branding,
            success_message: success_message?,
            password: password?,
        })
    }
}

/// The body of `POST /v1/forms/:formId/tokens`.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormTokenDraft {
    /// How many submissions it is good for: 1 to 1,000,000; without end when absent.
    pub max_uses: Option<u32>,
    /// When it ends; never when absent.
    pub expires_at: Option<Timestamp>,
}

impl Read for FormTokenDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let max_uses = members.optional("max_uses", whole(1, USES_MAX));
        let expires_at = members.optional("expires_at", instant);
        members.finish()?;
        Some(Self { max_uses, expires_at })
    }
}
