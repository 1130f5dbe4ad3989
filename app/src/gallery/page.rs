//! The shared components with sample content, in both themes. The page exists only in development.

mod forms;
mod lists;

use leptos::prelude::*;

use self::{
    forms::{Dialogs, Fields},
    lists::{Badges, Charts, FilterBarSample, SAMPLE_TIME, TableSample},
};
use super::words as strings;
use crate::{
    Development,
    comparison::marked,
    missing::MissingPage,
    text::difference,
    ui::{
        badge::StageBadge,
        code::CodeBlock,
        copy::CopyButton,
        empty::{Empty, NothingMatches},
        facts::{digest_fact, fact, id_fact, short_id_fact},
        heading::Heading,
        note::{Tone, note},
        panel::Crumb,
        public::PublicFrame,
        tabs::{Tab, Tabs},
        time::{Exact, Minute},
    },
};

/// The address to which all links of the samples point.
const HERE: &str = "/dev/gallery";

/// The digest of the samples.
const DIGEST: &str = "bafafe6409d1e2c35a7f8b90123456789abcdef0fedcba98765432100f1eb667";

/// A theme with the IDs of its samples, which are unique on the page.
#[derive(Clone, Copy)]
struct Theme {
    word: &'static str,
    label: &'static str,
    /// The ID of the heading.
    heading: &'static str,
    /// The ID of the title of the dialog.
    dialog: &'static str,
    /// The name of the chart.
    chart: &'static str,
    /// The IDs of the fields with a hint and with an error.
    fields: [&'static str; 2],
    /// The ID of the reason of a disabled button.
    reason: &'static str,
}

const THEMES: [Theme; 2] = [
    Theme {
        word: "light",
        label: strings::LIGHT,
        heading: "light",
        dialog: "light-dialog",
        chart: "light-chart",
        fields: ["light-email", "light-limit"],
        reason: "light-reason",
    },
    Theme {
        word: "dark",
        label: strings::DARK,
        heading: "dark",
        dialog: "dark-dialog",
        chart: "dark-chart",
        fields: ["dark-email", "dark-limit"],
        reason: "dark-reason",
    },
];

/// `/dev/gallery`
#[component]
pub(crate) fn GalleryPage() -> impl IntoView {
    if use_context::<Development>().is_none() {
        return view! { <MissingPage /> }.into_any();
    }
    let samples = THEMES.map(|theme| view! { <Samples theme /> });
    view! {
        <PublicFrame width="reading">
            <div class="stack">
                <Heading title=strings::TITLE />
                <p class="intro">{strings::INTRO}</p>
                {samples}
            </div>
        </PublicFrame>
    }
    .into_any()
}

#[component]
fn Samples(theme: Theme) -> impl IntoView {
    view! {
        <section class="gallery" data-theme=theme.word aria-labelledby=theme.heading>
            <h2 id=theme.heading>{theme.label}</h2>
            {sample(strings::PAGE_HEADER, view! { <PageHeader /> })}
            {sample(strings::BUTTONS, view! { <Buttons theme /> })}
            {sample(strings::BADGES, view! { <Badges /> })}
            {sample(strings::FILTER_BAR, view! { <FilterBarSample /> })}
            {sample(strings::TABLE, view! { <TableSample /> })}
            {sample(strings::DETAIL, view! { <Detail /> })}
            {sample(
                strings::DIFF,
                view! { <p>{marked(difference::of_texts(strings::BEFORE, strings::AFTER))}</p> },
            )}
            {sample(strings::CHART, view! { <Charts name=theme.chart /> })}
            {sample(strings::DIALOG, view! { <Dialogs title_id=theme.dialog /> })}
            {sample(strings::NOTES, view! { <Notes /> })}
            {sample(strings::EMPTY_STATES, view! { <EmptyStates /> })}
            {sample(strings::FIELDS, view! { <Fields ids=theme.fields /> })}
        </section>
    }
}

/// Renders the name of a component and its samples.
fn sample(name: &'static str, content: impl IntoView) -> AnyView {
    view! {
        <section class="stack" aria-label=name>
            <h3>{name}</h3>
            {content}
        </section>
    }
    .into_any()
}

#[component]
fn PageHeader() -> impl IntoView {
    let tab = |label, count, is_current| Tab { href: HERE.to_owned(), label, count, is_current };
    let tabs = vec![tab(strings::OVERVIEW, None, true), tab(strings::RULES, Some(16), false)];
    view! {
        <Crumb href=HERE.to_owned() label=strings::POLICIES />
        <div class="page-head">
            <h4>{strings::POLICY}</h4>
            <StageBadge stage=contract::policy::VersionStage::Active />
            <a class="button push" href=HERE>
                {strings::COMPARE}
            </a>
            <a class="button primary" href=HERE>
                {strings::NEW_DRAFT}
            </a>
        </div>
        <Tabs label=strings::POLICY tabs />
    }
}

#[component]
fn Buttons(theme: Theme) -> impl IntoView {
    view! {
        <div class="row">
            <button type="button">{strings::COMPARE}</button>
            <button type="button" class="primary">
                {strings::NEW_DRAFT}
            </button>
            <button type="button" class="danger">
                {strings::DELETE}
            </button>
            <a class="quiet" href=HERE>
                {strings::OVERVIEW}
            </a>
            <CopyButton what=strings::DIGEST value=DIGEST />
        </div>
        <div class="unavailable">
            <button type="button" class="button" aria-disabled="true" aria-describedby=theme.reason>
                {strings::RATIFY}
            </button>
            <span id=theme.reason class="text-xs text-muted">
                {strings::WHY_NOT}
            </span>
        </div>
    }
}

#[component]
fn Detail() -> impl IntoView {
    let minute = SAMPLE_TIME.map(|at| view! { <Minute at /> });
    let exact = SAMPLE_TIME.map(|at| view! { <Exact at /> });
    view! {
        <div class="with-rail">
            <section class="card stack">
                <h4>{strings::RULES}</h4>
                <p>{strings::DETAIL_TEXT}</p>
                <CodeBlock text="{\n  \"amount\": 2700\n}" label=strings::INPUTS />
            </section>
            <aside class="rail" aria-label=strings::INPUTS>
                <dl class="card">
                    {digest_fact(strings::DIGEST, DIGEST.to_owned())}
                    {short_id_fact(strings::SHORT_DIGEST, DIGEST.to_owned())}
                    {id_fact(strings::ID, "1c94c350-8998-4356-a686-28dfa738d5c5".to_owned())}
                    {fact(strings::RECORDED, minute)} {fact(strings::EXACT, exact)}
                </dl>
            </aside>
        </div>
    }
}

#[component]
fn Notes() -> impl IntoView {
    [
        note(Tone::Info, None, strings::INFO),
        note(Tone::Allow, Some("status"), strings::DONE),
        note(Tone::Warn, None, strings::WARNING),
        note(Tone::Deny, None, strings::FAILURE),
    ]
    .collect_view()
}

#[component]
fn EmptyStates() -> impl IntoView {
    view! {
        <Empty title=strings::EMPTY text=strings::EMPTY_NEXT />
        <NothingMatches clear=HERE.to_owned() />
    }
}
