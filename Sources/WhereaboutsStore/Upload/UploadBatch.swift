import Foundation
package import Whereabouts
package import WhereaboutsCore
package import WhereaboutsFormats

/// One request that waits to be sent, or was set aside.
package struct UploadBatch: Sendable {
  /// Whether it is still to be sent.
  package enum State: String, Sendable {
    /// It is to be sent.
    case waiting
    /// It was set aside, and why is said.
    case dead
  }

  package var id: Int64
  package var device: DeviceID
  /// Names it to the server, however often it is sent.
  package var key: String
  package var message: UploadMessage
  package var items: Int
  package var crossings: Int
  package var attempts: Int
  /// Of the attempts, those that the server refused.
  package var refusals: Int
  /// Not before, by the wall clock.
  package var nextTry: UTCTime?
  package var reason: String?
}

/// Why an attempt failed, as far as that makes a difference.
package enum UploadFailure: Sendable {
  /// The server answered that it can't take it now.
  case refused
  /// The answer was not the server's.
  case unconfirmed
  /// There was no answer.
  case unreachable
  /// The server knows no such place or device.
  case misdirected
}

/// Where an item of a batch is found again.
enum UploadPart: Codable {
  case fix(time: Int64, seq: Int64)
  case note(Int64)

  init(from decoder: any Decoder) throws {
    let numbers = try decoder.singleValueContainer().decode([Int64].self)
    switch numbers.count {
    case 2: self = .fix(time: numbers[0], seq: numbers[1])
    case 1: self = .note(numbers[0])
    default:
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a part is one number or two"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .fix(let time, let seq): try value.encode([time, seq])
    case .note(let number): try value.encode([number])
    }
  }
}

/// An item with where it is found again.
struct QueuedItem {
  var item: UploadItem
  var part: UploadPart

  init(_ stored: StoredFix) {
    item = UploadItem(stored.fix, number: stored.seq)
    part = .fix(time: stored.rowTime.nanosecondsSince1970, seq: Int64(clamping: stored.seq))
  }

  init?(_ note: NumberedNote, fenceName: String? = nil) {
    guard let item = UploadItem(note.note, number: note.number, fenceName: fenceName) else { return nil }
    self.item = item
    part = .note(Int64(clamping: note.number))
  }

  var isCrossing: Bool {
    if case .note = part { return true }
    return false
  }
}
