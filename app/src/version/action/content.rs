//! The content that the user signs, shown in full in the dialog and on the page.

use leptos::prelude::*;

use crate::{
    flash::RejectedForm,
    review::{page::review_form::RecordDetails, words as review_words},
    text::{messages, url},
    ui::{
        code::{Id, ShortDigest},
        facts::{fact, short_id_fact},
        field::TextArea,
        form::VersionForm,
        icon::{Icon, icon},
        note::{Tone, note},
        stamp::digest_seal,
        time::Minute,
    },
    version::{
        action_words, actions::VersionAction, markup::Bytes, proof::replaced,
        view::VersionPage as Version, words,
    },
};

/// Returns the title, such as "Ratify Vendor payments v18".
pub(super) fn title(action: VersionAction, version: StoredValue<Version>) -> String {
    version.with_value(|version| action.heading(&version.policy_name, version.version))
}

/// Where the form of an action is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormPlace {
    Page,
    Dialog,
}

/// The form of an action that is signed or needs a reason.
#[component]
pub(super) fn SignedActionForm(
    action: VersionAction,
    version: StoredValue<Version>,
    rejected: Option<RejectedForm>,
    place: FormPlace,
) -> impl IntoView {
    let is_confirmed =
        rejected.as_ref().is_some_and(|rejected| rejected.problem.asks_for_confirmation());
    let confirmed_note =
        is_confirmed.then(|| note(Tone::Info, Some("status"), action_words::IDENTITY_CONFIRMED));
    let text = rejected.as_ref().map(|rejected| rejected.text.clone()).unwrap_or_default();
    // The service signs an approval on behalf of the user.
    let key = version
        .with_value(|version| version.key.clone())
        .filter(|_| action == VersionAction::Ratify);
    let id_suffix = if place == FormPlace::Dialog { "dialog" } else { "page" };
    view! {
        <VersionForm version_action=action version rejected>
            {confirmed_note}
            <p>{action.effect()}</p>
            <SignedContent version key />
            <ActionInput action version text id=format!("{}-{id_suffix}-text", action.word()) />
            <Buttons action version place />
        </VersionForm>
    }
}

/// The exact content that the action applies to.
#[component]
pub(crate) fn SignedContent(
    version: StoredValue<Version>,
    /// The key that signs the approval.
    #[prop(default = None)]
    key: Option<String>,
) -> impl IntoView {
    let version = version.get_value();
    let bytes = view! { <Bytes version=version.clone() /> };
    let key = key.map(|key| short_id_fact(action_words::SIGNED_WITH, key));
    let replaces = replaced(version.deciding.as_ref());
    let review = version.review.map(|record| {
        view! {
            <dt>{action_words::REVIEW}</dt>
            <dd>
                {record.verdict.as_str()} " " {messages::BY} " " <bdi>{record.by}</bdi> ", "
                <Minute at=record.at /> " "
                <ShortDigest digest=record.digest what=review_words::RECORD />
            </dd>
        }
    });
    let seal = digest_seal(&version.rules_digest);
    let rules = version.rules.count();
    view! {
        <div class="signing">
            {seal} <dl class="viewed">
                <dt>{action_words::POLICY}</dt>
                <dd>
                    <bdi>{version.policy_code}</bdi>
                    " "
                    <Id id=version.policy.to_string() what=action_words::POLICY />
                </dd>
                <dt>{action_words::VERSION}</dt>
                <dd class="tabular-nums">
                    "v" {version.version} ", " {action_words::REVISION} " r" {version.revision} ", "
                    {rules}
                </dd>
                {short_id_fact(words::DIGEST, version.rules_digest)}
                {fact(action_words::REPLACES, replaces)}
                {review}
                <dt>{action_words::SIGNED_AS}</dt>
                <dd>
                    <bdi>{version.person.name}</bdi>
                    ", "
                    <bdi>{version.person.email}</bdi>
                </dd>
                {key}
            </dl>
        </div>
        {bytes}
    }
}

/// The user's input: a note, a checkbox or a reason.
#[component]
fn ActionInput(
    action: VersionAction,
    version: StoredValue<Version>,
    text: String,
    id: String,
) -> impl IntoView {
    let rules = version.with_value(|version| version.rules.count());
    let read_checkbox = view! {
        <label class="checkbox">
            <input type="checkbox" name="form[read]" value="yes" required=true />
            <span>{action_words::confirm_reading(&rules)}</span>
        </label>
    };
    match action {
        VersionAction::Reject | VersionAction::SetAside | VersionAction::Supersede => view! {
            <TextArea
                label=action_words::REASON
                hint=action_words::REASON_HINT
                name="form[text]"
                id
                value=text
                maxlength=500
                required=true
            />
        }
        .into_any(),
        VersionAction::Ratify => view! {
            <TextArea
                label=action_words::NOTE
                hint=action_words::NOTE_HINT
                name="form[text]"
                id
                value=text
                maxlength=2000
                required=false
            />
            {read_checkbox}
        }
        .into_any(),
        VersionAction::Send => view! {
            <div inner_html=version.with_value(|version| version.submission.clone())></div>
            {version.with_value(same_rules)}
            {version.with_value(requested_changes)}
        }
        .into_any(),
        VersionAction::Delete => ().into_any(),
        _ => read_checkbox.into_any(),
    }
}

/// Renders the warning that the active version has the same rules, and the box that confirms it.
fn same_rules(version: &Version) -> Option<impl IntoView + use<>> {
    let active = version.deciding.as_ref().filter(|active| active.has_same_rules)?;
    Some(view! {
        {note(Tone::Warn, None, review_words::same_rules(active.version))}
        <label class="checkbox">
            <input type="checkbox" name="form[same_rules]" value="yes" required=true />
            <span>{review_words::CONFIRM_SAME_RULES}</span>
        </label>
    })
}

/// Renders the requested changes that the next submission addresses. They are selected automatically.
fn requested_changes(version: &Version) -> Option<impl IntoView + use<>> {
    let record = version.answers.clone()?;
    let id = record.id.clone();
    Some(view! {
        <section class="stack">
            <h3>{review_words::ADDRESSES}</h3>
            <input type="hidden" name="form[answers]" value=id />
            <RecordDetails record />
        </section>
    })
}

#[component]
fn Buttons(
    action: VersionAction,
    version: StoredValue<Version>,
    place: FormPlace,
) -> impl IntoView {
    let (number, back) = version.with_value(|version| {
        (version.version, url::version(version.tenant, version.policy, version.version))
    });
    // Ratification and activation require a recent password.
    let is_signed = matches!(action, VersionAction::Ratify | VersionAction::Activate);
    let signed_in = is_signed.then(|| {
        let text = version.with_value(|version| action_words::signed_in(&version.signed_in_for));
        view! { <p class="text-xs text-muted">{text}</p> }
    });
    let class = if matches!(
        action,
        VersionAction::Reject | VersionAction::Delete | VersionAction::SetAside
    ) {
        "button danger"
    } else {
        "button primary"
    };
    let is_dialog = place == FormPlace::Dialog;
    let escape = is_dialog.then(|| view! { <kbd aria-hidden="true">"Esc"</kbd> });
    let seal = (action == VersionAction::Ratify).then(|| icon(Icon::Seal));
    view! {
        {signed_in}
        <div class="row end">
            <a class="button" href=back data-close=is_dialog.then_some("")>
                {messages::CANCEL}
                {escape}
            </a>
            <button class=class>{seal} {action.sign_button(number)}</button>
        </div>
    }
}
