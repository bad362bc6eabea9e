import Testing

@testable import WhereaboutsServer

@Suite struct TrustedProxiesTests {
  /// A connection, the field of its request, and the address that counts.
  struct Row: Sendable {
    var proxies: String?
    var peer: String?
    var forwarded: String?
    var client: String?

    init(_ proxies: String?, _ peer: String?, _ forwarded: String?, _ client: String?) {
      (self.proxies, self.peer, self.forwarded, self.client) = (proxies, peer, forwarded, client)
    }
  }

  static let rows = [
    // Nobody is trusted, or somebody else.
    Row(nil, "127.0.0.1", "192.0.2.1", "127.0.0.1"),
    Row("127.0.0.1", "198.51.100.7", "192.0.2.1", "198.51.100.7"),
    Row("10.0.0.0/8", "11.0.0.1", "192.0.2.1", "11.0.0.1"),
    // The last entry that is no trusted proxy: a client can write the ones before it.
    Row("127.0.0.1", "127.0.0.1", "192.0.2.1", "192.0.2.1"),
    Row("127.0.0.1", "127.0.0.1", "203.0.113.9, 192.0.2.1", "192.0.2.1"),
    Row("127.0.0.1", "127.0.0.1", "203.0.113.9,192.0.2.1 ,\t127.0.0.1", "192.0.2.1"),
    Row("127.0.0.1,10.0.0.0/8", "127.0.0.1", "192.0.2.1, 10.1.2.3", "192.0.2.1"),
    Row("127.0.0.1", "127.0.0.1", "192.0.2.1, 10.1.2.3", "10.1.2.3"),
    // Proxies alone: the farthest one is the client.
    Row("127.0.0.1,10.0.0.0/8", "127.0.0.1", "10.9.9.9, 10.1.2.3", "10.9.9.9"),
    Row("127.0.0.1", "127.0.0.1", nil, "127.0.0.1"),
    // An entry that is no address ends the search.
    Row("127.0.0.1", "127.0.0.1", "", "127.0.0.1"),
    Row("127.0.0.1", "127.0.0.1", "192.0.2.1, unknown", "127.0.0.1"),
    Row("127.0.0.1", "127.0.0.1", "192.0.2.1,", "127.0.0.1"),
    Row("127.0.0.1", "127.0.0.1", "192.0.2.1:4711", "127.0.0.1"),
    Row("127.0.0.1,10.0.0.0/8", "127.0.0.1", "192.0.2.1, <script>, 10.1.2.3", "10.1.2.3"),
    // IPv6, and IPv4 at a listener of both kinds.
    Row("::1", "::1", "2001:db8::9", "2001:db8::9"),
    Row("fd00::/8", "fdab::1", "192.0.2.1, fd00::2", "192.0.2.1"),
    Row("fd00::/8", "fe00::1", "192.0.2.1", "fe00::1"),
    Row("172.16.0.0/12", "::ffff:172.31.255.1", "192.0.2.1", "192.0.2.1"),
    Row("172.16.0.0/12", "::ffff:172.32.0.1", "192.0.2.1", "::ffff:172.32.0.1"),
    Row("::ffff:172.16.0.0/108", "172.31.0.1", "192.0.2.1", "192.0.2.1"),
    // Every bit of a prefix counts.
    Row("192.0.2.128/25", "192.0.2.128", "203.0.113.9", "203.0.113.9"),
    Row("192.0.2.128/25", "192.0.2.127", "203.0.113.9", "192.0.2.127"),
    Row("192.0.2.7/32", "192.0.2.6", "203.0.113.9", "192.0.2.6"),
    Row("0.0.0.0/0", "192.0.2.6", "203.0.113.9", "203.0.113.9"),
    // A Unix socket is no proxy.
    Row("0.0.0.0/0,::/0", nil, "192.0.2.1", nil),
  ]

  @Test(arguments: rows) func clientIsTheLastAddressThatIsNoTrustedProxy(row: Row) throws {
    var proxies = TrustedProxies()
    if let text = row.proxies { proxies = try #require(TrustedProxies(SettingText(text: text))) }
    #expect(proxies.client(of: row.peer, forwarded: row.forwarded) == row.client)
  }

  @Test(arguments: [
    "", ",", "127.0.0.1,", "localhost", "127.0.0.1:80", "[::1]", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1",
    "10.0.0.0/8/8", "::1/129", "10.0.0/8", "fe80::1%eth0", "127.0.0.1 ::1",
  ])
  func otherTextIsRefused(_ text: String) {
    #expect(TrustedProxies(SettingText(text: text)) == nil)
  }
}
