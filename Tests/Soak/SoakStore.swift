import WhereaboutsEngine
import Whereabouts

/// A store that forgets what a month would fill memory with, and counts it instead; its disk may be full for a while.
actor SoakStore: LocationStore {
  private(set) var fixes = 0
  private(set) var failedCommits = 0
  /// The total demand time of the ended usages, and their number.
  private(set) var usages: (count: Int, duration: Duration) = (0, .zero)
  /// Inconsistencies of the stored values.
  private(set) var violations: [String] = []
  private var isFull = false
  private var lastUsageNumber: UInt64 = 0
  private var lastRecordNumber: UInt64 = 0
  private var records: [NumberedFenceRecord] = []
  private var cursors: [String: UInt64] = [:]

  func setFull(_ isFull: Bool) { self.isFull = isFull }

  func load(_ device: DeviceID) async throws(StoreError) -> DeviceRecord { DeviceRecord() }

  func commit(_ commit: StoreCommit) async throws(StoreError) {
    try checkWritable()
    fixes += commit.fixes.count
    for numbered in commit.fenceRecords {
      if numbered.number > lastRecordNumber + 1 {
        violations.append("record \(numbered.number) after \(lastRecordNumber)")
      }
      lastRecordNumber = max(lastRecordNumber, numbered.number)
      records.removeAll { $0.number == numbered.number }
      records.append(numbered)
    }
    for usage in commit.receiverUsages where !usage.isOpen {
      if usage.number <= lastUsageNumber { violations.append("usage \(usage.number) ended twice") }
      lastUsageNumber = usage.number
      usages.count += 1
      usages.duration += usage.duration
    }
  }

  func fenceRecords(of device: DeviceID, after number: UInt64, limit: Int) async throws(StoreError)
    -> [NumberedFenceRecord]
  {
    Array(records.lazy.filter { $0.number > number }.prefix(limit))
  }

  func cursor(of consumer: String, device: DeviceID) async throws(StoreError) -> UInt64 {
    cursors[consumer] ?? 0
  }

  func acknowledge(through number: UInt64, by consumer: String, device: DeviceID) async throws(StoreError) {
    try checkWritable()
    cursors[consumer] = max(number, cursors[consumer] ?? 0)
    let read = cursors.values.min() ?? 0
    records.removeAll { $0.number <= read }
  }

  private func checkWritable() throws(StoreError) {
    guard isFull else { return }
    failedCommits += 1
    throw StoreError(.full, message: "write: the disk is full")
  }
}
