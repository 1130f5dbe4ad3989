//! What a table is besides its columns.

/// Makes the model above it a table, which has these traits of [`tenant`](crate::tenant): they name its
/// columns `TenantId`, `Id` and `Sequence`.
macro_rules! table {
    (@TenantOwned) => {
        impl crate::tenant::TenantOwned for Entity {
            const TENANT_ID: Column = Column::TenantId;
        }
    };
    (@Identified) => {
        impl crate::tenant::Identified for Entity {
            const ID: Column = Column::Id;
        }
    };
    (@Sequenced) => {
        impl crate::tenant::Sequenced for Entity {
            const SEQUENCE: Column = Column::Sequence;

            fn sequence(row: &Model) -> i64 {
                row.sequence
            }
        }
    };
    ($($name:ident),*) => {
        /// No relations: a query that joins tables names the columns itself.
        #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
        pub enum Relation {}

        impl ActiveModelBehavior for ActiveModel {}

        $(table!(@$name);)*
    };
}
