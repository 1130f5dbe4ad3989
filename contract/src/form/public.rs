//! Requests and responses of the public form API.

use std::collections::BTreeMap;

use super::{ACCESS_CHARS_MAX, AccessMode};
use crate::{
    evaluation::Verdict,
    id::{DecisionId, FormId},
    json::{Object, Value},
    read::{password, text},
};

/// The body of `POST /v1/forms/:formId/submit`.
#[body(derive_more::Debug)]
#[debug("FormSubmission {{ .. }}")]
#[cfg_attr(feature = "openapi", schema(as = FormSubmission))]
pub struct FormSubmission {
    /// The values by field name.
    pub values: Object,
    /// The token, required by forms with the access mode `token`.
    #[json(with = text(0, ACCESS_CHARS_MAX))]
    pub access_token: Option<String>,
    /// The password, required by forms with the access mode `password`.
    #[json(with = password(0, ACCESS_CHARS_MAX))]
    pub password: Option<String>,
    /// The details that the respondent declares. They are not verified and are not an identity.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub respondent: Option<Respondent>,
    /// The idempotency key: repeating a submission with the same key returns the same result.
    #[json(with = text(1, 255))]
    pub idempotency_key: Option<String>,
}

/// The details that a respondent declares.
#[body(Default, Eq)]
pub struct Respondent {
    /// The declared ID.
    #[json(with = text(1, 255))]
    pub id: Option<String>,
    /// The declared name.
    #[json(with = text(1, 200))]
    pub display_name: Option<String>,
}

/// The result of a form submission.
#[wire(Eq)]
pub struct FormSubmissionResult {
    /// The ID of the recorded decision.
    pub decision_id: DecisionId,
    /// The verdict of the decision.
    pub decision: Verdict,
    /// The violated rules.
    pub violations: Vec<SubmissionViolation>,
    /// The URL of the receipt, for people and programs.
    pub receipt_url: String,
    /// The success message of the form.
    pub message: Option<String>,
}

/// A rule that the submission violates.
#[wire(Eq)]
pub struct SubmissionViolation {
    /// The code of the rule.
    pub rule_code: String,
    /// A message for people.
    pub reason: String,
    /// The name of the field, if the violation concerns one.
    pub field: Option<String>,
}

/// A machine-readable description of a form.
#[wire]
pub struct FormSchema {
    /// The ID of the form.
    pub form_id: FormId,
    /// The title of the form.
    pub title: String,
    /// The description of the form.
    pub description: Option<String>,
    /// The decision type of submissions.
    pub decision_type: String,
    /// The JSON Schema (2020-12) of `values`.
    pub json_schema: Value,
    /// Display hints.
    pub ui: FormUi,
    /// The credential that a submitter must present.
    pub access_mode: AccessMode,
}

/// Display hints of a form.
#[wire(Eq)]
pub struct FormUi {
    /// The field names in display order.
    pub order: Vec<String>,
    /// The label of each field.
    pub labels: BTreeMap<String, String>,
    /// The hint of each field that has one.
    pub help: BTreeMap<String, String>,
}

/// Instructions for programs that submit to a form.
#[wire]
pub struct FormContract {
    /// The JSON Schema (2020-12) of `values`.
    pub json_schema: Value,
    /// The submit endpoint as an `OpenAPI` 3.1 document.
    pub openapi_snippet: Value,
    /// A submission with `curl`.
    pub curl_example: String,
    /// The same submission in two programming languages.
    pub sdk_examples: SdkExamples,
}

/// A submission in two programming languages, without third-party libraries.
#[wire(Eq)]
pub struct SdkExamples {
    /// An ECMAScript module, for Node 18 and later and for browsers.
    pub javascript: String,
    /// Python 3, with the standard library.
    pub python: String,
}
