import WhereaboutsEngine

extension CommitWriter {
  func write(_ usages: [ReceiverUsage], _ state: DeviceState) throws {
    for usage in usages {
      ReceiverUsageRow.bind(usage, device: state.id, to: statements.receiverUsage)
      try statements.receiverUsage.run()
    }
    if !usages.isEmpty { hook?(.afterReceiverUsage) }
  }
}
