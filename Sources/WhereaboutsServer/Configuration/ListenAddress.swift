/// An address to listen at as typed: `8080`, `0.0.0.0:8080` or `[::]:8080`. Without a host it is this machine's own.
struct ListenAddress: Hashable, Sendable {
  var host = "127.0.0.1"
  var port: Int

  init?(_ setting: SettingText) {
    var rest = setting.text[...]
    if let colon = rest.lastIndex(of: ":") {
      host = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
      } else if host.contains(":") {
        return nil
      }
    }
    guard !host.isEmpty, !host.contains(where: \.isWhitespace),
      let port = SettingText(text: String(rest)).integer(in: 0...65_535)
    else { return nil }
    self.port = port
  }
}
