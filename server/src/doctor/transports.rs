//! Checks of the mail server and of Redis.

use std::time::Duration;

use redis::{AsyncConnectionConfig, cmd};

use super::Finding;
use crate::{
    config::{Environment, ServeConfig, StoreConfig, redis::RedisAddress},
    mail::Smtp,
};

const MAIL: &str = "mail";
const REDIS: &str = "redis";

/// The time limit of a check of Redis.
const REDIS_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects to the mail server. Sends a message only if `test_mail` names its recipient.
pub(super) async fn mail(
    store: &StoreConfig,
    serve: &ServeConfig,
    test_mail: Option<&str>,
) -> Option<Finding> {
    let config = &serve.mail;
    let Some(url) = &config.smtp_url else {
        return Some(if store.environment == Environment::Production {
            let action = "set GOVERN_SMTP_URL and GOVERN_MAIL_FROM";
            Finding::warning(
                MAIL,
                "no mail is sent, so invitations and password resets do not work",
                action,
            )
        } else {
            Finding::ok(MAIL, "mail is written to the data directory")
        });
    };
    // The settings are checked by `settings`.
    let from = config.mail_from.clone()?;
    let checked = async {
        let smtp = Smtp::new(url, from, config.smtp_ca_file.as_deref())?;
        match test_mail {
            Some(address) => smtp.send_test(address).await,
            None => smtp.check().await,
        }
    };
    Some(match (checked.await, test_mail) {
        (Ok(()), None) => Finding::ok(MAIL, format!("{} accepts connections", url.host)),
        (Ok(()), Some(address)) => {
            Finding::ok(MAIL, format!("{} accepted a message to {address}", url.host))
        }
        (Err(error), _) => {
            let action = "check GOVERN_SMTP_URL, its credentials and the certificate";
            Finding::failed(MAIL, format!("{}: {error:#}", url.host), action)
        }
    })
}

/// Sends PING to Redis, if it is configured.
pub(super) async fn redis(serve: &ServeConfig) -> Option<Finding> {
    let address = serve.edge.redis.as_ref()?;
    Some(match ping(address).await {
        Ok(()) => Finding::ok(REDIS, "Redis responds"),
        Err(reason) => Finding::failed(
            REDIS,
            format!("Redis does not respond: {reason}"),
            "start it, or check GOVERN_REDIS_URL; until then each server counts requests for itself",
        ),
    })
}

async fn ping(address: &RedisAddress) -> Result<(), String> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(REDIS_TIMEOUT))
        .set_response_timeout(Some(REDIS_TIMEOUT));
    let client = address.client();
    let ping = async {
        let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        cmd("PING").query_async::<String>(&mut connection).await
    };
    let pong = tokio::time::timeout(REDIS_TIMEOUT, ping).await;
    // The text of an error may contain the address with its password.
    match pong.map_err(|_| "no answer in time".to_owned())? {
        Ok(_) => Ok(()),
        Err(error) => Err(error.category().to_string()),
    }
}
