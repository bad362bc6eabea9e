import WhereaboutsEngine

extension CommitWriter {
  func write(_ spells: [ReceiverUsage], _ state: DeviceState) throws {
    for spell in spells {
      ReceiverUsageRow.bind(spell, device: state.id, to: statements.receiverUsage)
      try statements.receiverUsage.run()
    }
    if !spells.isEmpty { hook?(.afterSpell) }
  }
}
