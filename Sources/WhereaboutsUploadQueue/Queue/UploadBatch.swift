import Foundation
import Whereabouts
package import WhereaboutsModel
package import WhereaboutsFormats
import WhereaboutsStore

/// A request in the upload queue, or a dead letter.
package struct UploadBatch: Sendable {
  package var id: Int64
  package var device: DeviceID
  /// The key that identifies the request to the server in every attempt.
  package var key: String
  package var message: UploadMessage
  package var items: Int
  package var crossings: Int
  package var attempts: Int
  /// The number of attempts that the server refused.
  package var refusals: Int
  /// The earliest time of the next attempt, by the wall clock.
  package var nextTry: UTCTime?
  package var reason: String?
}

/// The kind of a failed attempt.
package enum UploadFailure: Sendable {
  /// The server refused the request for now.
  case refused
  /// The response is not from the server.
  case unconfirmed
  /// There was no response.
  case unreachable
  /// The server knows no such URL or device.
  case misdirected
}

/// A reference to an item's stored row.
enum UploadItemReference: Codable {
  case fix(time: Int64, seq: Int64)
  case record(Int64)

  init(from decoder: any Decoder) throws {
    let numbers = try decoder.singleValueContainer().decode([Int64].self)
    switch numbers.count {
    case 2: self = .fix(time: numbers[0], seq: numbers[1])
    case 1: self = .record(numbers[0])
    default:
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a part is one number or two"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .fix(let time, let seq): try value.encode([time, seq])
    case .record(let number): try value.encode([number])
    }
  }
}

/// An item with the reference to its row.
struct QueuedItem {
  var item: UploadItem
  var part: UploadItemReference

  init(_ stored: StoredFix) {
    item = UploadItem(stored.fix, number: stored.seq)
    part = .fix(time: stored.rowTime.nanosecondsSince1970, seq: Int64(clamping: stored.seq))
  }

  init?(_ numbered: NumberedFenceRecord, fenceName: String? = nil) {
    guard let item = UploadItem(numbered.record, number: numbered.number, fenceName: fenceName) else {
      return nil
    }
    self.item = item
    part = .record(Int64(clamping: numbered.number))
  }

  var isCrossing: Bool {
    if case .record = part { return true }
    return false
  }
}
