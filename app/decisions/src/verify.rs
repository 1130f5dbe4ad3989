//! The page that verifies bundles.

mod own_check;

pub use islands::verify::words;
use islands::verify::{Verifier, own_result};
use page_kit::{prelude::*, ui::problem::problem_page};

/// `/verify?id=`. The island fetches the bundle of the ID. For users without scripts, the service verifies it.
pub async fn verify_page() -> PageResult {
    let id = page::query("id");
    let decision: Option<DecisionId> = id.parse().ok();
    let own_check = match decision {
        Some(decision) => match own_check::own_check(decision).await {
            Ok(check) => Some(own_result(check)),
            Err(problem) => Some(problem_page(problem)),
        },
        None => None,
    };
    Ok(any_view! {
        <PublicFrame width="wide">
            <Verifier id>
                <Heading title=words::TITLE />
                <p class="intro">{words::INTRO}</p>
                {no_scripts(decision)}
                <div class="without-scripts">{own_check}</div>
            </Verifier>
        </PublicFrame>
    })
}

/// The alternatives for users without scripts.
fn no_scripts(decision: Option<DecisionId>) -> AnyView {
    let bundle = decision.map(|id| {
        view! {
            <p>
                <a href=url::archive(id) rel="external" download=format!("{id}.tar")>
                    {words::DOWNLOAD_BUNDLE}
                </a>
            </p>
        }
    });
    any_view! {
        <div class="note warn without-scripts">
            {icon(Icon::Warn)} <div>
                <p>{words::NO_SCRIPTS}</p>
                <pre>{words::COMMAND}</pre>
                {bundle}
            </div>
        </div>
    }
}
