package import WhereaboutsCore

/// A file that says how power is saved; docs/power.md describes it.
package enum PowerFile {
  /// Why a file can't be taken.
  package struct Mistake: Error {
    /// Where and why, for a person.
    package let message: String
  }

  /// The settings that a file holds.
  package static func settings(_ bytes: [UInt8]) throws(Mistake) -> PowerSettings {
    let fields = bytes.withUnsafeBytes { text in
      var scanner = JSONScanner(text)
      return scanner.wholeObject()
    }
    guard let fields else { throw Mistake(message: "it is no JSON object") }
    do { return try ExactJSON.object(fields).decoded(as: PowerSettings.self) } catch {
      throw Mistake(message: explanation(of: error))
    }
  }

  private static func explanation(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is nothing known" }
    let context =
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "it is nothing known")
      }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
  }
}
