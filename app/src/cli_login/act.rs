//! Access of the command line: the request, and its approval.

use contract::id::TenantId;
use leptos::prelude::server;

use super::view::{CliLogin, ProgramRequest};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the content of the page for the request of a program.
#[server(prefix = "/console", endpoint = "cli-login", output = JsonCodec)]
pub(crate) async fn read_cli_login(program: ProgramRequest) -> Result<CliLogin, Problem> {
    use super::load as sources;
    sources::read(program).await
}

/// Allows the key and redirects to the program, or to the page with the code.
#[server(prefix = "/console", endpoint = "allow-cli-login", output = JsonCodec)]
pub(crate) async fn allow_cli_login(
    tenant: TenantId,
    program: ProgramRequest,
    #[server(default)] name: String,
    #[server(default)] scopes: Vec<String>,
    #[server(default)] days: String,
) -> Result<(), Problem> {
    use super::{load as sources, view::AllowForm};
    use crate::request;
    let cx = request::human(tenant).await?;
    let form = AllowForm { tenant: tenant.to_string(), name, scopes, days };
    sources::allow(&cx, &program, &form).await
}
