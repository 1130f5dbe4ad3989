//! Page that removes the second factors of a member who has lost them.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    member::{
        act::{ResetSecondFactors, read_reset},
        view::MemberPage,
    },
    text::url,
    ui::{
        facts::fact,
        load::load,
        panel::{Panel, submit},
        params,
    },
};

/// `/t/{tenant}/members/{user}/second-factors`
#[component]
pub(crate) fn ResetFactorsPage() -> impl IntoView {
    let (tenant, user) = (params::tenant(), params::user());
    load(
        move || (tenant(), user()),
        async |(tenant, user)| read_reset(tenant?, user?).await,
        |page| view! { <ResetContent page /> }.into_any(),
    )
}

#[component]
fn ResetContent(page: MemberPage) -> impl IntoView {
    use crate::member::words as strings;
    let MemberPage { tenant, row, rejected, .. } = page;
    view! {
        <Panel
            title=strings::reset(&row.name)
            problem=rejected.map(|rejected| rejected.problem)
            back=url::members(tenant)
            back_label=strings::BACK
            is_confirmation=true
        >
            <dl class="facts">{fact(strings::EMAIL, view! { <bdi>{row.email}</bdi> })}</dl>
            <form method="post" action=ResetSecondFactors::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=row.id.to_string() />
                <p>{strings::RESET_HELP}</p>
                <p>{strings::RESET_CHECK}</p>
                {submit("danger", strings::RESET)}
            </form>
        </Panel>
    }
}
