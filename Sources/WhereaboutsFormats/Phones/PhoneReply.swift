public import WhereaboutsModel
import WhereaboutsGeodesy

/// The HTTP response to a request of a phone or tracker.
public struct PhoneReply: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The `Content-Type` field; `nil` for an empty body.
  public var contentType: String?
  /// The body.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int = 200, contentType: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  static func json(status: Int = 200, _ write: (inout [UInt8]) -> Void) -> PhoneReply {
    var body: [UInt8] = []
    write(&body)
    return PhoneReply(status: status, contentType: "application/json", body: body)
  }
}

extension PhoneReport {
  /// Returns the response that makes the app count its request as delivered.
  ///
  /// Rejected rows do not change the response: most apps would send the same rows for ever.
  ///
  /// - Parameters:
  ///   - fences: fences that the phone shall have too, for OwnTracks (a command) and Home Assistant (an answer to
  ///     `get_zones`). Only circles can be sent.
  ///   - removed: the ids of fences that OwnTracks shall remove.
  ///   - timeZone: the name of the server's time zone, for Home Assistant (an answer to `get_config`).
  public func acceptance(
    fences: [Fence] = [], removed: [FenceID] = [], timeZone: String = "UTC"
  ) -> PhoneReply {
    switch dialect {
    case .ownTracks:
      return .json { $0.appendOwnTracksMessages(fences, removed: removed) }
    case .overland:
      return .json { bytes in bytes.appendJSONObject { $0.appendJSONMember("result", text: "ok") } }
    case .osmAnd, .gpsLogger:
      // Traccar's server sends queued commands in the body.
      return PhoneReply()
    case .homeAssistant:
      return webhookReply(fences, timeZone: timeZone)
    case .whereabouts:
      return .json { bytes in
        bytes.appendJSONObject {
          $0.appendJSONMember("result", text: "ok")
          $0.appendJSONMember("fixes", fixes.count)
          $0.appendJSONMember("rejected", rejectionCount)
        }
      }
    }
  }
}
