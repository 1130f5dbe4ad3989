//! The request of a program, and the form with which the user allows an API key.

use contract::{api_key::ApiKeyDraft, time::Timestamp};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{
    flash::OneTimeSecret,
    frame::view::{Person, TenantMembership},
    key::view::KeyForm,
    problem::Problem,
    text::url,
};

/// The request of a program, as the address of the page contains it. The names are those of `govern login`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramRequest {
    /// The port at which the program waits for the redirect; empty if the user pastes the code.
    pub port: String,
    /// The value with which the program recognizes the redirect.
    pub state: String,
    pub code_challenge: String,
    /// The name of the machine. The program chooses it.
    pub name: String,
    /// The requested scopes, separated by commas; empty for the default.
    pub scopes: String,
}

/// The scopes of a request that names none: they read policies and change nothing.
const DEFAULT_SCOPES: &str = "policies:read,decisions:evaluate";

/// The maximum number of characters of the name of a machine on the page.
const MACHINE_MAX: usize = 100;

impl ProgramRequest {
    /// Reads the request from the query of the page.
    pub fn read(param: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| param(name).unwrap_or_default();
        Self {
            port: text("port"),
            state: text("state"),
            code_challenge: text("code_challenge"),
            name: text("name"),
            scopes: text("scopes"),
        }
    }

    /// Returns the address of the page with this request.
    pub fn page(&self) -> String {
        let pairs = [
            ("port", self.port.as_str()),
            ("state", &self.state),
            ("code_challenge", &self.code_challenge),
            ("name", &self.name),
            ("scopes", &self.scopes),
        ];
        url::with_query(url::CLI_LOGIN, &pairs)
    }

    /// Returns the name of the machine for the page.
    pub fn machine(&self) -> String {
        let name: String =
            self.name.chars().filter(|c| !c.is_control()).take(MACHINE_MAX).collect();
        if name.trim().is_empty() { words::UNKNOWN_MACHINE.to_owned() } else { name }
    }

    /// Returns the form that the page shows first.
    pub fn form(&self) -> AllowForm {
        let scopes = if self.scopes.is_empty() { DEFAULT_SCOPES } else { &self.scopes };
        AllowForm {
            tenant: String::new(),
            name: words::key_name(&self.machine()),
            scopes: scopes.split(',').map(str::to_owned).collect(),
            days: DAYS_DEFAULT.to_string(),
        }
    }
}

/// The offered lifetimes of a key in days.
pub const DAYS: [u32; 4] = [7, 30, 90, 365];

const DAYS_DEFAULT: u32 = 90;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The form with which the user allows a key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AllowForm {
    pub tenant: String,
    /// The name of the key.
    pub name: String,
    pub scopes: Vec<String>,
    /// The lifetime of the key in days, one of [`DAYS`].
    pub days: String,
}

impl AllowForm {
    /// Returns the key to create, if the user allows it at `now`.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn draft(&self, now: Timestamp) -> Result<ApiKeyDraft, Problem> {
        let days = self.days.parse().ok().filter(|days| DAYS.contains(days));
        let days = days.ok_or_else(|| Problem::of_form(words::BAD_DAYS.to_owned()))?;
        let (name, scopes) = (self.name.clone(), self.scopes.clone());
        let draft = KeyForm { name, scopes, expires: String::new() }.draft()?;
        Ok(ApiKeyDraft { expires_at: Some(now.plus_millis(i64::from(days) * DAY_MS)), ..draft })
    }
}

/// The content of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CliLogin {
    /// The address is not one that `govern login` opens.
    Invalid,
    /// The user may not create API keys in any tenant.
    NoTenant(Person),
    Form(Box<AllowPage>),
    /// The code for the user to paste.
    Code(OneTimeSecret),
}

/// The content of the page with the form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AllowPage {
    pub program: ProgramRequest,
    pub person: Person,
    /// The tenants in which the user may create API keys, by name. There is at least one.
    pub tenants: Vec<TenantMembership>,
    pub form: AllowForm,
    /// Why the form was rejected.
    pub problem: Option<Problem>,
    /// The address that ends the sign-in without a key.
    pub cancel: String,
}

#[cfg(test)]
mod tests {
    use contract::scope::Scope;

    use super::*;

    fn request() -> ProgramRequest {
        let query =
            [("port", "8085"), ("state", "a b"), ("code_challenge", "c"), ("name", "laptop")];
        let find = |name: &str| {
            let pair = query.iter().find(|(key, _)| *key == name)?;
            Some(pair.1.to_owned())
        };
        ProgramRequest::read(&find)
    }

    #[test]
    fn the_address_of_the_page_preserves_the_request() {
        let page = "/cli-login?port=8085&state=a%20b&code_challenge=c&name=laptop";
        assert_eq!(request().page(), page);
    }

    #[test]
    fn the_first_form_has_few_scopes_and_expires_after_90_days() {
        let now: Timestamp = "2026-09-01T10:00:00.000Z".parse().unwrap();
        let draft = request().form().draft(now).unwrap();
        assert_eq!(draft.name, "govern on laptop");
        assert_eq!(draft.scopes, [Scope::PoliciesRead, Scope::DecisionsEvaluate]);
        assert_eq!(draft.expires_at.unwrap().to_string(), "2026-11-30T10:00:00.000Z");
        let requested = ProgramRequest { scopes: "alerts:read".into(), ..request() };
        assert_eq!(requested.form().draft(now).unwrap().scopes, [Scope::AlertsRead]);
    }

    #[test]
    fn other_lifetimes_and_no_scopes_are_rejected() {
        let now: Timestamp = "2026-09-01T10:00:00.000Z".parse().unwrap();
        for days in ["", "0", "91", "-7"] {
            let form = AllowForm { days: days.into(), ..request().form() };
            assert_eq!(form.draft(now).unwrap_err().message, words::BAD_DAYS);
        }
        let form = AllowForm { scopes: Vec::new(), ..request().form() };
        assert!(form.draft(now).unwrap_err().message.contains("select at least one"));
    }
}
