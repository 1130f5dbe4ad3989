//! Policy groups: the list and the forms; `detail` is the page of one group.

mod detail;

use contract::group::{GroupDraft, GroupPatch, PolicyGroup};
use governance::authoring::group;
use page_kit::prelude::*;

pub use self::detail::group;

const TITLE: &str = "Policy groups";

/// `/t/{tenant}/groups`
pub async fn groups() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let groups = group::list(&cx, &page_at(page::query("cursor"))).await?;
    let ids: Vec<_> = groups.items.iter().map(|group| group.id).collect();
    let sizes = group::sizes(&cx, ids).await?;
    let rejected = take_input(&url::groups(tenant)).await;
    let create = may_write(&cx).then(|| {
        let (problem, form) = rejected.unzip();
        view! {
            <CreateForm label="Create a group" action=CreateGroup::url() tenant problem>
                {fields(form.unwrap_or_default())}
            </CreateForm>
        }
    });
    let table = Table::new(TITLE)
        .column("Group", |group: &PolicyGroup| {
            view! {
                <a href=url::group(tenant, group.id) data-row="">
                    <bdi>{group.name.clone()}</bdi>
                </a>
                <bdi class="font-mono text-muted">{group.code.clone()}</bdi>
            }
        })
        .column("Description", |group| {
            group.description.clone().map(|text| view! { <bdi>{text}</bdi> })
        })
        .numbers("Policies", |group| whole(sizes.get(&group.id).copied().unwrap_or_default()))
        .column("Changed", |group| ago(group.updated_at));
    let empty = [
        "No groups yet",
        "Groups are optional. Create a group to select policies by one code in requests.",
    ];
    Ok(any_view! {
        <Heading title=TITLE />
        {create}
        {table.or_empty(&groups.items, empty)}
        {older_than(&url::groups(tenant), groups.next_cursor)}
    })
}

fn may_write(cx: &Cx) -> bool {
    cx.tenant(permission::WRITE_POLICIES).is_ok()
}

/// The labels of the fields by member.
const LABELS: [(&str, &str); 3] =
    [("/code", "Code"), ("/name", "Name"), ("/description", "Description")];

/// Renders the fields of a group, used to create and to edit one.
fn fields(form: GroupForm) -> AnyView {
    any_view! {
        <TextField label="Name" name="form[name]" value=form.name required=true />
        <HintedField
            label="Code"
            hint="Requests use this code to select the group. Case-insensitive. If you change it, update the callers."
            name="form[code]"
            id="code"
            value=form.code
            required=true
        />
        <TextArea
            label="Description"
            hint="Optional: what its policies have in common."
            name="form[description]"
            id="description".to_owned()
            value=form.description
            maxlength=2000
            required=false
        />
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct GroupForm {
    code: String,
    name: String,
    /// Its description; empty for none.
    description: String,
    /// The stored values that the user has seen, as canonical JSON; empty for a new group.
    seen: String,
}

impl From<&PolicyGroup> for GroupForm {
    fn from(group: &PolicyGroup) -> Self {
        let form = Self {
            code: group.code.clone(),
            name: group.name.clone(),
            description: group.description.clone().unwrap_or_default(),
            seen: String::new(),
        };
        Self { seen: Value::Object(form.change()).to_canonical(), ..form }
    }
}

impl GroupForm {
    /// Returns the requested group.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    fn draft(&self) -> Result<GroupDraft, Problem> {
        let mut body = self.body();
        if let Some(text) = self.description_text() {
            body.insert("description", text);
        }
        request::read_form(body, &LABELS)
    }

    /// Returns the requested change. The form contains every member.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    fn patch(&self) -> Result<GroupPatch, Problem> {
        request::read_form(self.change(), &LABELS)
    }

    /// Returns the stored values that the user has seen, in the form of a change.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` if the form does not contain them.
    fn read(&self) -> Result<GroupPatch, Problem> {
        request::read_form(crate::policy_form::seen(&self.seen)?, &LABELS)
    }

    fn change(&self) -> Object {
        let mut body = self.body();
        body.insert("description", self.description_text().map_or(Value::Null, Value::from));
        body
    }

    fn body(&self) -> Object {
        Object::from([("code", self.code.trim().into()), ("name", self.name.trim().into())])
    }

    fn description_text(&self) -> Option<&str> {
        Some(self.description.trim()).filter(|text| !text.is_empty())
    }
}

/// Creates a group and redirects to it.
#[server(prefix = "/console", endpoint = "create-group", output = JsonCodec)]
async fn create_group(tenant: TenantId, form: GroupForm) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::groups(tenant), request::form_json(&form), async {
        Ok(url::group(tenant, group::create(&cx, form.draft()?).await?.id))
    })
    .await
}

#[cfg(test)]
mod tests {
    use contract::read::FieldPatch;

    use super::*;

    fn form(code: &str, name: &str, description: &str) -> GroupForm {
        let [code, name, description] = [code, name, description].map(str::to_owned);
        GroupForm { code, name, description, seen: String::new() }
    }

    #[test]
    fn a_form_becomes_a_draft_with_trimmed_values() {
        let draft = form(" LENDING ", " Lending ", " ").draft().unwrap();
        assert_eq!((&*draft.code, &*draft.name, draft.description), ("LENDING", "Lending", None));
    }

    #[test]
    fn an_emptied_description_is_cleared() {
        let patch = form("LENDING", "Lending", "").patch().unwrap();
        assert_eq!(patch.description, FieldPatch::Clear);
        let patch = form("LENDING", "Lending", "All loans.").patch().unwrap();
        assert_eq!(patch.description, FieldPatch::Set("All loans.".to_owned()));
    }

    #[test]
    fn all_errors_are_reported_with_the_labels_of_the_form() {
        let message = form("no code", "", "").draft().unwrap_err().message;
        assert!(message.contains("Code: ") && message.contains("Name: "), "{message}");
    }
}
