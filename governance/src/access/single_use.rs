//! Challenges that were answered, which are accepted once. They are stored until they expire.

use entity::used_challenge as table;
use sea_orm::sea_query::OnConflict;

use crate::base::prelude::*;

/// Marks a challenge as used, which is valid for `lifetime_ms`. Of concurrent calls, only one returns true.
pub(crate) async fn consume(
    connection: &impl ConnectionTrait,
    challenge: Vec<u8>,
    lifetime_ms: u32,
    now: Timestamp,
) -> Result<bool> {
    delete_untenanted::<table::Entity>()
        .filter(table::Column::ExpiresAt.lt(to_column(now)))
        .exec(connection)
        .await?;
    // The row stays longer than the challenge is valid, also when the clocks of two processes differ.
    let row = table::ActiveModel {
        challenge: Set(challenge),
        expires_at: Set(to_column(now.plus_millis(2 * i64::from(lifetime_ms)))),
    };
    let insert = table::Entity::insert(row).on_conflict(OnConflict::new().do_nothing().to_owned());
    Ok(insert.exec_without_returning(connection).await? > 0)
}
