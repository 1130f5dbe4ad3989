//! Opens the page of the console on which a member creates an API key.

use std::process::{Command, Stdio};

use contract::id::TenantId;
use url::Url;

use crate::output;

/// The programs that open a URL, in the order in which they are tried.
const PROGRAMS: [&str; 3] = ["xdg-open", "open", "wslview"];

/// Opens the keys of a tenant in the browser, and prints the URL in case there is none.
pub(super) fn open_keys(service: &Url, tenant: TenantId) {
    let url = format!("{}/t/{tenant}/keys", service.as_str().trim_end_matches('/'));
    output::note(&format!("Create an API key in the browser, then paste it here:\n  {url}"));
    for program in PROGRAMS {
        let mut command = Command::new(program);
        command.arg(&url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.spawn().is_ok() {
            return;
        }
    }
}
