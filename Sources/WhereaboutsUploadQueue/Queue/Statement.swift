import WhereaboutsStore

/// The store's prepared statement, which hides GRDB's class of the same name.
typealias Statement = WhereaboutsStore.Statement
