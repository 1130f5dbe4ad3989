//! The request of a program, and the form with which the user allows an API key.

use accounts::key::KeyForm;
use contract::api_key::ApiKeyDraft;
use governance::access::cli_login::LoginRequest;
use page_kit::prelude::*;

/// The request of a program, as the address of the page contains it. The names are those of `govern login`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ProgramRequest {
    /// The port at which the program waits for the redirect; empty if the user pastes the code.
    pub(super) port: String,
    /// The value with which the program recognizes the redirect.
    pub(super) state: String,
    pub(super) code_challenge: String,
    /// The name of the machine. The program chooses it.
    pub(super) name: String,
    /// The requested scopes, separated by commas; empty for the default.
    pub(super) scopes: String,
}

/// The scopes of a request that names none: they read policies and change nothing.
const DEFAULT_SCOPES: &str = "policies:read,decisions:evaluate";

/// The maximum number of characters of the name of a machine on the page.
const MACHINE_MAX: usize = 100;

impl ProgramRequest {
    /// Reads the request from the query of the page.
    pub(super) fn read(query: impl Fn(&str) -> String) -> Self {
        Self {
            port: query("port"),
            state: query("state"),
            code_challenge: query("code_challenge"),
            name: query("name"),
            scopes: query("scopes"),
        }
    }

    /// Returns the request of `govern login`, or `None` if the address is incomplete.
    pub(super) fn parse(&self) -> Option<LoginRequest> {
        LoginRequest::parse(&self.code_challenge, &self.port)
    }

    /// Renders the request as hidden fields of the form.
    pub(super) fn hidden(&self) -> AnyView {
        let fields = self.fields().map(|(name, value)| {
            let name = format!("program[{name}]");
            view! { <input type="hidden" name=name value=value.to_owned() /> }
        });
        fields.collect_view().into_any()
    }

    fn fields(&self) -> [(&'static str, &str); 5] {
        [
            ("port", self.port.as_str()),
            ("state", &self.state),
            ("code_challenge", &self.code_challenge),
            ("name", &self.name),
            ("scopes", &self.scopes),
        ]
    }

    /// Returns the address of the page with this request.
    pub(super) fn page(&self) -> String {
        url::with_query(url::CLI_LOGIN, &self.fields())
    }

    /// Returns the name of the machine for the page.
    pub(super) fn machine(&self) -> String {
        let name: String =
            self.name.chars().filter(|c| !c.is_control()).take(MACHINE_MAX).collect();
        if name.trim().is_empty() { "an unnamed machine".to_owned() } else { name }
    }

    /// Returns the form that the page shows first.
    pub(super) fn form(&self) -> AllowForm {
        let scopes = if self.scopes.is_empty() { DEFAULT_SCOPES } else { &self.scopes };
        AllowForm {
            tenant: String::new(),
            name: format!("govern on {}", self.machine()),
            scopes: scopes.split(',').map(str::to_owned).collect(),
            days: DAYS_DEFAULT.to_string(),
        }
    }
}

/// The offered lifetimes of a key in days.
pub(super) const DAYS: [u32; 4] = [7, 30, 90, 365];

const DAYS_DEFAULT: u32 = 90;

const BAD_DAYS: &str = "Expires: select one of the lifetimes.";

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The form with which the user allows a key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AllowForm {
    pub(super) tenant: String,
    /// The name of the key.
    pub(super) name: String,
    pub(super) scopes: Vec<String>,
    /// The lifetime of the key in days, one of [`DAYS`].
    pub(super) days: String,
}

impl AllowForm {
    /// Returns the key to create, if the user allows it at `now`.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub(super) fn draft(&self, now: Timestamp) -> Result<ApiKeyDraft, Problem> {
        let days = self.days.parse().ok().filter(|days| DAYS.contains(days));
        let days = days.ok_or_else(|| Problem::of_form(BAD_DAYS.to_owned()))?;
        let (name, scopes) = (self.name.clone(), self.scopes.clone());
        let draft = KeyForm { name, scopes, expires: String::new() }.draft()?;
        Ok(ApiKeyDraft { expires_at: Some(now.plus_millis(i64::from(days) * DAY_MS)), ..draft })
    }
}

#[cfg(test)]
mod tests {
    use contract::scope::Scope;

    use super::*;

    fn request() -> ProgramRequest {
        let query =
            [("port", "8085"), ("state", "a b"), ("code_challenge", "c"), ("name", "laptop")];
        let find = |name: &str| query.iter().find(|(key, _)| *key == name);
        ProgramRequest::read(|name| find(name).map_or_else(String::new, |pair| pair.1.to_owned()))
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
            assert_eq!(form.draft(now).unwrap_err().message, BAD_DAYS);
        }
        let form = AllowForm { scopes: Vec::new(), ..request().form() };
        assert!(form.draft(now).unwrap_err().message.contains("select at least one"));
    }
}
