//! One line for an error of the database: which server, and why. It contains no password and no SQL.

use std::{borrow::Cow, time::Duration};

use sea_orm_migration::sea_orm::{
    DbErr, RuntimeErr,
    sqlx::{self, Connection as _, PgConnection, postgres::PgConnectOptions},
};
use tokio::time::timeout;

/// The time limit of one attempt to connect.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns whether `text` is a URL that the driver accepts.
pub fn is_url(text: &str) -> bool {
    text.parse::<PgConnectOptions>().is_ok()
}

/// Returns the server of a database URL without its credentials: the host and the port, or the directory of the socket.
fn address(url: &str) -> String {
    let Ok(options) = url.parse::<PgConnectOptions>() else {
        return "the configured address".to_owned();
    };
    match (options.get_socket(), options.get_host()) {
        (Some(socket), _) => socket.display().to_string(),
        // The default host is a directory if this machine has a server.
        (None, host) if host.starts_with('/') => host.to_owned(),
        (None, host) => format!("{host}:{}", options.get_port()),
    }
}

/// Describes an error of the database of `url` in one line.
pub fn describe(url: &str, error: &DbErr) -> String {
    let address = address(url);
    match error {
        DbErr::Custom(message) => message.clone(),
        DbErr::Conn(_) | DbErr::ConnectionAcquire(_) => {
            format!("the database is unavailable: {address}: {}", reason(error))
        }
        _ => format!("{address}: {}", reason(error)),
    }
}

/// Returns the reason of the database or of the operating system, without the text of the library around it.
fn reason(error: &DbErr) -> String {
    let text: Cow<'_, str> = match error {
        DbErr::Conn(RuntimeErr::SqlxError(cause))
        | DbErr::Exec(RuntimeErr::SqlxError(cause))
        | DbErr::Query(RuntimeErr::SqlxError(cause)) => match cause.as_ref() {
            sqlx::Error::Database(error) => error.message().to_owned().into(),
            sqlx::Error::PoolTimedOut => NO_ANSWER.into(),
            // The text of a wrong URL may contain its password.
            sqlx::Error::Configuration(_) => "the URL is not valid".into(),
            sqlx::Error::Io(error) => error.to_string().into(),
            error => error.to_string().into(),
        },
        DbErr::Conn(_) => "the URL is not valid".into(),
        DbErr::ConnectionAcquire(_) => NO_ANSWER.into(),
        error => error.to_string().into(),
    };
    text.lines().next().unwrap_or_default().to_owned()
}

const NO_ANSWER: &str = "no answer within 5 seconds";

/// Returns whether a pool has attempted to connect until its time was over.
pub(crate) fn is_timeout(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) => true,
        DbErr::Conn(RuntimeErr::SqlxError(cause)) => {
            matches!(cause.as_ref(), sqlx::Error::PoolTimedOut)
        }
        _ => false,
    }
}

/// Connects once without a pool, and returns the error of this attempt.
pub(crate) async fn cause(url: &str) -> Option<DbErr> {
    let options = url.parse::<PgConnectOptions>().ok()?;
    let connected = timeout(ATTEMPT_TIMEOUT, PgConnection::connect_with(&options)).await.ok()?;
    let error = match connected {
        Ok(connection) => {
            // The server has become available meanwhile, so the error of the pool remains.
            let _ = connection.close().await;
            return None;
        }
        Err(error) => error,
    };
    Some(DbErr::Conn(RuntimeErr::SqlxError(error.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_has_no_credentials() {
        for (url, expected) in [
            ("postgres://ada:secret@db.example/govern", "db.example:5432"),
            ("postgresql://ada:secret@db.example:6432/govern?sslmode=require", "db.example:6432"),
            ("postgres://ada:secret@%2Frun%2Fpg:5432/govern", "/run/pg"),
            ("mysql//ada:secret", "the configured address"),
        ] {
            let found = address(url);
            assert!(!found.contains("secret"), "{found}");
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn error_of_a_wrong_url_does_not_contain_it() {
        let error = DbErr::Conn(RuntimeErr::Internal(
            "The connection string 'mysql://ada:secret@db.example' has no supporting driver."
                .to_owned(),
        ));
        let line = describe("mysql://ada:secret@db.example", &error);
        assert!(!line.contains("secret") && !line.contains('\n'), "{line}");
        let error = DbErr::Conn(RuntimeErr::SqlxError(sqlx::Error::PoolTimedOut.into()));
        assert_eq!(
            describe("postgres://ada:secret@db.example/govern", &error),
            "the database is unavailable: db.example:5432: no answer within 5 seconds"
        );
    }
}
