/// The words for a mistake in a JSON file that a person has written.
package enum JSONFileMistake {
  /// Returns the place and the rule of an error of decoding, as in `alerts[1].hours: no hours`.
  package static func explanation(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "the error is unknown" }
    let context: DecodingError.Context
    switch error {
    case .dataCorrupted(let found): context = found
    case .keyNotFound(_, let found): context = found
    case .typeMismatch(_, let found), .valueNotFound(_, let found): context = found
    @unknown default: return "the error is unknown"
    }
    let place = place(of: context.codingPath)
    return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
  }

  private static func place(of path: [any CodingKey]) -> String {
    var place = ""
    for key in path {
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return place
  }
}
