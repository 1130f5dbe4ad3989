//! Rows, and the tables that they are read from.

use sea_orm::{DatabaseConnection, DbErr, EntityTrait};

/// Reads every row of a table and tells how many there are.
#[expect(clippy::disallowed_methods, reason = "a superuser reads the rows of every tenant")]
async fn read<E: EntityTrait>(db: &DatabaseConnection) -> Result<usize, DbErr> {
    E::find().all(db).await.map(|rows| rows.len())
}

#[tokio::test]
async fn every_table_can_be_read_into_its_rows() {
    let db = testkit::database::two_tenants().await;
    let db = testkit::database::connect(&db.superuser_url).await;
    macro_rules! two_rows_in {
        ($($table:ident),+) => {$(
            assert_eq!(read::<entity::$table::Entity>(&db).await, Ok(2), stringify!($table));
        )+};
    }
    two_rows_in!(
        api_key,
        audit_event,
        audit_personal,
        capability_grant,
        decision,
        decision_rule,
        key_digest,
        member,
        operator_key,
        outcome,
        policy,
        policy_approval,
        policy_snapshot,
        policy_version,
        public_id,
        review_record,
        review_submission,
        session_digest,
        settings,
        snapshot_policy,
        tenant,
        tenant_head,
        user
    );
}
