//! Statements that contain fragments.

/// Returns a statement with each `{name}` replaced by its fragment. All statements that are assembled use this function, and
/// only with fragments of the source code: values are parameters.
pub(crate) fn assemble(statement: &str, fragments: &[(&str, &str)]) -> String {
    fragments.iter().fold(statement.to_owned(), |statement, (name, fragment)| {
        statement.replace(&format!("{{{name}}}"), fragment)
    })
}
