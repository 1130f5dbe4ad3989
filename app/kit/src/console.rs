//! What the service calls of the console.

use contract::id::TenantId;
use governance::deciding::decision::ExportRequest;
use leptos::{config::LeptosOptions, prelude::AnyView};
use leptos_axum::AxumRouteListing;

/// The functions of the console, which the program passes to the service. The service does not depend on the pages: both
/// are compiled at the same time, and a changed page does not compile the service.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Returns the routes of all pages.
    pub pages: fn() -> Vec<AxumRouteListing>,
    /// Renders the HTML document of a page.
    pub shell: fn(LeptosOptions) -> AnyView,
    /// Returns the export that posted fields request, or the address of the form with its error.
    pub export: ReadExport,
}

/// A function that reads an export from the posted fields of a tenant.
pub type ReadExport =
    fn(TenantId, &dyn Fn(&str) -> Option<String>) -> Result<ExportRequest, String>;

/// A context of the pages of a development service. Without it, the gallery of components does not exist.
#[derive(Clone, Copy, Debug)]
pub struct Development;
