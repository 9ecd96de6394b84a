/// Connections that may only read.
extension PostgresConnection {
    /// Connects, and gives up everything but reading the ledger: no transaction may write, and the role is
    /// `castledger_reader`, where the user of the address may take it.
    public static func reading(
        _ address: String, patience: PostgresPatience = PostgresPatience()
    ) throws(StoreError) -> PostgresConnection {
        let made = try PostgresConnection(address, patience: patience)
        try made.executeScript(
            "SET default_transaction_read_only = on; SET jit = off", doing: "setting up the connection")
        // A user of somebody else's server may have no more than that role's rights already.
        _ = try? made.execute("SET ROLE castledger_reader", doing: "setting up the connection")
        return made
    }
}
