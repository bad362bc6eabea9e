extension GPSDAddress {
  /// Parses the text after `gpsd:`: nothing, or `//host:port/device`.
  init(_ text: Substring) throws(SourceName.ParseError) {
    self.init()
    let address = try HostName(text)
    if !address.host.isEmpty { host = address.host }
    port = address.port ?? Self.standardPort
    device = address.path.count > 1 ? address.path : nil
  }
}
