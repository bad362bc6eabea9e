import WhereaboutsSystem

extension System {
  /// The host name of this machine without its domain; `nil` if there is no printable name.
  package static var hostName: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let first = name.prefix { $0 != "." }
    return first.isEmpty ? nil : String(first)
  }
}
