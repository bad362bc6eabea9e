/// A host, a port and a path as typed: `//boat.local:2947/dev/ttyACM0`. An IPv6 address stands in brackets.
struct HostName: Hashable, Sendable {
  /// The host; empty if none was given.
  var host: String
  var port: Int?
  /// The path with its leading slash; empty if none was given.
  var path: String

  /// - Parameter text: the argument from its two slashes on.
  init(_ text: Substring) throws(SourceName.ParseError) {
    func mistake() -> SourceName.ParseError { .badAddress(String(text)) }
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
