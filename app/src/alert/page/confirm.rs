//! Confirmation pages of actions on several alerts: the selected alerts, and the parts of the pages. The
//! selection is posted to the page, so it is in no address.

use contract::id::TenantId;
use leptos::prelude::*;

use super::{
    result::unchanged_list,
    violation::{group_name, policy_name},
};
use crate::{
    alert::{
        act::preview_selection,
        view::{
            SelectionPreview,
            row::{AlertRow, groups},
            violation::GroupName,
        },
        words,
    },
    text::url,
    ui::{filter_menu::hidden, load::load, panel::Panel, params, time::Age},
};

/// Loads the alerts that were posted to the page, and shows them with `content`.
pub(super) fn load_selection(
    content: impl Fn(TenantId, SelectionPreview) -> AnyView + Copy + Send + Sync + 'static,
) -> AnyView {
    load(
        params::tenant(),
        async |tenant| {
            let tenant = tenant?;
            let mut preview = preview_selection(tenant).await?;
            let back = &mut preview.form.back;
            *back = match url::own_path(back) {
                "/" => url::alerts(tenant),
                own => own.to_owned(),
            };
            Ok((tenant, preview))
        },
        move |(tenant, preview)| content(tenant, preview),
    )
}

/// A confirmation page: the affected alerts, those that stay unchanged, and the form of the action. Without
/// affected alerts, it shows the reason.
pub(super) fn confirmation(
    tenant: TenantId,
    preview: SelectionPreview,
    title: fn(usize) -> String,
    form: AnyView,
) -> AnyView {
    use crate::alert::acknowledge_words as strings;
    let number = preview.rows.len();
    let (title, content) = if number > 0 {
        (title(number), form)
    } else {
        let reason = if preview.form.selection.is_empty() && preview.changed.is_empty() {
            words::NONE_SELECTED_NEXT
        } else if preview.changed.iter().all(|row| row.acknowledged.is_some()) {
            strings::NOTHING_OPEN_NOTE
        } else {
            strings::ALL_CHANGED_NOTE
        };
        let reason = preview.error.unwrap_or_else(|| reason.to_owned());
        (words::NONE_SELECTED.to_owned(), view! { <p>{reason}</p> }.into_any())
    };
    let unaffected = (!preview.changed.is_empty()).then(|| {
        let lead = strings::unaffected(preview.changed.len());
        unchanged_list(tenant, lead, preview.changed)
    });
    let more = (preview.more > 0).then(|| view! { <p>{strings::more(preview.more)}</p> });
    let is_open = number <= OPEN_MAX;
    let now = preview.now;
    let group = move |(name, rows): (GroupName, Vec<AlertRow>)| {
        let count = words::alerts(rows.len());
        let row = |row: AlertRow| {
            let title = row.title().to_owned();
            let policy = row.violation.as_ref().map(policy_name);
            let age = now.map(|now| view! { <Age at=row.at now /> });
            view! {
                <li>
                    <a href=url::alert(tenant, row.id)>
                        <bdi class="breaks">{title}</bdi>
                    </a>
                    " "
                    <span class="text-xs text-muted">{policy} " " {age}</span>
                </li>
            }
        };
        view! {
            <details open=is_open>
                <summary>{group_name(name)} " " <span class="text-muted">{count}</span></summary>
                <ul>{rows.into_iter().map(row).collect_view()}</ul>
            </details>
        }
    };
    let affected = groups(preview.rows).into_iter().map(group).collect_view();
    view! {
        <Panel
            title
            problem=preview.problem
            back=preview.form.back
            back_label=words::BACK
            is_confirmation=true
        >
            {unaffected}
            {more}
            {affected}
            {content}
        </Panel>
    }
    .into_any()
}

/// The maximum number of affected alerts that are shown without opening their groups.
const OPEN_MAX: usize = 20;

/// How the form of an action is shown.
#[derive(Clone, Copy)]
pub(super) struct FormStyle {
    /// Whether it is the main form of the page.
    pub(super) is_main: bool,
    /// Whether a single key moves the focus to it.
    pub(super) has_keys: bool,
}

impl FormStyle {
    pub(super) const MAIN: Self = Self { is_main: true, has_keys: true };
}

/// The hidden fields of the form of an action: the same selection, and where an error and the result are shown.
pub(super) fn target(tenant: TenantId, preview: &SelectionPreview) -> impl IntoView + use<> {
    let mut fields = preview.form.selection.fields();
    fields.push(("page", preview.page.clone()));
    fields.push(("back", preview.form.back.clone()));
    fields.push(("tenant", tenant.to_string()));
    hidden(fields)
}
