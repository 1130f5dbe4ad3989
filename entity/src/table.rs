//! The parts of an entity that all tables share.

/// Declares the entity of a table: its name, the columns of its key, the traits of [`tenant`](crate::tenant) that it
/// implements with its columns `TenantId`, `Id` and `Sequence`, and the other columns. A `Model` whose key is not its first
/// columns, or not an ID, is written before `table!(traits)`.
macro_rules! table {
    (@TenantOwned) => {
        impl crate::tenant::TenantOwned for Entity {
            const TENANT_ID: Column = Column::TenantId;
        }
    };
    (@HasId) => {
        impl crate::tenant::HasId for Entity {
            const ID: Column = Column::Id;
        }
    };
    (@HasSequence) => {
        impl crate::tenant::HasSequence for Entity {
            const SEQUENCE: Column = Column::Sequence;

            fn sequence(row: &Model) -> i64 {
                row.sequence
            }
        }
    };
    (
        $(#[$meta:meta])*
        $table:literal [$($(#[$key_meta:meta])* $key:ident: $type:ident),+ $(,)?] $($name:ident),* { $($columns:tt)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
        #[sea_orm(table_name = $table)]
        pub struct Model {
            $($(#[$key_meta])* #[sea_orm(primary_key, auto_increment = false)] pub $key: $type,)+
            $($columns)*
        }

        table!($($name),*);
    };
    ($($name:ident),*) => {
        /// There are no relations; queries with joins name their columns.
        #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
        pub enum Relation {}

        impl ActiveModelBehavior for ActiveModel {}

        $(table!(@$name);)*
    };
}
