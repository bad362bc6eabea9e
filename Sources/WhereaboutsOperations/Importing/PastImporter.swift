import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources
import WhereaboutsStore

/// An import of one file: its elements become batches of fixes and stated visits for each device.
struct PastImporter {
  /// The number of fixes of a batch. Each batch is one transaction, so a kill loses one batch, which the next run reads
  /// again.
  static let batchSize = 8192
  /// The greatest number of fixes of a batch, which has more than usual if they have one time, or no device's name yet.
  static let maxBatchSize = batchSize * 4
  /// The greatest number of fixes of all devices that wait for their batches.
  static let maxWaiting = 65_536

  private let openStore: () throws -> OpenStore?
  private let devices: ImportDevices
  /// The prediction of a dry run, also of the files before; `nil` in an import.
  private let prediction: ImportPrediction?
  private(set) var report = ImportReport()
  /// The fixes of each device that wait for their batch.
  private var waiting: [DeviceID: Batch] = [:]
  private var waitingCount = 0
  /// The batch of the present device.
  private var present: Batch?
  /// The names of the present device, until it has a fix or a visit.
  private var presentNames: [DeviceID] = []
  private var partCount = 0
  /// The device of the fixes for which the present file, or the present part of an archive, names none.
  private var unnamedDevice = ImportDevices.Target(id: "")
  /// The batch of the fixes for which the present file, one of a Recorder, names no device yet: they belong to the first
  /// device that it names, unless the batch is stored before.
  private var unnamedBatch: Batch?
  /// The devices with stored fixes of the present file, or the present part of an archive.
  private var begunDevices: Set<DeviceID> = []
  /// The fixes of one time at the end of each device's stored fixes of the present file, or the present part of an
  /// archive.
  private var runs: [DeviceID: SuccessiveFixes] = [:]

  /// The fixes and visits of a device that wait. An object, so that no dictionary is searched for each fix.
  private final class Batch {
    let device: DeviceID
    var fixes: [Fix] = []
    /// The offsets from UTC that the recording states.
    var offsets: [StatedOffset] = []
    /// Whether the device has fixes or visits, stored ones or waiting ones.
    var hasPast = false
    var visits: [RecordedVisit] = []

    init(of device: DeviceID) { self.device = device }
  }

  /// - Parameters:
  ///   - openStore: returns the store, called once there is something to store; `nil` for a dry run without one.
  ///   - prediction: the prediction of a dry run, one for all files; `nil` for an import.
  init(
    openStore: @escaping () throws -> OpenStore?, devices: ImportDevices, dryRun prediction: ImportPrediction?
  ) {
    self.openStore = openStore
    self.devices = devices
    self.prediction = prediction
  }

  /// Imports a recording to its end.
  ///
  /// - Parameter progress: called with the number of bytes read so far.
  mutating func importAll(of file: inout RecordingFile, progress: (Int) -> Void) throws {
    var elements: [RecordingElement] = []
    defer {
      report.problems = file.problems
      report.unreadableTimes = min(report.untimed, file.unreadableTimes)
      // They are refused already.
      report.places -= min(report.places, file.waypointsWithUnreadableTime)
      report.timesWithoutZone = file.timesWithoutZone
      report.skipped = file.skippedElements
    }
    while try file.read(into: &elements) {
      if file.partCount != partCount {
        partCount = file.partCount
        // The same points in two files of an archive are the same points.
        try flush()
        begunDevices.removeAll()
        runs.removeAll()
        let path = file.pathInArchive ?? file.name
        unnamedDevice = devices.device(
          of: file.format, path: path, isInArchive: file.pathInArchive != nil)
        begin(unnamedDevice)
        unnamedBatch = ImportDevices.isOfOneDevice(file.format, path: path) ? present : nil
      }
      for element in elements { try handle(element, in: file.format) }
      progress(file.bytesRead)
    }
    try flush()
  }

  private mutating func handle(_ element: RecordingElement, in format: RecordingFormat?) throws {
    switch element {
    case .fix(let fix): try add(fix)
    case .deviceBegan(let name):
      begin(name.map { devices.device(named: $0, in: format) } ?? unnamedDevice)
      moveUnnamedFixes()
    case .visit(let visit): try add(visit)
    case .waypoint, .routePoint: report.places += 1
    case .offset(let minutes, let time): try add(StatedOffset(time: time, minutes: minutes))
    case .trackBegan, .segmentBegan, .routeBegan, .heading, .satellites: break
    }
  }

  /// Makes a device that of the following fixes.
  private mutating func begin(_ device: ImportDevices.Target) {
    let batch = waiting[device.id] ?? Batch(of: device.id)
    waiting[device.id] = batch
    present = batch
    presentNames = device.names
  }

  /// Moves the fixes before the first name of a device to the present device.
  private mutating func moveUnnamedFixes() {
    guard let unnamed = unnamedBatch else { return }
    unnamedBatch = nil
    guard let present, present !== unnamed, !unnamed.fixes.isEmpty else { return }
    present.fixes += unnamed.fixes
    present.offsets += unnamed.offsets
    present.hasPast = true
    waiting[unnamed.device] = nil
    recordNames()
  }

  private mutating func add(_ fix: Fix) throws {
    guard let time = fix.time else {
      report.untimed += 1
      if fix.source == .nmea { report.untimedNMEA += 1 }
      return
    }
    guard let batch = present else { return }
    let count = batch.fixes.count
    // Fixes of one time stay together, as far as a batch holds them: each batch reads the stored fixes of its times.
    let limit = batch === unnamedBatch ? Self.maxBatchSize : Self.batchSize
    if count >= limit, batch.fixes.last?.time != time || count >= Self.maxBatchSize {
      try store(batch)
    } else if waitingCount >= Self.maxWaiting {
      try flush()
    }
    batch.fixes.append(fix)
    batch.hasPast = true
    waitingCount += 1
    recordNames()
  }

  private mutating func add(_ offset: StatedOffset) throws {
    guard let batch = present else { return }
    batch.offsets.append(offset)
    guard batch.offsets.count >= Self.maxBatchSize else { return }
    // Without a fix or a visit there is no device yet.
    if batch.hasPast { try storeOffsets(of: batch) }
    batch.offsets.removeAll(keepingCapacity: true)
  }

  /// Stores the offsets of a batch, and leaves its fixes.
  private func storeOffsets(of batch: Batch) throws {
    guard prediction == nil, let store = try openStore() else { return }
    _ = try store.attempt {
      try $0.addPast([], to: batch.device, offsets: batch.offsets)
    }
  }

  private mutating func add(_ visit: RecordedVisit) throws {
    guard let batch = present else { return }
    report.visits += 1
    batch.visits.append(visit)
    batch.hasPast = true
    if batch.visits.count >= Self.batchSize { try storeVisits(of: batch) }
    recordNames()
  }

  /// Records that the present device has a fix or a visit.
  private mutating func recordNames() {
    guard !presentNames.isEmpty else { return }
    report.renamed.formUnion(presentNames)
    presentNames = []
  }

  /// Stores the waiting fixes and visits.
  private mutating func flush() throws {
    for (_, batch) in waiting.sorted(by: { $0.key < $1.key }) {
      try store(batch)
      try storeVisits(of: batch)
    }
    // Devices without fixes are forgotten, but for the present one.
    waiting = present.map { [$0.device: $0] } ?? [:]
  }

  private mutating func store(_ batch: Batch) throws {
    let fixes = batch.fixes
    guard !fixes.isEmpty else {
      if batch.hasPast, !batch.offsets.isEmpty { try storeOffsets(of: batch) }
      return batch.offsets.removeAll()
    }
    if batch === unnamedBatch { unnamedBatch = nil }
    let run = runs[batch.device] ?? SuccessiveFixes()
    runs[batch.device] = run
    let result: ImportResult
    if let store = try openStore() {
      result = try store.attempt {
        try $0.addPast(
          fixes, to: batch.device, offsets: batch.offsets,
          isContinued: begunDevices.contains(batch.device), continuing: run, dryRun: prediction)
      }
    } else {
      // Without a store, this is a dry run.
      result =
        try prediction?.add(fixes, to: batch.device, continuing: run)
        ?? ImportResult()
    }
    if result.kept > 0 { begunDevices.insert(batch.device) }
    report.add(result, of: fixes, to: batch.device)
    waitingCount -= fixes.count
    batch.fixes.removeAll(keepingCapacity: fixes.count <= Self.maxBatchSize)
    batch.offsets.removeAll()
  }

  private mutating func storeVisits(of batch: Batch) throws {
    let visits = batch.visits
    guard !visits.isEmpty else { return }
    if let store = try openStore() {
      let result = try store.attempt {
        try $0.addStatedVisits(visits, to: batch.device, dryRun: prediction)
      }
      report.keptVisits += result.kept
    } else if let prediction {
      let result = prediction.add(visits, to: batch.device) { _ in false }
      report.keptVisits += result.kept
    }
    batch.visits.removeAll()
  }
}
