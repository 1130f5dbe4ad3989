//! The actions on a version: their buttons, their dialogs, and pages with the same content.

mod form;

use page_kit::{prelude::*, text::verdict::stage};
use rules::rule::view::RulePosition;

use self::form::version_form;
pub(crate) use self::form::{reason, signed_content};
use crate::{
    comparison::changes,
    version::{
        Version,
        actions::{AvailableAction, VersionAction},
    },
};

pub(crate) const REASON: &str = "Reason";
pub(crate) const REASON_HINT: &str = "Stored permanently with this action. Up to 500 characters.";
pub(super) const SIGNED_WITH: &str = "Signed with key";

/// Renders what a submission of the version contains. Nothing if the version cannot be submitted.
pub(super) async fn submission(cx: &Cx, version: &Version) -> Result<Option<AnyView>, Problem> {
    if !version.allows(VersionAction::Send) {
        return Ok(None);
    }
    changes::submission(cx, version).await.map(Some)
}

/// Renders the buttons of a version's actions, in the order of the lifecycle. `rejected` is the input of an action
/// without a page of its own; `submission` is the content of the dialog that submits the version.
pub(super) fn buttons(
    version: &Version,
    rejected: Option<&RejectedForm>,
    mut submission: Option<AnyView>,
) -> AnyView {
    let mut button = |own: &AvailableAction| match (own.act, own.refusal) {
        (action, Some(reason)) => unavailable(action, reason, version.version),
        (VersionAction::Recall, None) => recall(version, rejected),
        (action, None) if is_secondary(action) => any_view! {
            <a class=class(action) href=action_address(version, action)>
                {action.button(version.version)}
            </a>
        },
        (action, None) => dialog(action, version, submission.take()),
    };
    let (secondary, primary): (Vec<_>, Vec<_>) =
        version.actions.iter().partition(|own| is_secondary(own.act));
    let primary: Vec<_> = primary.into_iter().map(&mut button).collect();
    let secondary: Vec<_> = secondary.into_iter().map(button).collect();
    let primary = (!primary.is_empty()).then(|| view! { <div class="acts">{primary}</div> });
    let secondary = (!secondary.is_empty()).then(|| {
        view! {
            <details class="disclosure">
                <summary>"More"</summary>
                <div class="acts remainder">{secondary}</div>
            </details>
        }
    });
    any_view! {
        {primary}
        {secondary}
    }
}

/// Returns whether an action is exceptional. Such actions are shown separately to prevent mistakes.
fn is_secondary(action: VersionAction) -> bool {
    matches!(action, VersionAction::Delete | VersionAction::SetAside | VersionAction::Supersede)
}

fn class(action: VersionAction) -> &'static str {
    if key(action).is_some() { "button primary" } else { "button" }
}

/// Returns the shortcut key of the button of a next step. No two buttons of a page have the same key.
fn key(action: VersionAction) -> Option<&'static str> {
    match action {
        VersionAction::Send => Some("s"),
        VersionAction::Ratify | VersionAction::Activate => Some("r"),
        VersionAction::Recall
        | VersionAction::Reject
        | VersionAction::Delete
        | VersionAction::SetAside
        | VersionAction::Supersede => None,
    }
}

/// Renders a disabled button for an action that is not possible, with the reason.
fn unavailable(action: VersionAction, reason: &'static str, number: u32) -> AnyView {
    let id = format!("why-not-{}", action.word());
    any_view! {
        <div class="unavailable">
            <button type="button" class="button" aria-disabled="true" aria-describedby=id.clone()>
                {action.button(number)}
            </button>
            <span id=id class="text-xs text-muted">
                {reason}
            </span>
        </div>
    }
}

/// Renders the button that recalls the version. It needs no signature, and runs without a dialog.
fn recall(version: &Version, rejected: Option<&RejectedForm>) -> AnyView {
    let action = VersionAction::Recall;
    let button = view! {
        <button class=class(action) data-key=key(action)>
            {action.button(version.version)}
        </button>
    };
    version_form(action, version, rejected, button.into_any())
}

/// Renders a link to the page of an action. Scripts open a dialog with the same content instead.
fn dialog(action: VersionAction, version: &Version, submission: Option<AnyView>) -> AnyView {
    let dialog = format!("{}-dialog", action.word());
    let title_id = format!("{}-title", action.word());
    let labelled_by = title_id.clone();
    let href = action_address(version, action);
    any_view! {
        <a class=class(action) href=href data-key=key(action) data-dialog=dialog.clone()>
            {action.button(version.version)}
        </a>
        <dialog id=dialog aria-labelledby=labelled_by>
            <h2 id=title_id tabindex="-1">
                {action.heading(version.policy_name(), version.version)}
            </h2>
            {action_form(action, version, None, submission, Place::Dialog)}
        </dialog>
    }
}

fn action_address(version: &Version, action: VersionAction) -> String {
    format!("{}/{}", version.page(), action.word())
}

/// `…/versions/{version}/{action}`: the page of an action.
pub async fn action_page(action: VersionAction) -> PageResult {
    let (_, cx) = page::member().await?;
    let version = Version::read(&cx, page::param("policy")?, page::param("version")?).await?;
    let submission = match action {
        VersionAction::Send => submission(&cx, &version).await?,
        _ => None,
    };
    let version = version.at(&RulePosition::default(), false);
    let rejected = take_rejected(&action_address(&version, action)).await;
    let content = if version.allows(action) {
        action_form(action, &version, rejected.as_ref(), submission, Place::Page)
    } else {
        impossible(action, &version, rejected)
    };
    let title = action.heading(version.policy_name(), version.version);
    Ok(any_view! {
        {version.crumbs()}
        <div class="card panel roomy" data-main="">
            <Heading title autofocus=true />
            {content}
        </div>
    })
}

/// Renders the reason why the action is not possible, with the input of an earlier attempt.
fn impossible(action: VersionAction, version: &Version, rejected: Option<RejectedForm>) -> AnyView {
    let own = version.actions.iter().find(|own| own.act == action);
    let refusal = own.and_then(|own| own.refusal);
    let reason = refusal.map_or_else(
        || {
            let stage = stage(version.stage).to_lowercase();
            format!("This action is not available. Version status: {stage}.")
        },
        str::to_owned,
    );
    let (problem, input) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    any_view! {
        {problem.map(problem_note)}
        <p>{reason}</p>
        {input.filter(|text| !text.is_empty()).map(quote)}
        <p>
            <a class="button" href=version.page()>
                "Back to the version"
            </a>
        </p>
    }
}

/// Where the form of an action is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Page,
    Dialog,
}

/// Renders the form of an action that is signed or needs a reason.
fn action_form(
    action: VersionAction,
    version: &Version,
    rejected: Option<&RejectedForm>,
    submission: Option<AnyView>,
    place: Place,
) -> AnyView {
    let is_confirmed = rejected.is_some_and(|rejected| rejected.problem.asks_for_confirmation());
    let confirmed =
        is_confirmed.then(|| note(Tone::Info, Some("status"), messages::IDENTITY_CONFIRMED));
    let text = rejected.map(|rejected| rejected.text.clone()).unwrap_or_default();
    // The service signs an approval on behalf of the user.
    let key = version.key.clone().filter(|_| action == VersionAction::Ratify);
    let id_suffix = if place == Place::Dialog { "dialog" } else { "page" };
    let id = format!("{}-{id_suffix}-text", action.word());
    let content = view! {
        {confirmed}
        <p>{action.effect()}</p>
        {signed_content(version, key)}
        {input(action, version, text, id, submission)}
        {submit(action, version, place)}
    };
    version_form(action, version, rejected, content.into_any())
}

/// Renders the user's input: a note, a checkbox or a reason.
fn input(
    action: VersionAction,
    version: &Version,
    text: String,
    id: String,
    submission: Option<AnyView>,
) -> AnyView {
    let read_checkbox = view! {
        <label class="checkbox">
            <input type="checkbox" name="form[read]" value="yes" required=true />
            <span>{format!("I have read the {}", version.rules.count())}</span>
        </label>
    };
    match action {
        VersionAction::Reject | VersionAction::SetAside | VersionAction::Supersede => any_view! {
            <TextArea
                label=REASON
                hint=REASON_HINT
                name="form[text]"
                id
                value=text
                maxlength=500
                required=true
            />
        },
        VersionAction::Ratify => any_view! {
            <TextArea
                label="Note (optional)"
                hint="Stored permanently with this action."
                name="form[text]"
                id
                value=text
                maxlength=2000
                required=false
            />
            {read_checkbox}
        },
        VersionAction::Send => any_view! {
            <div>{submission}</div>
            {same_rules(version)}
            {requested_changes(version)}
        },
        VersionAction::Delete => ().into_any(),
        VersionAction::Recall | VersionAction::Activate => read_checkbox.into_any(),
    }
}

/// Renders the warning that the active version has the same rules, and the box that confirms it.
fn same_rules(version: &Version) -> Option<AnyView> {
    let active = version.active()?;
    let text =
        format!("This version has the same rules as v{}, the active version.", active.version);
    (active.rules_digest == version.own().rules_digest).then(|| {
        any_view! {
            {note(Tone::Warn, None, text)}
            <label class="checkbox">
                <input type="checkbox" name="form[same_rules]" value="yes" required=true />
                <span>"Submit the same rules again"</span>
            </label>
        }
    })
}

/// Renders the requested changes that the next submission addresses. They are selected automatically.
fn requested_changes(version: &Version) -> Option<AnyView> {
    let record = version.answers.as_ref()?;
    Some(any_view! {
        <section class="stack">
            <h3>"Addresses changes requested by"</h3>
            <input type="hidden" name="form[answers]" value=record.id.clone() />
            {record.details()}
        </section>
    })
}

fn submit(action: VersionAction, version: &Version, place: Place) -> AnyView {
    use VersionAction::{Activate, Delete, Ratify, Reject, SetAside};
    // Ratification and activation require a recent password.
    let signed_in = matches!(action, Ratify | Activate).then(|| {
        let text = format!("You confirmed your identity {} ago.", version.signed_in_for);
        view! { <p class="text-xs text-muted">{text}</p> }
    });
    let is_danger = matches!(action, Reject | Delete | SetAside);
    let class = if is_danger { "button danger" } else { "button primary" };
    let is_dialog = place == Place::Dialog;
    let escape = is_dialog.then(|| view! { <kbd aria-hidden="true">"Esc"</kbd> });
    let seal = (action == Ratify).then(|| icon(Icon::Seal));
    any_view! {
        {signed_in}
        <div class="row end">
            <a class="button" href=version.page() data-close=is_dialog.then_some("")>
                {messages::CANCEL}
                {escape}
            </a>
            <button class=class>{seal} {action.sign_button(version.version)}</button>
        </div>
    }
}
