//! The URL of the database.

use url::{Host, Url};

/// The form of a URL, for errors. They do not repeat the URL, because it may contain a password.
const FORM: &str = "must be like `postgres://USER:PASSWORD@HOST:5432/DATABASE`, with characters such as `@`, `/`, `#` and \
     `%` in the password percent-encoded";

/// The parameters that the driver has. It ignores others, so a misspelt `sslmode` would turn off TLS, and it logs their
/// values: <https://docs.rs/sqlx/latest/sqlx/postgres/struct.PgConnectOptions.html>.
const PARAMETERS: [&str; 18] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

const SSL_MODES: [&str; 6] = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/// Accepts the URL of a `PostgreSQL` database, and returns it as the driver reads it.
pub(super) fn parse(text: &str) -> Result<String, String> {
    let has_scheme = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    if !has_scheme {
        return Err(FORM.to_owned());
    }
    if has_several_hosts(text) {
        return Err(
            "must name one host; use a proxy, or an address that follows the primary".to_owned()
        );
    }
    let mut url: Url = text.parse().map_err(|_| FORM.to_owned())?;
    check_parameters(&url)?;
    if !migration::is_url(text) {
        return Err(FORM.to_owned());
    }
    let has_parameter = |name: &str| url.query_pairs().any(|(parameter, _)| parameter == name);
    // The driver looks up an address in brackets as a name.
    if let Some(Host::Ipv6(address)) = url.host()
        && !has_parameter("host")
        && !has_parameter("hostaddr")
    {
        url.query_pairs_mut().append_pair("host", &address.to_string());
        return Ok(url.to_string());
    }
    Ok(text.to_owned())
}

fn has_several_hosts(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let hosts = rest.rsplit('@').next().unwrap_or_default();
    hosts.split(['/', '?', '#']).next().is_some_and(|hosts| hosts.contains(','))
}

fn check_parameters(url: &Url) -> Result<(), String> {
    // The query may begin in the password.
    if url.query().is_some_and(|query| query.contains('@')) {
        return Err(FORM.to_owned());
    }
    for (name, value) in url.query_pairs() {
        let is_option = name.starts_with("options[") && name.ends_with(']');
        if !is_option && !PARAMETERS.contains(&&*name) {
            return Err(format!("the parameter `{name}` is unknown to the driver; remove it"));
        }
        if matches!(&*name, "sslmode" | "ssl-mode") && !SSL_MODES.contains(&&*value) {
            return Err(format!("`{name}` must be one of {}", SSL_MODES.join(", ")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_the_driver_would_read_in_another_way_is_refused() {
        let unknown = |name| format!("the parameter `{name}` is unknown to the driver; remove it");
        for (text, expected) in [
            ("postgres://ada:s3cret@h/db?sslmod=require", unknown("sslmod")),
            ("postgres://ada@h/db?pasword=s3cret", unknown("pasword")),
            ("postgres://h/db?channel_binding=require", unknown("channel_binding")),
            (
                "postgres://h/db?sslmode=on",
                "`sslmode` must be one of disable, allow, prefer, require, verify-ca, verify-full"
                    .to_owned(),
            ),
            ("postgres://ada:1?s3cret@h/db", FORM.to_owned()),
            ("postgres://ada:s3cr/et@h/db", FORM.to_owned()),
            ("host=h user=ada password=s3cret", FORM.to_owned()),
            ("postgres://ada:s3cret@h/db?port=x", FORM.to_owned()),
        ] {
            assert_eq!(parse(text), Err(expected), "{text}");
        }
        for text in ["postgres://ada:s3,cret@a:1,b:2/db", "postgres://a,b/db?sslmode=require"] {
            let error = parse(text).expect_err("several hosts");
            assert!(error.starts_with("must name one host"), "{text}: {error}");
        }
    }

    #[test]
    fn urls_of_all_kinds_of_hosts_are_accepted() {
        for text in [
            "postgres://ada:s3,cret@h:5432/db?sslmode=verify-full&sslrootcert=/ca.pem",
            "postgresql://",
            "postgres://ada@%2Frun%2Fpostgresql/db",
            "postgres:///db?host=/run/postgresql&user=ada&options[search_path]=a",
            "postgres://ada@[::1]:5432/db?host=h",
        ] {
            assert_eq!(parse(text), Ok(text.to_owned()));
        }
        let url = parse("postgres://ada:p%40@[2001:db8::1]:5433/db?sslmode=require").unwrap();
        let expected =
            "postgres://ada:p%40@[2001:db8::1]:5433/db?sslmode=require&host=2001%3Adb8%3A%3A1";
        assert_eq!(url, expected);
    }
}
