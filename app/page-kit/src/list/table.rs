//! Tables whose columns are declared with their cells.

use kit::any_view;
use leptos::prelude::*;

use crate::{text::time, ui::empty::empty_state};

/// A table: its caption for screen readers, and its columns.
pub struct Table<'a, T> {
    class: &'static str,
    caption: &'static str,
    columns: Vec<Column<'a, T>>,
    /// The index of the column whose cells name their rows.
    name: usize,
    row: Box<dyn Fn(&T) -> Row + Send + Sync + 'a>,
}

/// A column: its head, and what a cell shows of an item.
struct Column<'a, T> {
    head: &'static str,
    class: Option<&'static str>,
    cell: Box<dyn Fn(&T) -> AnyView + Send + Sync + 'a>,
}

/// Attributes of a row.
#[derive(Default)]
pub struct Row {
    /// The ID of the element. Links and shortcuts select such a row.
    pub id: Option<String>,
    /// The milliseconds after which a row that is not final is read again.
    pub refresh: Option<u64>,
}

impl<'a, T> Table<'a, T> {
    pub fn new(caption: &'static str) -> Self {
        let row = Box::new(|_: &T| Row::default());
        Self { class: "list", caption, columns: Vec::new(), name: 0, row }
    }

    /// Sets the classes of the table, instead of `list`.
    pub fn class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }

    /// Adds the column that selects rows, before the column that names them.
    pub fn select<V: IntoView + 'static>(
        self,
        head: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'a,
    ) -> Self {
        let table = self.styled(head, None, cell);
        Self { name: table.columns.len(), ..table }
    }

    /// Adds a column. The cells of the first column name their rows. A head that ends with "(UTC)" names the zone of
    /// the user instead.
    pub fn column<V: IntoView + 'static>(
        self,
        head: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'a,
    ) -> Self {
        self.styled(head, None, cell)
    }

    /// Adds a column of numbers.
    pub fn numbers<V: IntoView + 'static>(
        self,
        head: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'a,
    ) -> Self {
        self.styled(head, Some("tabular-nums"), cell)
    }

    /// Adds a column of secondary information.
    pub fn muted<V: IntoView + 'static>(
        self,
        head: &'static str,
        cell: impl Fn(&T) -> V + Send + Sync + 'a,
    ) -> Self {
        self.styled(head, Some("text-muted"), cell)
    }

    /// Adds a column whose cells have these classes.
    pub fn styled<V: IntoView + 'static>(
        mut self,
        head: &'static str,
        class: impl Into<Option<&'static str>>,
        cell: impl Fn(&T) -> V + Send + Sync + 'a,
    ) -> Self {
        let cell = Box::new(move |item: &T| cell(item).into_any());
        self.columns.push(Column { head, class: class.into(), cell });
        self
    }

    /// Sets the attributes of each row.
    pub fn rows(self, row: impl Fn(&T) -> Row + Send + Sync + 'a) -> Self {
        Self { row: Box::new(row), ..self }
    }

    /// Renders the table with these items.
    pub fn of(&self, items: &[T]) -> AnyView {
        self.grouped(vec![(None, items)])
    }

    /// Renders the table, or without items the empty state with a title and the next step.
    pub fn or_empty(&self, items: &[T], [title, text]: [&'static str; 2]) -> AnyView {
        if items.is_empty() {
            return empty_state(title, text);
        }
        self.of(items)
    }

    /// Renders the table with groups of items; a group can have a heading.
    pub fn grouped(&self, groups: Vec<(Option<AnyView>, &[T])>) -> AnyView {
        let columns = &self.columns;
        let head =
            columns.iter().map(|column| view! { <th scope="col">{time::head(column.head)}</th> });
        let group = |(heading, items): (Option<AnyView>, &[T])| {
            let heading = heading.map(|heading| {
                view! {
                    <tr class="group">
                        <th colspan=columns.len() scope="rowgroup">
                            {heading}
                        </th>
                    </tr>
                }
            });
            let rows: Vec<_> = items.iter().map(|item| self.row(item)).collect();
            view! { <tbody>{heading} {rows}</tbody> }
        };
        any_view! {
            <table class=self.class>
                <caption class="sr-only">{self.caption}</caption>
                <thead>
                    <tr>{head.collect_view()}</tr>
                </thead>
                {groups.into_iter().map(group).collect_view()}
            </table>
        }
    }

    fn row(&self, item: &T) -> AnyView {
        let cells = self.columns.iter().enumerate();
        let cells: Vec<_> =
            cells.map(|(index, column)| column.cell(item, index == self.name)).collect();
        let Row { id, refresh } = (self.row)(item);
        let has_id = id.is_some();
        any_view! {
            <tr
                id=id
                data-row=has_id.then_some("")
                data-refresh=refresh
                tabindex=has_id.then_some("-1")
            >
                {cells}
            </tr>
        }
    }
}

impl<T> Column<'_, T> {
    fn cell(&self, item: &T, is_name: bool) -> AnyView {
        let (label, class, content) = (time::head(self.head), self.class, (self.cell)(item));
        if is_name {
            any_view! {
                <th scope="row" data-label=label class=class>
                    {content}
                </th>
            }
        } else {
            any_view! {
                <td data-label=label class=class>
                    {content}
                </td>
            }
        }
    }
}
