@_spi(Simulation) import CoreLocation
import Foundation
import Whereabouts

/// The fence records that an app has stored in a file of its own, which outlives its processes.
final class AppMemory: @unchecked Sendable {
  struct Note {
    let record: NumberedFenceRecord
    /// The time of the report to the app.
    let reported: Date
  }

  private let lock = NSLock()
  private let device: SimulatedDevice
  private var process = 0
  private var acknowledged: UInt64 = 0
  private var allNotes: [Note] = []
  private var allRepetitions: [String] = []

  init(_ device: SimulatedDevice) { self.device = device }

  /// The records reported to the app, each once, in order.
  var notes: [Note] { lock.withLock { allNotes } }
  /// The records reported to the app after it had acknowledged them, or in another order.
  var repetitions: [String] { lock.withLock { allRepetitions } }
  var lastNumber: UInt64 { lock.withLock { allNotes.last?.record.number ?? 0 } }

  /// Begins a process; returns its number.
  func beginProcess() -> Int {
    lock.withLock {
      process += 1
      return process
    }
  }

  /// Ends the process: later reports are dropped.
  func endProcess() { lock.withLock { process += 1 } }

  /// Notes a record, unless the process has ended.
  ///
  /// An unacknowledged record comes again in the next process, under its number.
  func note(_ record: NumberedFenceRecord, in process: Int) -> Bool {
    let now = device.now
    return lock.withLock {
      guard process == self.process else { return false }
      let last = allNotes.last?.record.number ?? 0
      if record.number > last {
        allNotes.append(Note(record: record, reported: now))
      } else if record.number <= acknowledged || !allNotes.contains(where: { $0.record == record }) {
        allRepetitions.append("\(record)")
      }
      return true
    }
  }

  /// Notes that an acknowledgement is stored.
  func noteAcknowledgement(of number: UInt64, in process: Int) {
    lock.withLock {
      if process == self.process { acknowledged = max(acknowledged, number) }
    }
  }
}
