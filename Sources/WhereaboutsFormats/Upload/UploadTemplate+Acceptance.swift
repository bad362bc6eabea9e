extension UploadTemplate {
  /// Returns whether a successful response's body is one of this template's servers.
  ///
  /// Over plain HTTP a captive portal answers 200 with a page of its own. Such a page confirms nothing.
  ///
  /// - Source: the documents of each protocol, as in ``UploadEncoder``; for OsmAnd and Traccar the decoder of
  ///   Traccar's server. That server sends an empty body or, to OsmAnd, the text of a queued command.
  func confirms(_ answer: UploadReply.Response) -> Bool {
    switch self {
    case .whereabouts: answer.isEmpty || answer.isOK
    case .owntracks: answer.isArray
    case .overland: answer.isOK
    case .osmand: answer.isEmpty || answer.isCommand
    case .traccar: answer.isEmpty
    }
  }

  /// The required part of a successful response, as the end of "without …".
  var acceptance: String {
    switch self {
    case .whereabouts: "an empty body or \"result\":\"ok\""
    case .owntracks: "OwnTracks' JSON array"
    case .overland: "Overland's \"result\":\"ok\""
    case .osmand, .traccar: "an empty body"
    }
  }
}

extension UploadReply.Response {
  /// Longer texts are pages, in bytes.
  private static let maxCommandLength = 1024

  fileprivate var isEmpty: Bool { body.allSatisfy(Self.isSpace) && !isTruncated }

  /// Whether the body is an object with the member that confirms; anything else is not.
  fileprivate var isOK: Bool {
    body.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      guard case .text("ok")? = scanner.wholeObject()?["result"] else { return false }
      return true
    }
  }

  /// Whether the body is a JSON array, or begins as one where it was too long to be read.
  fileprivate var isArray: Bool {
    body.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      guard scanner.peek() == UInt8(ascii: "[") else { return false }
      return isTruncated || (scanner.skipValue() && scanner.peek() == nil)
    }
  }

  /// Whether the body is a short text that is no page: Traccar's server states no type with a command.
  fileprivate var isCommand: Bool {
    contentType == nil && !isTruncated && body.count <= Self.maxCommandLength
      && body.first { !Self.isSpace($0) } != UInt8(ascii: "<")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
