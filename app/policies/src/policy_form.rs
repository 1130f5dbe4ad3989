//! The form of a policy: creating one, and changing the settings that do not belong to a version.

use contract::policy::PolicyPatch;
use governance::authoring::{
    group,
    policy::{self, rule_input::NewPolicy},
};
use page_kit::{
    prelude::*,
    request::{form_text, set_errors, take_form},
};

pub(crate) const NEW: &str = "New policy";
pub(crate) const NO_GROUP: &str = "No group";

/// The labels of the fields by member.
const LABELS: [(&str, &str); 6] = [
    ("code", "Code"),
    ("name", "Name"),
    ("description", "Description"),
    ("decision_types", "Decision types"),
    ("policy_group_id", "Group"),
    ("regulatory_refs", "Laws and standards"),
];

/// `/t/{tenant}/policies/new`
pub async fn new_policy() -> PageResult {
    let (tenant, cx) = page::member().await?;
    cx.tenant(permission::WRITE_POLICIES)?;
    show(&cx, tenant, None).await
}

/// `/t/{tenant}/policies/{policy}/details`
pub async fn edit_policy() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("policy")?;
    cx.tenant(permission::WRITE_POLICIES)?;
    let policy = policy::read(&cx, id, None).await?;
    show(&cx, tenant, Some(policy)).await
}

/// Shows the form of a stored policy, or of a new one.
async fn show(cx: &Cx, tenant: TenantId, policy: Option<Policy>) -> PageResult {
    let (page, back, action, label, title) = match &policy {
        Some(Policy { id, name, .. }) => (
            url::edit_policy(tenant, *id),
            url::policy(tenant, *id),
            ChangePolicy::url(),
            "Save changes",
            format!("Edit {}", isolated(name)),
        ),
        None => (
            url::new_policy(tenant),
            url::policies(tenant),
            CreatePolicy::url(),
            "Create and write the first rule",
            NEW.to_owned(),
        ),
    };
    let (problem, rejected) = take_form::<PolicyForm>(&page).await;
    let (form, errors) = match (rejected, &policy) {
        (Some(rejected), _) => (rejected.form, rejected.errors),
        (None, Some(policy)) => (PolicyForm::from(policy), Vec::new()),
        (None, None) => (PolicyForm::default(), Vec::new()),
    };
    let groups = groups(cx).await?;
    let stored = policy.map(|policy| {
        view! {
            <input type="hidden" name="policy" value=policy.id.to_string() />
            <input type="hidden" name="form[seen]" value=form.seen.clone() />
        }
    });
    let is_new = stored.is_none();
    let tab = messages::title_with_errors(&title, errors.len());
    let summary = (!errors.is_empty()).then(|| {
        let errors = errors.clone();
        error_summary(errors, &LABELS)
    });
    Ok(any_view! {
        <Crumb href=url::policies(tenant) label="Policies" />
        <Heading title=tab>{title}</Heading>
        <form method="post" action=action class="card panel roomy stack" novalidate>
            {problem.map(problem_note)}
            {summary}
            <input type="hidden" name="tenant" value=tenant.to_string() />
            {stored}
            {fields(form, &errors, groups, is_new)}
            {submit_or_cancel(label, back)}
        </form>
    })
}

fn fields(
    form: PolicyForm,
    errors: &[FieldError],
    groups: Vec<(PolicyGroupId, String)>,
    is_new: bool,
) -> AnyView {
    let field = |name, member: &'static str, hint| {
        let label = LABELS.iter().find(|(own, _)| *own == member).map_or("", |(_, label)| label);
        MemberField::new(errors, label, member, format!("form[{name}]")).hint(hint)
    };
    let groups = groups.into_iter().map(|(id, name)| (id.to_string(), name));
    let groups = std::iter::once((String::new(), NO_GROUP.to_owned())).chain(groups);
    let group = MemberField::new(errors, "Group", "policy_group_id", "form[group]");
    let checkbox = |id: &'static str, name: &'static str, label: &'static str, checked: bool| {
        view! {
            <label class="checkbox" id=id>
                <input type="checkbox" name=name value=TICKED checked=checked />
                <span>{label}</span>
            </label>
        }
    };
    any_view! {
        {field(
                "code",
                "code",
                "Identifies the policy in every decision. Cannot be changed. Letters, digits, . _ and -",
            )
            .line(form.code, !is_new)}
        {field("name", "name", "").line(form.name, false)}
        {field("description", "description", "").area(3, form.description)}
        {field(
                "types",
                "decision_types",
                "One per line. If empty, the policy governs every decision.",
            )
            .area(3, form.types)}
        {group.choice(groups, &form.group)}
        {field("refs", "regulatory_refs", "One per line, for example \"Directive 2014/24/EU\".")
            .area(3, form.refs)}
        {checkbox(
            "shadow_mode",
            "form[shadow]",
            "Shadow mode: evaluate without affecting verdicts",
            form.shadow.is_some(),
        )}
        {checkbox(
            "inheritable",
            "form[inheritable]",
            "Inheritable: it governs child tenants too",
            form.inheritable.is_some(),
        )}
    }
}

/// Returns the groups to choose from. In a tenant with more groups than the limit, a policy is added to the
/// others through the API.
pub(crate) async fn groups(cx: &Cx) -> Result<Vec<(PolicyGroupId, String)>, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    let groups = group::list(cx, &page).await?.items.into_iter();
    let mut groups: Vec<_> = groups.map(|group| (group.id, group.name)).collect();
    groups.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(groups)
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct PolicyForm {
    code: String,
    name: String,
    description: String,
    /// The decision types that it governs, one per line.
    types: String,
    /// The ID of its group, or empty.
    group: String,
    /// Its regulatory references, one per line.
    refs: String,
    /// Present if the policy is in shadow mode.
    shadow: Option<String>,
    /// Present if the policy also governs descendant tenants.
    inheritable: Option<String>,
    /// The stored values that the user has seen, as canonical JSON; empty for a new policy.
    seen: String,
}

impl From<&Policy> for PolicyForm {
    fn from(policy: &Policy) -> Self {
        let checkbox = |on: bool| on.then(|| TICKED.to_owned());
        let form = Self {
            code: policy.code.clone(),
            name: policy.name.clone(),
            description: policy.description.clone().unwrap_or_default(),
            types: policy.decision_types.join("\n"),
            group: policy.policy_group_id.map(|id| id.to_string()).unwrap_or_default(),
            refs: policy.regulatory_refs.join("\n"),
            shadow: checkbox(policy.shadow_mode),
            inheritable: checkbox(policy.inheritable),
            seen: String::new(),
        };
        Self { seen: Value::Object(form.members()).to_canonical(), ..form }
    }
}

impl PolicyForm {
    /// Returns the body that creates a policy with an empty version.
    fn draft(&self) -> Value {
        let mut body = self.members();
        for name in ["description", "policy_group_id"] {
            if body.get(name) == Some(&Value::Null) {
                body.remove(name);
            }
        }
        body.insert("code", self.code.trim());
        body.insert("rules", Vec::new());
        Value::Object(body)
    }

    /// Returns the body that changes the policy. It contains only the members that the user has changed.
    ///
    /// # Errors
    /// Fails like [`Self::read`].
    fn patch(&self) -> Result<Value, Problem> {
        let before = self.read()?;
        let after = self.members();
        let changed = after.into_iter().filter(|(name, value)| before.get(name) != Some(value));
        Ok(Value::Object(changed.collect()))
    }

    /// Returns the stored values that the user has seen, in the form of a change.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` if the form does not contain them.
    fn read(&self) -> Result<Value, Problem> {
        seen(&self.seen)
    }

    fn members(&self) -> Object {
        let text = |text: &str| if text.is_empty() { Value::Null } else { Value::from(text) };
        Object::from([
            ("name", Value::from(self.name.trim())),
            ("description", text(self.description.replace("\r\n", "\n").trim())),
            ("decision_types", lines(&self.types).collect::<Value>()),
            ("policy_group_id", text(self.group.trim())),
            ("regulatory_refs", lines(&self.refs).collect::<Value>()),
            ("shadow_mode", Value::from(self.shadow.is_some())),
            ("inheritable", Value::from(self.inheritable.is_some())),
        ])
    }
}

/// Parses the stored values that the user has seen.
///
/// # Errors
/// Returns `VALIDATION_ERROR` for anything but a JSON object.
pub(crate) fn seen(text: &str) -> Result<Value, Problem> {
    let value = Value::parse(text.as_bytes(), &Limits::REQUEST).ok();
    let value = value.filter(|value| value.as_object().is_some());
    value.ok_or_else(|| Problem::of_form(UNREADABLE))
}

/// Creates a policy with an empty draft, and redirects to the draft's first rule.
#[server(prefix = "/console", endpoint = "create-policy", output = JsonCodec)]
async fn create_policy(tenant: TenantId, form: PolicyForm) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::new_policy(tenant);
    let new = match read::body::<NewPolicy>(&form.draft()) {
        Ok(new) => new,
        Err(errors) => return set_errors(page, form, errors).await,
    };
    request::act(&page, form_text(form, Vec::new()), async {
        let created = policy::create(&cx, new).await?;
        Ok(url::edit_version(tenant, created.policy.id, 1))
    })
    .await
}

/// Changes a policy and redirects to it.
#[server(prefix = "/console", endpoint = "edit-policy", output = JsonCodec)]
async fn change_policy(
    tenant: TenantId,
    policy: PolicyId,
    form: PolicyForm,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::edit_policy(tenant, policy);
    let patch = match read::body::<PolicyPatch>(&form.patch()?) {
        Ok(patch) => patch,
        Err(errors) => return set_errors(page, form, errors).await,
    };
    let seen = request::read_form(form.read()?, &[])?;
    let edited = policy::edit(&cx, policy, patch, Some(seen)).await.map_err(Problem::from);
    request::respond(edited, &url::policy(tenant, policy), &page, form_text(form, Vec::new())).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> PolicyForm {
        PolicyForm {
            code: " PAY ".to_owned(),
            name: "Payments".to_owned(),
            types: "payment\r\n\r\nrefund\r\n".to_owned(),
            shadow: Some(TICKED.to_owned()),
            ..PolicyForm::default()
        }
    }

    #[test]
    fn a_draft_omits_empty_optional_members() {
        assert_eq!(
            form().draft().to_canonical(),
            r#"{"code":"PAY","decision_types":["payment","refund"],"inheritable":false,"name":"Payments","regulatory_refs":[],"rules":[],"shadow_mode":true}"#
        );
    }

    #[test]
    fn a_patch_contains_only_changed_members() {
        let stored = r#"{"id":"00000000-0000-4000-8000-000000000000","code":"PAY",
            "tenant_id":"00000000-0000-4000-8000-000000000000","name":"Payments",
            "description":"Old words","decision_types":["payment"],"shadow_mode":true,
            "inheritable":false,"regulatory_refs":[],"is_active":false,"latest_version":0,
            "created_at":"2026-11-20T10:00:00.000Z","updated_at":"2026-11-20T10:00:00.000Z"}"#;
        let policy: Policy = serde_json::from_str(stored).unwrap();
        let shown = PolicyForm::from(&policy);
        assert_eq!(shown.patch().unwrap().to_canonical(), "{}");
        let edited = PolicyForm { seen: shown.seen, ..form() };
        assert_eq!(
            edited.patch().unwrap().to_canonical(),
            r#"{"decision_types":["payment","refund"],"description":null}"#
        );
    }
}
