import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// A page of a device's crossings. Neither its length nor its last number depends on the records that the reader may not
/// see: they would show when a hidden crossing happens.
struct CrossingPage {
  /// A record that the reader may see.
  typealias Crossing = (number: UInt64, json: [UInt8])

  /// The number of records that are read at once.
  private static let readSize = 1_000

  let store: SQLiteStore
  let device: DeviceID
  let fences: FenceRegistry
  let disclosure: Disclosure

  /// Returns the crossings after a number that the reader may see, the oldest first.
  func crossings(after number: UInt64, limit: Int) throws -> [Crossing] {
    var shown: [Crossing] = [], position = number, isAtEnd = false
    while shown.count < limit, !isAtEnd {
      let records = try store.fenceRecords(
        afterNumber: position, of: device, limit: max(limit, Self.readSize))
      isAtEnd = records.count < max(limit, Self.readSize)
      position = records.last?.number ?? position
      for record in records where shown.count < limit { try add(record, to: &shown) }
    }
    return shown
  }

  /// Returns the newest crossings that the reader may see, the oldest first.
  func newest(_ count: Int) throws -> [Crossing] {
    var shown: [Crossing] = [], readCount = count, isAtEnd = false
    repeat {
      shown = []
      let records = try store.fenceRecords(newest: readCount, of: device)
      isAtEnd = records.count < readCount
      for record in records { try add(record, to: &shown) }
      readCount *= 10
    } while shown.count < count && !isAtEnd
    return Array(shown.suffix(count))
  }

  private func add(_ record: NumberedFenceRecord, to shown: inout [Crossing]) throws {
    let revoked = try store.event(revokedBy: record, of: device)
    guard let json = record.json(of: device, revoked: revoked, fences, disclosure) else { return }
    shown.append((record.number, json))
  }
}
