//! Entities against the database schema.

use std::collections::BTreeMap;

use sea_orm::{ColumnTrait as _, DatabaseConnection, DbErr, EntityTrait, Iden as _, Iterable as _};

/// Reads all rows of a table and returns their number.
#[expect(clippy::disallowed_methods, reason = "a superuser reads the rows of every tenant")]
async fn read<E: EntityTrait>(db: &DatabaseConnection) -> Result<usize, DbErr> {
    E::find().all(db).await.map(|rows| rows.len())
}

/// Returns the table name and the columns of an entity, each with its nullability.
fn columns<E: EntityTrait>() -> (String, Vec<String>) {
    let mut columns: Vec<String> = E::Column::iter()
        .map(|column| {
            let nullable = if column.def().is_null() { " null" } else { "" };
            format!("{}{nullable}", column.to_string())
        })
        .collect();
    columns.sort();
    (E::default().table_name().to_owned(), columns)
}

macro_rules! every_entity {
    ($do:ident) => {
        $do!(
            account_link,
            alert,
            api_key,
            audit_checkpoint,
            audit_event,
            audit_personal,
            capability_grant,
            chain,
            chain_link,
            chain_seal,
            codification,
            comment_mention,
            decision,
            decision_hour,
            decision_rule,
            form,
            form_submission,
            form_token,
            identity,
            identity_provider,
            key_digest,
            latency_hour,
            log_checkpoint,
            log_entry,
            log_node,
            log_pending,
            log_rekor,
            log_tree,
            login_code,
            logout_token,
            mail_count,
            mail_outbox,
            member,
            operator_key,
            outbox,
            outcome,
            passkey,
            policy,
            policy_approval,
            policy_group,
            policy_hour,
            policy_snapshot,
            policy_version,
            public_id,
            recovery_code,
            removed_member,
            review_draft,
            review_record,
            review_submission,
            rollup_cursor,
            rule_hour,
            saved_filter,
            search_text,
            session_digest,
            settings,
            sign_in_network,
            snapshot_policy,
            tenant,
            tenant_head,
            totp_secret,
            trust_registry,
            used_challenge,
            user,
            version_comment,
            webhook_attempt,
            webhook_delivery,
            webhook_subscription,
        )
    };
}

const COLUMNS: &str = "select table_name || ' ' || column_name || \
     case when is_nullable = 'YES' then ' null' else '' end from information_schema.columns \
     where table_schema = 'public' and table_name <> 'seaql_migrations'";

#[tokio::test]
async fn every_table_has_an_entity_with_exactly_its_columns() {
    let db = testkit::database::test_database().await;
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in testkit::database::texts(&db.owner, COLUMNS).await {
        let (table, column) = line.split_once(' ').expect("a table and a column");
        tables.entry(table.to_owned()).or_default().push(column.to_owned());
    }
    for columns in tables.values_mut() {
        columns.sort();
    }
    macro_rules! entities {
        ($($entity:ident),+ $(,)?) => {
            BTreeMap::from([$(columns::<entity::$entity::Entity>()),+])
        };
    }
    let entities = every_entity!(entities);
    let names = |map: &BTreeMap<String, Vec<String>>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&tables), names(&entities));
    for (table, columns) in &tables {
        assert_eq!(Some(columns), entities.get(table), "{table}");
    }
}

#[tokio::test]
async fn the_database_folds_texts_like_the_service() {
    let db = testkit::database::test_database().await;
    // No character after these has a mapping.
    let folded = testkit::database::texts(
        &db.owner,
        "select fold_text('é' || chr(n)) from generate_series(1, 131071) n \
             where n not between 55296 and 57343 order by n",
    )
    .await;
    let characters = (1..0x2_0000).filter_map(char::from_u32);
    for (folded, character) in folded.iter().zip(characters) {
        let expected = contract::fold::fold_text(&format!("é{character}"));
        assert_eq!(*folded, expected, "U+{:04X}", u32::from(character));
    }
    assert_eq!(folded.len(), 0x1_FFFF - 0x800);
}

#[tokio::test]
async fn every_table_can_be_read_into_its_rows() {
    let db = testkit::database::two_tenants().await;
    let db = testkit::database::connect(&db.superuser_url).await;
    macro_rules! readable {
        ($($entity:ident),+ $(,)?) => {$(
            let rows = read::<entity::$entity::Entity>(&db).await;
            assert!(rows.is_ok(), "{}: {rows:?}", stringify!($entity));
        )+};
    }
    every_entity!(readable);
    assert_eq!(read::<entity::decision::Entity>(&db).await, Ok(2), "there are rows to read");
}
