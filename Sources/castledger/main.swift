print("castledger")
