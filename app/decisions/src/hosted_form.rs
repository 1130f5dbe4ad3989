//! Hosted forms: the list, and the form that creates one. `detail` is the page of a form, and `edit` its editor.

mod detail;
mod edit;
mod field;
mod input;
mod question;

use contract::{
    form::{AccessMode, BudgetWindow, FormDraft, FormLanguage},
    policy::PolicyFilter,
};
use governance::{
    authoring::policy,
    deciding::form::{self, FormWithCount},
};
use page_kit::prelude::*;

pub use self::detail::form;
use self::field::{FIELDS, label};

const TITLE: &str = "Forms";

/// `/t/{tenant}/forms`
pub async fn forms() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let forms = form::list_with_counts(&cx, &page_at(page::query("cursor"))).await?;
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let mut policies = policy::list(&cx, PolicyFilter::default(), &newest).await?.items;
    policies.sort_by_key(|policy| policy.id);
    let path = url::forms(tenant);
    let rejected = take_input(&path).await;
    let create = may_write(&cx).then(|| {
        let active = policies.iter().filter(|policy| policy.is_active);
        let choices = active.map(|policy| (policy.id.to_string(), policy.name.clone()));
        create_form(tenant, choices.collect(), rejected)
    });
    let table = Table::new(TITLE)
        .column("Form", |(form, _): &FormWithCount| {
            view! {
                <a href=url::form(tenant, form.id) data-row="">
                    {bdi(&form.title)}
                </a>
                <span class="text-muted">{access(form.access_mode)}</span>
            }
        })
        .column("Policy", |(form, _)| {
            let policy = policies.iter().find(|policy| policy.id == form.policy_id);
            let name = policy.map_or("", |policy| &policy.name);
            view! { <a href=url::policy(tenant, form.policy_id)>{bdi(name)}</a> }
        })
        .column("Status", |(form, _)| status_badge(form.is_published))
        .column("Language", |(form, _)| language(form.language))
        .numbers("Submissions", |(_, submissions)| *submissions)
        .numbers("Budget left", |(form, _)| budget_left(form));
    Ok(any_view! {
        <Heading title=TITLE />
        {create}
        {table.or_empty(&forms.items, ["No forms yet", "Create a form from an active policy."])}
        {older_than(&path, forms.next_cursor)}
    })
}

fn may_write(cx: &Cx) -> bool {
    cx.tenant(permission::WRITE_FORMS).is_ok()
}

/// Renders the form that creates a hosted form for one of `policies`, each with its ID and name. `rejected` is the
/// input of a rejected attempt, with its error.
fn create_form(
    tenant: TenantId,
    policies: Vec<(String, String)>,
    rejected: Option<(Problem, NewForm)>,
) -> AnyView {
    let (problem, form) = rejected.unzip();
    let form = form.unwrap_or_default();
    let unavailable = policies
        .is_empty()
        .then_some("Activate a policy first. Form fields are generated from its rules.");
    let choices = options(policies, &form.policy);
    any_view! {
        <CreateForm label="Create form" action=CreateHostedForm::url() tenant problem unavailable>
            <TextField label=label("/title") name="form[title]" value=form.title required=true />
            <label class="field">
                <span>{label("/policy_id")}</span>
                <select name="form[policy]" required=true>
                    {choices}
                </select>
            </label>
            <HintedField
                label=label("/decision_type")
                hint="Leave empty to use the only decision type of the policy."
                name="form[decision_type]"
                id="decision-type"
                value=form.decision_type
            />
        </CreateForm>
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct NewForm {
    policy: String,
    title: String,
    /// The decision type of submissions; empty if the policy has exactly one.
    decision_type: String,
}

impl NewForm {
    /// Returns the requested form.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    fn draft(&self) -> Result<FormDraft, Problem> {
        let mut body = Object::from([
            ("policy_id", self.policy.as_str().into()),
            ("title", self.title.trim().into()),
        ]);
        if let Some(decision_type) = non_empty(&self.decision_type) {
            body.insert("decision_type", decision_type);
        }
        request::read_form(body, &FIELDS)
    }
}

/// Creates a form for an active policy and redirects to it.
#[server(prefix = "/console", endpoint = "create-form", output = JsonCodec)]
async fn create_hosted_form(tenant: TenantId, form: NewForm) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::forms(tenant), request::form_json(&form), async {
        Ok(url::form(tenant, form::create(&cx, form.draft()?).await?.id))
    })
    .await
}

/// Returns a text without surrounding spaces, unless it is empty.
fn non_empty(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn status_badge(is_published: bool) -> AnyView {
    if is_published {
        badge("allow", Icon::Allow, "Published")
    } else {
        badge("na", Icon::Pen, "Not published")
    }
}

const fn language(language: FormLanguage) -> &'static str {
    match language {
        FormLanguage::Auto => "Browser language",
        FormLanguage::English => "English",
        FormLanguage::German => "German",
        FormLanguage::French => "French",
        FormLanguage::Spanish => "Spanish",
    }
}

const fn access(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Open => "Anyone with the link",
        AccessMode::Token => "Anyone with a token",
        AccessMode::Password => "Anyone with the password",
        AccessMode::Console => "Members who sign in",
    }
}

fn budget_left(form: &Form) -> String {
    let left = form.token_budget.limit.saturating_sub(form.tokens_used);
    match form.token_budget.window {
        BudgetWindow::Hour => format!("{left} this hour"),
        BudgetWindow::Day => format!("{left} today"),
        BudgetWindow::Total => format!("{left} in all"),
    }
}
