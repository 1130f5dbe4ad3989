//! The parts of an entity that all tables share.

/// Completes the entity of the preceding `Model`, and implements the named traits of
/// [`tenant`](crate::tenant) for its columns `TenantId`, `Id` and `Sequence`.
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
    ($($name:ident),*) => {
        /// There are no relations; queries with joins name their columns.
        #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
        pub enum Relation {}

        impl ActiveModelBehavior for ActiveModel {}

        $(table!(@$name);)*
    };
}
