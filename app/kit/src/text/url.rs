//! Addresses of the console's pages.

/// Declares functions that return the address of a page or of a file, with its parameters.
macro_rules! addresses {
    ($($(#[doc = $doc:literal])* $name:ident($($part:ident: $part_type:ty),*) = $address:literal;)*) => {
        $(
            $(#[doc = $doc])*
            pub fn $name($($part: $part_type),*) -> String {
                format!($address)
            }
        )*
    };
}

mod authoring;
mod deciding;
mod organization;
mod public;
mod query;

use contract::id::TenantId;

pub use self::{
    authoring::*,
    deciding::*,
    organization::*,
    public::*,
    query::{RESERVED, own_path, with_other, with_query},
};

/// The fonts of every page (`style/tokens.css`).
pub const FONTS: [&str; 2] =
    ["/fonts/geist-latin-wght-400-600.woff2", "/fonts/geist-mono-latin-wght-400-600.woff2"];

/// The script of the command palette.
pub const PALETTE_SCRIPT: &str = "/palette.js";
pub const SESSION_SCRIPT: &str = "/session.js";

/// The script of the forms that ask the browser for a passkey.
pub const PASSKEY_SCRIPT: &str = "/passkey.js";

addresses! {
    overview(tenant: TenantId) = "/t/{tenant}";
    search(tenant: TenantId) = "/t/{tenant}/search";
    inbox(tenant: TenantId) = "/t/{tenant}/inbox";
}

/// The address of the event stream of the pages.
pub const LIVE: &str = "/console/live";

/// The address that returns the time left of the session.
pub const SESSION: &str = "/console/session";

/// Returns the address of the event stream of a tenant, starting at the mark of a page.
pub fn live(tenant: TenantId) -> String {
    with_query(LIVE, &[("tenant", &tenant.to_string())])
}
