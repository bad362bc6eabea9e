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

@Suite struct ServerClientErrorTests {
  /// A proxy answers without problem details, and `last --server` must say what is wrong with the address.
  @Test(
    arguments: [
      (301, "https://www.example.org/api/v1/devices", "it redirects to https://www.example.org. Pass"),
      (308, "https://login.example.org/", "it redirects to https://login.example.org/. Pass"),
      (302, "https://login.example.org/?to=%2Fapi%2Fv1", "it redirects to https://login.example.org/. Pass"),
      (302, nil, "it redirects. Pass"), (301, "/api/v1/devices/", "it redirects. Pass"),
      (404, nil, "there is no API at this address."),
      (502, nil, "the answer had the status 502"),
    ] as [(Int, String?, String)]) func answerOfAProxyIsExplained(
      status: Int, location: String?, text: String
    ) throws
  {
    let address = try ServerAddress("https://example.org/where")
    let error = ServerClientError(
      status: status, body: Array("<html></html>".utf8), location: location, address)
    #expect(
      error.description.hasPrefix("could not use https://example.org/where: \(text)"), "\(error.description)")
  }

  @Test func answerOfTheServerStays() throws {
    let body = Array(#"{"detail":"No such device, or the token is not for it."}"#.utf8)
    let error = ServerClientError(
      status: 404, body: body, location: nil, try ServerAddress("https://example.org"))
    #expect(error.kind == .notFound && error.description.hasPrefix("No such device"))
  }
}
