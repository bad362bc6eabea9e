import Testing

@testable import WhereaboutsClient

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("http://localhost:8080", "http://localhost:8080"), ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
    ("http://[::1]:8080", "http://[::1]:8080"), ("https://example.org/where//", "https://example.org/where"),
    ("/run/a b.socket", "http+unix://%2Frun%2Fa%20b.socket"),
  ]) func addressesThatCanBeUsed(text: String, url: String) throws {
    #expect(try ServerAddress(text).url == url)
  }

  @Test(arguments: [
    "", "localhost:8080", "ftp://localhost", "http://", "http:///a", "https://a/b?c", "https://a b",
    "https://user:secret@example.org", "http://example.org", "http://127evil.example",
    "http://127.evil.example", "http://localhost.evil.example:80", "http://127.0.0.1.evil.example",
  ]) func addressesThatCannot(text: String) {
    #expect(throws: ServerAddress.AddressError.self) { try ServerAddress(text) }
  }

  @Test func passwordsAreNotRepeated() {
    #expect {
      try ServerAddress("https://user:secret@example.org")
    } throws: { !"\($0)".contains("secret") }
  }

  @Test func plainHTTPNeedsAWord() throws {
    #expect(try ServerAddress("http://example.org", allowsPlainHTTP: true).url == "http://example.org")
  }
}
