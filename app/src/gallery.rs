//! `/dev/gallery`: the shared components with sample content, in both themes. The page exists only in development.

use accounts::member;
use contract::{chain::ChainStatus, webhook::DeliveryStatus};
use decisions::{chain, delivery};
use kit::console::Development;
use page_kit::{
    prelude::*,
    text::difference,
    ui::{
        chart::{Bars, Column, Mark, Part, bars, change},
        copy::CopyButton,
        empty::NothingMatches,
        form_errors::ErrorSummaryOf,
    },
};
use policies::comparison::marked;

use crate::missing::missing_page;

/// The address to which all links of the samples point.
const HERE: &str = "/dev/gallery";

/// The digest of the samples.
const DIGEST: &str = "bafafe6409d1e2c35a7f8b90123456789abcdef0fedcba98765432100f1eb667";

/// The time of the samples.
const SAMPLE_TIME: Option<Timestamp> = Timestamp::from_millis(1_795_300_000_000);

const POLICY: &str = "Vendor payments";

/// `/dev/gallery`
pub(crate) async fn gallery() -> PageResult {
    if use_context::<Development>().is_none() {
        return Ok(missing_page());
    }
    Ok(any_view! {
        <PublicFrame width="reading">
            <div class="stack">
                <Heading title="Components" />
                <p class="intro">
                    "The shared components of the pages in both themes, for development."
                </p>
                {samples("light", "Light theme", ["light-chart", "light-email", "light-limit"])}
                {samples("dark", "Dark theme", ["dark-chart", "dark-email", "dark-limit"])}
            </div>
        </PublicFrame>
    })
}

/// Renders the samples in a theme. `ids` are those of the chart and of the fields with a hint and with an error.
fn samples(theme: &'static str, label: &'static str, ids: [&'static str; 3]) -> AnyView {
    let [chart, hinted, member] = ids;
    let [before, after] =
        ["2,000", "2,500"].map(|limit| format!("amount is at most {limit} in the currency EUR"));
    let difference = marked(difference::of_texts(&before, &after));
    any_view! {
        <section class="gallery" data-theme=theme aria-labelledby=theme>
            <h2 id=theme>{label}</h2>
            {sample("Page header", page_header())}
            {sample("Buttons", buttons(format!("{theme}-reason")))}
            {sample("Badges", badges())}
            {sample("Filter bar", filter_bar())}
            {sample("Table", table())}
            {sample("Detail with rail", detail())}
            {sample("Difference", any_view! { <p>{difference}</p> })}
            {sample("Chart", charts(chart))}
            {sample("Dialog", dialog(&format!("{theme}-dialog")))}
            {sample("Notes and toasts", notes())}
            {sample("Empty states", empty_states())}
            {sample("Fields with errors", fields(hinted, member))}
        </section>
    }
}

/// Renders the name of a component and its samples.
fn sample(name: &'static str, content: AnyView) -> AnyView {
    any_view! {
        <section class="stack" aria-label=name>
            <h3>{name}</h3>
            {content}
        </section>
    }
}

fn page_header() -> AnyView {
    let tab = |label, count, is_current| Tab { href: HERE.to_owned(), label, count, is_current };
    let tabs = vec![tab("Overview", None, true), tab("Rules", Some(16), false)];
    any_view! {
        <Crumb href=HERE.to_owned() label="Policies" />
        <div class="page-head">
            <h4>{POLICY}</h4>
            {stage_badge(VersionStage::Active)}
            <a class="button push" href=HERE>
                "Compare versions"
            </a>
            <a class="button primary" href=HERE>
                "New draft"
            </a>
        </div>
        {tab_links(POLICY, tabs)}
    }
}

fn buttons(reason: String) -> AnyView {
    any_view! {
        <div class="row">
            <button type="button">"Compare versions"</button>
            <button type="button" class="primary">
                "New draft"
            </button>
            <button type="button" class="danger">
                "Delete draft"
            </button>
            <a class="quiet" href=HERE>
                "Overview"
            </a>
            <CopyButton what="Rules digest" value=DIGEST />
        </div>
        <div class="unavailable">
            <button
                type="button"
                class="button"
                aria-disabled="true"
                aria-describedby=reason.clone()
            >
                "Ratify v18"
            </button>
            <span id=reason class="text-xs text-muted">
                "You helped create this version."
            </span>
        </div>
    }
}

fn badges() -> AnyView {
    let verdicts = [Verdict::Deny, Verdict::Review, Verdict::Alert, Verdict::Allow]
        .map(|verdict| view! { <VerdictBadge verdict /> });
    let stages = [
        VersionStage::Draft,
        VersionStage::WaitingForReview,
        VersionStage::ChangesRequested,
        VersionStage::WaitingForRatification,
        VersionStage::Ratified,
        VersionStage::Active,
        VersionStage::Inactive,
        VersionStage::Replaced,
        VersionStage::SetAside,
    ]
    .map(stage_badge);
    let severities = Severity::ALL.map(severity_chip);
    let deliveries = DeliveryStatus::ALL.map(delivery::status_badge);
    any_view! {
        <p class="row">{verdicts}</p>
        <p class="row">{stages}</p>
        <p class="row">{severities}</p>
        <p class="row">{deliveries}</p>
        <p class="row">
            {mode_badge(true)} {mode_badge(false)} {chain::status_badge(ChainStatus::Open)}
            {chain::status_badge(ChainStatus::Sealed)} {member::status_badge(true)}
        </p>
    }
}

fn filter_bar() -> AnyView {
    let filters = vec![
        Filter::choice("status", "Status", [("open", "Open"), ("sealed", "Sealed")]),
        Filter::text("name", "Name"),
    ];
    let value = |name: &str| if name == "status" { "open".to_owned() } else { String::new() };
    ListQuery::new(HERE.to_owned(), filters, value).bar(())
}

fn table() -> AnyView {
    let table = Table::new("Policies")
        .column("Policy", |name: &&'static str| {
            view! {
                <a href=HERE>
                    <bdi>{*name}</bdi>
                </a>
            }
        })
        .column("Status", |_| stage_badge(VersionStage::Draft))
        .numbers("Rules", |_| "16")
        .column("Changed (UTC)", |_| SAMPLE_TIME.map(second));
    any_view! {
        {table.of(&[POLICY, "Travel expenses"])}
        {pager(None, Some(HERE.to_owned()), "2 policies shown".to_owned())}
    }
}

fn detail() -> AnyView {
    let minute = SAMPLE_TIME.map(minute);
    let exact = SAMPLE_TIME.map(exact);
    any_view! {
        <div class="with-rail">
            <section class="card stack">
                <h4>"Rules"</h4>
                <p>"The amount is above the limit of 2,500."</p>
                {code_block("{\n  \"amount\": 2700\n}", "Inputs")}
            </section>
            <aside class="rail" aria-label="Inputs">
                <dl class="card">
                    {digest_fact("Rules digest", DIGEST.to_owned())}
                    {short_id_fact("Short digest", DIGEST.to_owned())}
                    {id_fact("Decision ID", "1c94c350-8998-4356-a686-28dfa738d5c5".to_owned())}
                    {fact("Recorded", minute)} {fact("Exact time", exact)}
                </dl>
            </aside>
        </div>
    }
}

fn charts(name: &'static str) -> AnyView {
    let days = ["20 Nov 2026", "21 Nov 2026", "22 Nov 2026"].map(ToOwned::to_owned);
    let part = |verdict, decisions| Part { verdict, decisions, href: HERE.to_owned() };
    let column = |(denied, from): (i64, String)| {
        let parts = vec![part(Verdict::Allow, 12 - denied), part(Verdict::Deny, denied + 1)];
        Column { from, parts }
    };
    let mark = Mark {
        position: "40%".to_owned(),
        time: "21 Nov 2026 09:30".to_owned(),
        name: POLICY.to_owned(),
        href: HERE.to_owned(),
        text: change(Some(3), None),
    };
    bars(Bars {
        name,
        title: "Decisions",
        caption: "Decisions by verdict.".to_owned(),
        columns: (0..).zip(days.clone()).map(column).collect(),
        times: days,
        lists: [HERE; 4].map(ToOwned::to_owned),
        is_share: false,
        units: None,
        marks: vec![mark],
        note: None,
    })
    .into_any()
}

fn dialog(title: &str) -> AnyView {
    let title = title.to_owned();
    any_view! {
        <dialog open=true aria-labelledby=title.clone()>
            <h4 id=title.clone()>"Delete the draft of Vendor payments"</h4>
            <p>"This cannot be undone."</p>
            <div class="row end">
                <a class="button" href=HERE>
                    {messages::CANCEL}
                </a>
                <button type="button" class="danger">
                    "Delete draft"
                </button>
            </div>
        </dialog>
    }
}

fn notes() -> AnyView {
    [
        note(Tone::Info, None, "Dry run: unsigned, not recorded"),
        note(Tone::Allow, Some("status"), "Alert acknowledged."),
        note(Tone::Warn, None, "2 versions are waiting for ratification."),
        note(Tone::Deny, None, "All 6 attempts failed."),
    ]
    .into_any()
}

fn empty_states() -> AnyView {
    any_view! {
        {empty_state("No policies yet", "Create a policy to define decision rules.")}
        <NothingMatches clear=HERE.to_owned() />
    }
}

fn fields(hinted: &'static str, member: &'static str) -> AnyView {
    let message = "enter a number, for example 2500";
    let (path, code) = (format!("/{member}"), "format".to_owned());
    let error = FieldError { path, code, message: message.to_owned() };
    let summary = vec![(member.to_owned(), messages::sentence(&format!("Limit: {message}")))];
    let errors = [error];
    let limit = MemberField::new(&errors, "Limit", member, "form[limit]");
    any_view! {
        <ErrorSummaryOf errors=summary />
        {problem_note(Problem::of_form(message))}
        <form method="get" action=HERE class="stack">
            <TextField label="Name" name="name" />
            <SelectField
                label="Severity"
                name="severity"
                choices=vec![("low", "Low"), ("high", "High")]
                value="high"
            />
            <HintedField
                label="Email"
                hint="The person gets a link by mail."
                name="email"
                id=hinted
                kind="email"
            />
            {limit.hint("The highest permitted amount.").line("many".to_owned(), false)}
            <TextArea
                label="Reason"
                hint="1 to 500 characters."
                name="reason"
                id=format!("{hinted}-reason")
                value=""
                maxlength=500
                required=false
            />
            <div class="row">
                <button class="primary">"New draft"</button>
            </div>
        </form>
    }
}
