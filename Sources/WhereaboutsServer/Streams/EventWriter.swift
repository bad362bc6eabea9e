import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The form of the events of one stream.
struct EventWriter: Sendable {
  /// The only device; `nil` for all.
  let device: DeviceID?
  let token: AccessToken
  let authenticator: Authenticator
  let fences: SharedFences
  let store: SQLiteStore

  /// Appends the crossings after a position that the reader may see, and moves the position.
  ///
  /// - Returns: the number of records read.
  func appendCrossings(
    after position: inout UInt64, limit: Int, to bytes: inout [UInt8]
  ) async throws(StoreError) -> Int {
    // A zone may have been added since the stream was opened.
    let disclosure = authenticator.disclosure(for: token), fences = await fences.snapshot.registry
    let records = try store.fenceRecords(afterPosition: position, of: device, limit: limit)
    for entry in records {
      position = entry.position
      let revoked = try store.event(revokedBy: entry.record, of: entry.device)
      guard let json = entry.record.json(of: entry.device, revoked: revoked, fences, disclosure) else {
        continue
      }
      bytes.append("id: \(entry.position)\nevent: crossing\ndata: ")
      bytes += json
      bytes.append("\n\n")
    }
    return records.count
  }

  /// Appends the newest fix of each device.
  func append(
    _ fixes: [DeviceID: Fix], position: UInt64, to bytes: inout [UInt8]
  ) {
    let disclosure = authenticator.disclosure(for: token)
    for (device, newest) in fixes.sorted(by: { $0.key < $1.key }) {
      guard let fix = disclosure.newestFix(newest, of: device) else { continue }
      bytes.append("id: \(position)\nevent: fix\ndata: ")
      bytes.appendJSONObject { $0.appendJSONMembers(of: fix, device: device) }
      bytes.append("\n\n")
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}
