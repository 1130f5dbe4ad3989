//! A managed PostgreSQL, whose administrator is no superuser: the SQL of `docs/DATABASE.md`.

use std::{fs, path::Path};

use governance::base::database;
use local_postgres::{Config, OwnerKind};
use sea_orm::ConnectionTrait;
use testkit::database::connect;

use crate::keys::DataDir;

/// Returns the SQL of `text` between its first statement and `end`, without indentation.
fn roles_sql(text: &str, end: &str) -> Vec<String> {
    let start = text.find("CREATE ROLE govern_owner").expect("the SQL of the roles");
    let sql = text[start..].split(end).next().expect("the end of the SQL");
    sql.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).expect("a file of the project")
}

#[tokio::test(flavor = "multi_thread")]
async fn service_runs_without_a_superuser() {
    let statements = roles_sql(&read("docs/DATABASE.md"), "```");
    assert_eq!(statements, roles_sql(&read("packaging/image/compose.yaml"), "SQL\n"));

    let data = DataDir::new("managed-database");
    let config = Config { url: None, data_dir: data.directory(), pg_bin: None };
    let server = local_postgres::open(&config, OwnerKind::Service).await.expect("a server");
    let url = |user: &str, database: &str| {
        let (_, address) = server.superuser_url.rsplit_once('@').expect("a URL with a user");
        let (host, _) = address.rsplit_once('/').expect("a URL with a database");
        format!("postgres://{user}:secret@{host}/{database}")
    };
    let superuser_url = server.superuser_url.replace("/govern", "/postgres");
    let superuser = connect(&superuser_url).await;
    for statement in [
        "drop database govern",
        "drop role govern_owner",
        "drop role govern_app",
        "drop role govern_verify",
        "create role managed login createrole createdb password 'secret'",
    ] {
        superuser.execute_unprepared(statement).await.expect(statement);
    }
    let administrator = connect(&url("managed", "postgres")).await;
    for statement in &statements {
        let with_passwords = statement
            .replace(":'owner_password'", "'secret'")
            .replace(":'app_password'", "'secret'");
        administrator.execute_unprepared(&with_passwords).await.expect(statement);
    }

    migration::run(&url("govern_owner", "govern")).await.expect("the owner migrates");
    let app = url("govern_app", "govern");
    let state = migration::run(&app).await.expect("the service starts");
    assert!(state.pending.is_empty());
    let service = database::connect(&app, 4).await.expect("the role has its limits");
    service.close().await.expect("the connections close");

    // A restore gives the objects of the dump to the owner of the schema, also in a database of the administrator.
    let database = "create database restored template template0";
    administrator.execute_unprepared(database).await.expect("a database");
    let restored = url("managed", "restored");
    migration::prepare_roles(&restored).await.expect("the roles");
    let restored = connect(&restored).await;
    let create = "set role govern_owner; create table objects ()";
    restored.execute_unprepared(create).await.expect("the owner may create objects");
    for connection in [restored, administrator, superuser] {
        connection.close().await.expect("the connection closes");
    }
    server.close().await.expect("the server stops");
}
