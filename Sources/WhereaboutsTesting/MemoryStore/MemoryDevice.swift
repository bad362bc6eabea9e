import WhereaboutsEngine
import Whereabouts

/// The stored data of one device.
struct MemoryDevice {
  private(set) var fixes: [LoggedFix] = []
  /// The number of ``fixes`` that the snapshot includes.
  private var includedFixCount = 0
  private var snapshot: EngineSnapshot?
  private var fences: [FenceID: StoreCommit.FenceChange.Entry] = [:]
  private var lastSerial: UInt64 = 0
  private var edits: [DeviceRecord.FenceEdit] = []
  private var lastEdit: UInt64 = 0
  private var checkedUntil: UTCTime?
  /// By ascending number.
  private var fenceRecords: [NumberedFenceRecord] = []
  private var lastEvent: UInt64 = 0
  private var tripsByID: [TripID: Trip] = [:]
  private var gapsByEnd: [TripID: [UTCTime: Trip.Gap]] = [:]
  private var usagesByNumber: [UInt64: ReceiverUsage] = [:]
  var cursors: [String: UInt64] = [:]

  mutating func apply(_ commit: StoreCommit) {
    fixes.append(contentsOf: commit.fixes)
    if let new = commit.snapshot {
      snapshot = new
      includedFixCount = fixes.count
    }
    apply(commit.fences)
    for numbered in commit.fenceRecords { insert(numbered) }
    if let time = commit.processedUntil { checkedUntil = time }
    for trip in commit.trips { tripsByID[trip.id] = trip }
    for gap in commit.gaps { gapsByEnd[gap.trip, default: [:]][gap.end] = gap }
    for usage in commit.receiverUsages { usagesByNumber[usage.number] = usage }
    if let number = commit.lastAppliedEdit { edits.removeAll { $0.number <= number } }
  }

  private mutating func apply(_ change: StoreCommit.FenceChange) {
    if change.removesAll { fences = [:] }
    for id in change.removed { fences[id] = nil }
    for entry in change.set { fences[entry.fence.id] = entry }
    if let serial = change.lastSerial { lastSerial = serial }
  }

  /// Returns the first number that another record has already.
  func conflictingNumber(among new: [NumberedFenceRecord]) -> UInt64? {
    new.first { numbered in
      let place = index(after: numbered.number)
      return place > 0 && fenceRecords[place - 1].number == numbered.number
        && fenceRecords[place - 1] != numbered
    }?.number
  }

  private mutating func insert(_ numbered: NumberedFenceRecord) {
    if case .event(let event) = numbered.record { lastEvent = max(lastEvent, event.id.number) }
    let place = index(after: numbered.number)
    if place > 0, fenceRecords[place - 1].number == numbered.number {
      fenceRecords[place - 1] = numbered
    } else {
      fenceRecords.insert(numbered, at: place)
    }
  }

  /// Returns the index of the first record with a greater number. The newest records are requested most often.
  private func index(after number: UInt64) -> Int {
    var place = fenceRecords.count
    while place > 0, fenceRecords[place - 1].number > number { place -= 1 }
    return place
  }

  mutating func edit(_ change: DeviceRecord.FenceEdit.Change) -> UInt64 {
    lastEdit += 1
    edits.append(DeviceRecord.FenceEdit(number: lastEdit, change: change))
    return lastEdit
  }

  var record: DeviceRecord {
    var record = DeviceRecord()
    record.snapshot = snapshot
    record.fences = fences.values.sorted { $0.serial < $1.serial }
    record.lastSerial = lastSerial
    record.edits = edits
    record.fixesSinceSnapshot = Array(fixes[includedFixCount...])
    record.lastFix = fixes.last { $0.use == .used }
    record.processedUntil = checkedUntil
    record.fenceRecords = Array(fenceRecords.suffix(Fences.rememberedRecords))
    record.lastEventNumber = lastEvent
    record.lastRecordNumber = fenceRecords.last?.number ?? 0
    record.lastReceiverUsage = receiverUsages.last
    record.openTrips = trips.filter { $0.ended == nil }
    record.endedTrips = trips.filter { $0.ended != nil }.map(\.id)
    return record
  }

  func fenceRecords(after number: UInt64, limit: Int) -> [NumberedFenceRecord] {
    Array(fenceRecords[index(after: number)...].prefix(max(0, limit)))
  }

  var receiverUsages: [ReceiverUsage] { usagesByNumber.values.sorted { $0.number < $1.number } }

  var trips: [Trip] { tripsByID.values.sorted { $0.id < $1.id } }

  func gaps(of trip: TripID) -> [Trip.Gap] { gapsByEnd[trip, default: [:]].values.sorted { $0.end < $1.end } }
}
