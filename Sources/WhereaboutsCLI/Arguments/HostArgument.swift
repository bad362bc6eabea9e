/// A host, a port and what stands behind them, as typed: `//boat.local:2947/dev/ttyACM0`, with brackets around an address
/// of version 6.
struct HostArgument: Hashable, Sendable {
  /// Empty where none was given.
  var host: String
  var port: Int?
  /// With the slash that begins it; empty where there is none.
  var path: String

  /// - Parameter text: what begins with two slashes.
  init(_ text: Substring) throws(SourceArgument.Mistake) {
    func mistake() -> SourceArgument.Mistake { .badAddress(String(text)) }
    guard text.hasPrefix("//") else { throw mistake() }
    let rest = text.dropFirst(2)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    path = String(rest[end...])
    var place = rest[..<end]
    if place.first == "[" {
      guard let close = place.firstIndex(of: "]") else { throw mistake() }
      host = String(place[place.index(after: place.startIndex)..<close])
      place = place[place.index(after: close)...]
      guard place.isEmpty || place.first == ":" else { throw mistake() }
    } else {
      let colon = place.firstIndex(of: ":") ?? place.endIndex
      host = String(place[..<colon])
      place = place[colon...]
    }
    guard !place.isEmpty else { return }
    guard let port = Int(place.dropFirst()), (1...65_535).contains(port) else { throw mistake() }
    self.port = port
  }
}
