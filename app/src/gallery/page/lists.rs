//! Samples of badges, filters, tables and charts.

use contract::{
    chain::ChainStatus, evaluation::Verdict, policy::VersionStage, rule::Severity, time::Timestamp,
    webhook::DeliveryStatus,
};
use leptos::prelude::*;

use super::HERE;
use crate::{
    chain::status_badge,
    delivery,
    gallery::words as strings,
    member,
    text::query::ListQuery,
    ui::{
        badge::ModeBadge,
        badge::{SeverityChip, StageBadge, VerdictBadge},
        chart::{Bars, Column, Mark, Part, bars, change},
        field::TextField,
        filter_menu::{self, ChoiceMenu, FieldMenu, FilterBar, choices, label_of, others},
        list::{Pager, table},
        time::Second,
    },
};

/// The time of the samples.
pub(super) const SAMPLE_TIME: Option<Timestamp> = Timestamp::from_millis(1_795_300_000_000);

const STAGES: [VersionStage; 9] = [
    VersionStage::Draft,
    VersionStage::WaitingForReview,
    VersionStage::ChangesRequested,
    VersionStage::WaitingForRatification,
    VersionStage::Ratified,
    VersionStage::Active,
    VersionStage::Inactive,
    VersionStage::Replaced,
    VersionStage::SetAside,
];

#[component]
pub(super) fn Badges() -> impl IntoView {
    let verdicts = [Verdict::Deny, Verdict::Review, Verdict::Alert, Verdict::Allow]
        .map(|verdict| view! { <VerdictBadge verdict /> });
    let stages = STAGES.map(|stage| view! { <StageBadge stage /> });
    let severities = Severity::ALL.map(|severity| view! { <SeverityChip severity /> });
    let deliveries = DeliveryStatus::ALL.map(delivery::status_badge);
    view! {
        <p class="row">{verdicts}</p>
        <p class="row">{stages}</p>
        <p class="row">{severities}</p>
        <p class="row">{deliveries}</p>
        <p class="row">
            <ModeBadge shadow=true />
            <ModeBadge shadow=false />
            {status_badge(ChainStatus::Open)}
            {status_badge(ChainStatus::Sealed)}
            {member::status_badge(true)}
        </p>
    }
}

/// The filters of the sample.
struct Query;

impl ListQuery for Query {
    fn filters(&self) -> Vec<(&'static str, &str)> {
        vec![("status", "open"), ("name", "")]
    }
}

#[component]
pub(super) fn FilterBarSample() -> impl IntoView {
    let active = filter_menu::active(&Query, HERE, |_, value| {
        (strings::STATUS, label_of(&strings::STATUSES, value))
    });
    let statuses = choices(&Query, HERE, "status", &strings::STATUSES);
    view! {
        <FilterBar path=HERE.to_owned() active>
            <ChoiceMenu label=strings::STATUS choices=statuses />
            <FieldMenu label=strings::NAME path=HERE.to_owned() others=others(&Query, &["name"])>
                <TextField label=strings::NAME name="name" />
            </FieldMenu>
        </FilterBar>
    }
}

#[component]
pub(super) fn TableSample() -> impl IntoView {
    let row = |name: &'static str| {
        view! {
            <tr>
                <th scope="row" data-label=strings::HEAD[0]>
                    <a href=HERE>
                        <bdi>{name}</bdi>
                    </a>
                </th>
                <td data-label=strings::HEAD[1]>
                    <StageBadge stage=VersionStage::Draft />
                </td>
                <td data-label=strings::HEAD[2] class="tabular-nums">
                    "16"
                </td>
                <td data-label=strings::HEAD[3]>{SAMPLE_TIME.map(|at| view! { <Second at /> })}</td>
            </tr>
        }
    };
    view! {
        {table(strings::POLICIES, strings::HEAD, strings::ROWS.to_vec(), row)}
        <Pager newer=None older=Some(HERE.to_owned()) count=strings::SHOWN.to_owned() />
    }
}

#[component]
pub(super) fn Charts(name: &'static str) -> impl IntoView {
    let part = |verdict, decisions| Part { verdict, decisions, href: HERE.to_owned() };
    let column = |(index, day): (usize, &str)| {
        let denied = i64::try_from(index).unwrap_or_default();
        let parts = vec![part(Verdict::Allow, 12 - denied), part(Verdict::Deny, denied + 1)];
        Column { from: day.to_owned(), parts }
    };
    let columns = strings::DAYS.into_iter().enumerate().map(column).collect();
    let times = strings::DAYS.map(ToOwned::to_owned);
    let mark = Mark {
        position: "40%".to_owned(),
        time: strings::CHANGE_TIME.to_owned(),
        name: strings::POLICY.to_owned(),
        href: HERE.to_owned(),
        text: change(Some(3), None),
    };
    bars(Bars {
        name,
        title: strings::CHART_TITLE,
        caption: strings::CHART_CAPTION.to_owned(),
        columns,
        times,
        lists: [HERE; 4].map(ToOwned::to_owned),
        is_share: false,
        units: None,
        marks: vec![mark],
        note: None,
    })
}
