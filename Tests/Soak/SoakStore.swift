import Whereabouts

/// A store that forgets what a month would fill memory with, and counts it instead; its disk may be full for a while.
actor SoakStore: LocationStore {
  private(set) var fixes = 0
  private(set) var failed = 0
  /// What was asked of the source by the spells that have ended, and how many of them there were.
  private(set) var spells: (count: Int, duration: Duration) = (0, .zero)
  /// What makes no sense in what was to be kept.
  private(set) var violations: [String] = []
  private var isFull = false
  private var lastSpell: UInt64 = 0
  private var lastNote: UInt64 = 0
  private var notes: [NumberedNote] = []
  private var cursors: [String: UInt64] = [:]

  func setFull(_ isFull: Bool) { self.isFull = isFull }

  func load(_ device: DeviceID) async throws(StoreTrouble) -> DeviceRecord { DeviceRecord() }

  func commit(_ commit: StoreCommit) async throws(StoreTrouble) {
    try work()
    fixes += commit.fixes.count
    for note in commit.notes {
      if note.number > lastNote + 1 { violations.append("note \(note.number) after \(lastNote)") }
      lastNote = max(lastNote, note.number)
      notes.removeAll { $0.number == note.number }
      notes.append(note)
    }
    for spell in commit.spells where !spell.isOpen {
      if spell.number <= lastSpell { violations.append("spell \(spell.number) ended twice") }
      lastSpell = spell.number
      spells.count += 1
      spells.duration += spell.duration
    }
  }

  func notes(of device: DeviceID, after number: UInt64, limit: Int) async throws(StoreTrouble)
    -> [NumberedNote]
  {
    Array(notes.lazy.filter { $0.number > number }.prefix(limit))
  }

  func cursor(of consumer: String, device: DeviceID) async throws(StoreTrouble) -> UInt64 {
    cursors[consumer] ?? 0
  }

  func acknowledge(through number: UInt64, by consumer: String, device: DeviceID) async throws(StoreTrouble) {
    try work()
    cursors[consumer] = max(number, cursors[consumer] ?? 0)
    let read = cursors.values.min() ?? 0
    notes.removeAll { $0.number <= read }
  }

  private func work() throws(StoreTrouble) {
    guard isFull else { return }
    failed += 1
    throw StoreTrouble(.full, message: "write: the disk is full")
  }
}
