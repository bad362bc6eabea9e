import WhereaboutsSources

/// An address to listen at as typed: `8080`, `0.0.0.0:8080` or `[::]:8080`. Without a host it is this machine's own.
struct ListenAddress: Hashable, Sendable {
  var host: String
  var port: Int

  init?(_ setting: SettingText) {
    guard let (host, digits) = RelayAddress.parts(of: setting.text),
      let port = SettingText(text: String(digits)).integer(in: 0...65_535)
    else { return nil }
    self.host = host ?? "127.0.0.1"
    self.port = port
    guard !self.host.contains(where: \.isWhitespace) else { return nil }
  }
}
