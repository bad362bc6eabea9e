import WhereaboutsCore

extension CommitWriter {
  func write(_ spells: [ReceiverSpell], _ state: DeviceState) throws {
    for spell in spells {
      SpellRow.bind(spell, device: state.id, to: statements.spell)
      try statements.spell.run()
    }
    if !spells.isEmpty { hook?(.afterSpell) }
  }
}
