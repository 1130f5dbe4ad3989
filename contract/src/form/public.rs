//! What the public asks of a form, and is answered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ACCESS_CHARS_MAX, AccessMode};
use crate::{
    evaluation::Verdict,
    id::{DecisionId, FormId},
    json::{Object, Value},
    read::{At, Errors, Members, Read, object, text},
};

/// The body of `POST /v1/forms/:formId/submit`.
#[derive(Clone)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = FormSubmission))]
pub struct Submission {
    /// The answers, by the names of the fields.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub values: Object,
    /// The token that a form of access mode `token` asks for.
    pub access_token: Option<String>,
    /// The password that a form of access mode `password` asks for.
    pub password: Option<String>,
    /// What the respondent declares about themselves. It is not verified and is not an identity.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub respondent: Option<Respondent>,
    /// The caller's name for this submission: the same one again gives the same answer.
    pub idempotency_key: Option<String>,
}

impl std::fmt::Debug for Submission {
    /// Without what opens a form, and without the answers.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Submission").finish_non_exhaustive()
    }
}

/// Who answers, by their own account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Respondent {
    /// An id.
    pub id: Option<String>,
    /// The name to show.
    pub display_name: Option<String>,
}

impl Read for Submission {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let values = members.required("values", object);
        let access_token = members.optional("access_token", text(0, ACCESS_CHARS_MAX));
        let password = members.optional("password", text(0, ACCESS_CHARS_MAX));
        let respondent = members.optional("respondent", respondent);
        let idempotency_key = members.optional("idempotency_key", text(1, 255));
        members.finish()?;
        Some(Self { values: values?, access_token, password, respondent, idempotency_key })
    }
}

fn respondent(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Respondent> {
    let mut members = Members::of(value, at, errors)?;
    let id = members.optional("id", text(1, 255));
    let display_name = members.optional("display_name", text(1, 200));
    members.finish()?;
    Some(Respondent { id, display_name })
}

/// The answer to a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Submitted {
    /// The recorded decision.
    pub decision_id: DecisionId,
    /// The verdict.
    pub decision: Verdict,
    /// What the answers violate.
    pub violations: Vec<SubmittedFault>,
    /// Where the receipt is, for people and for programs.
    pub receipt_url: String,
    /// What the form says after a submission.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
}

/// A rule that the answers violate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmittedFault {
    /// The rule.
    pub rule_code: String,
    /// A sentence for people.
    pub reason: String,
    /// The field, where there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub field: Option<String>,
}

/// What a form asks, for programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormSchema {
    /// The form.
    pub form_id: FormId,
    /// What people call it.
    pub title: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// What kind of decision a submission asks for.
    pub decision_type: String,
    /// A JSON Schema (2020-12) of `values`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub json_schema: Value,
    /// How to show it.
    pub ui: FormUi,
    /// What it asks of whoever submits.
    pub access_mode: AccessMode,
}

/// How to show a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormUi {
    /// The names of the fields, in order.
    pub order: Vec<String>,
    /// The question of each field.
    pub labels: BTreeMap<String, String>,
    /// The hint of each field that has one.
    pub help: BTreeMap<String, String>,
}

/// How a program submits to a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormContract {
    /// A JSON Schema (2020-12) of `values`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub json_schema: Value,
    /// The submission as an `OpenAPI` 3.1 document.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub openapi_snippet: Value,
    /// A submission with curl.
    pub curl_example: String,
    /// The same in two languages.
    pub sdk_examples: SdkExamples,
}

/// A submission in two languages, with nothing but what they come with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SdkExamples {
    /// An ECMAScript module, for Node 18 and later and for browsers.
    pub javascript: String,
    /// Python 3, with the standard library.
    pub python: String,
}
