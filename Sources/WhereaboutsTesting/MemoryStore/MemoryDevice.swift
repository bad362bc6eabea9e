import Whereabouts

/// What a memory store has of one device.
struct MemoryDevice {
  private(set) var fixes: [SeenFix] = []
  /// How many of ``fixes`` the snapshot includes.
  private var included = 0
  private var snapshot: EngineSnapshot?
  private var fences: [FenceID: FenceChange.Entry] = [:]
  private var lastSerial: UInt64 = 0
  private var edits: [FenceEdit] = []
  private var lastEdit: UInt64 = 0
  private var passed: UTCTime?
  /// By ascending number.
  private var notes: [NumberedNote] = []
  private var lastEvent: UInt64 = 0
  private var tripsByID: [TripID: Trip] = [:]
  private var gapsByEnd: [TripID: [UTCTime: TripGap]] = [:]
  private var spellsByNumber: [UInt64: ReceiverSpell] = [:]
  var cursors: [String: UInt64] = [:]

  mutating func take(_ commit: StoreCommit) {
    fixes.append(contentsOf: commit.fixes)
    if let new = commit.snapshot {
      snapshot = new
      included = fixes.count
    }
    change(commit.fences)
    for note in commit.notes { put(note) }
    if let time = commit.passed { passed = time }
    for trip in commit.trips { tripsByID[trip.id] = trip }
    for gap in commit.gaps { gapsByEnd[gap.trip, default: [:]][gap.end] = gap }
    for spell in commit.spells { spellsByNumber[spell.number] = spell }
    if let number = commit.editsTaken { edits.removeAll { $0.number <= number } }
  }

  private mutating func change(_ change: FenceChange) {
    if change.removesAll { fences = [:] }
    for id in change.removed { fences[id] = nil }
    for entry in change.set { fences[entry.fence.id] = entry }
    if let serial = change.lastSerial { lastSerial = serial }
  }

  /// The first number that is another note's already.
  func takenNumber(among new: [NumberedNote]) -> UInt64? {
    new.first { note in
      let place = index(after: note.number)
      return place > 0 && notes[place - 1].number == note.number && notes[place - 1] != note
    }?.number
  }

  private mutating func put(_ note: NumberedNote) {
    if case .event(let event) = note.note { lastEvent = max(lastEvent, event.id.number) }
    let place = index(after: note.number)
    if place > 0, notes[place - 1].number == note.number {
      notes[place - 1] = note
    } else {
      notes.insert(note, at: place)
    }
  }

  /// The place of the first note with a greater number. The newest are asked for most.
  private func index(after number: UInt64) -> Int {
    var place = notes.count
    while place > 0, notes[place - 1].number > number { place -= 1 }
    return place
  }

  mutating func edit(_ change: FenceEdit.Change) -> UInt64 {
    lastEdit += 1
    edits.append(FenceEdit(number: lastEdit, change: change))
    return lastEdit
  }

  var record: DeviceRecord {
    var record = DeviceRecord()
    record.snapshot = snapshot
    record.fences = fences.values.sorted { $0.serial < $1.serial }
    record.lastSerial = lastSerial
    record.edits = edits
    record.since = Array(fixes[included...])
    record.lastFix = fixes.last { $0.use == .used }
    record.passed = passed
    record.notes = Array(notes.suffix(Fences.remembered))
    record.lastEvent = lastEvent
    record.lastNote = notes.last?.number ?? 0
    record.lastSpell = spells.last
    record.openTrips = trips.filter { $0.ended == nil }
    return record
  }

  func notes(after number: UInt64, limit: Int) -> [NumberedNote] {
    Array(notes[index(after: number)...].prefix(max(0, limit)))
  }

  var spells: [ReceiverSpell] { spellsByNumber.values.sorted { $0.number < $1.number } }

  var trips: [Trip] { tripsByID.values.sorted { $0.id < $1.id } }

  func gaps(of trip: TripID) -> [TripGap] { gapsByEnd[trip, default: [:]].values.sorted { $0.end < $1.end } }
}
