//! The table of a chart as a CSV file. The link contains the file itself, so that it matches the page exactly
//! and needs no other endpoint.

use contract::text::spreadsheet_cell;
use percent_encoding::{AsciiSet, utf8_percent_encode};

use super::Cell;
use crate::text::url::RESERVED;

const ENCODED: &AsciiSet = &RESERVED.remove(b',');

/// Returns the data URL of the file: RFC 4180, in UTF-8.
pub(super) fn address(head: &[String], rows: &[Vec<Cell>]) -> String {
    let mut file = String::from("data:text/csv;charset=utf-8,");
    push_row(&mut file, head.iter().map(String::as_str));
    for row in rows {
        push_row(&mut file, row.iter().map(Cell::plain));
    }
    file
}

/// Returns the name of the file: "top-violated-rules.csv".
pub(super) fn name(title: &str) -> String {
    format!("{}.csv", title.to_lowercase().replace(' ', "-"))
}

fn push_row<'a>(file: &mut String, cells: impl Iterator<Item = &'a str>) {
    for (index, cell) in cells.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        file.push_str(comma);
        file.extend(utf8_percent_encode(&quoted(cell), ENCODED));
    }
    file.push_str("%0D%0A");
}

/// Returns the cell in CSV form. A spreadsheet reads it as text, never as a formula.
fn quoted(cell: &str) -> String {
    let cell = spreadsheet_cell(cell);
    if cell.contains(['"', ',', '\r', '\n']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_contains_unformatted_values() {
        let rows = [vec![Cell::from("LIMIT \"A\", B".to_owned()), Cell::from(1_234)]];
        let file = address(&["Rule".to_owned(), "Violated".to_owned()], &rows);
        let expected = "data:text/csv;charset=utf-8,Rule,Violated%0D%0A%22LIMIT%20%22%22A%22%22,%20B%22,1234%0D%0A";
        assert_eq!(file, expected);
        assert_eq!(name("Top violated rules"), "top-violated-rules.csv");
    }

    #[test]
    fn formula_cell_is_prefixed_as_text() {
        assert_eq!(quoted("＝1+1"), "'＝1+1");
        assert_eq!(quoted("\n=A"), "\"'\n=A\"");
        assert_eq!(quoted("=A,B"), "\"'=A,B\"");
        assert_eq!(quoted("1-1"), "1-1");
    }
}
