import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Whereabouts
import WhereaboutsModel
import WhereaboutsServer

/// A response with its body.
struct TestResponse: Sendable {
  var status: Int
  var headers: HTTPHeaders
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  func json() throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(body)) }
}

extension TestServer {
  /// Sends a request with the administrator's token.
  ///
  /// - Parameter token: another token: `anna` for a token of that device which may only write, or a wrong one; `nil`
  ///   for none.
  func send(
    _ method: String, _ path: String, token: String? = "admin", headers: [(String, String)] = [],
    body: String? = nil
  ) async throws -> TestResponse {
    var request = HTTPClientRequest(url: url + path)
    request.method = HTTPMethod(rawValue: method)
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(try secret(named: token))") }
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await HTTPClient.shared.execute(request, timeout: .minutes(10))
    var buffer = try await response.body.collect(upTo: 1 << 24)
    return TestResponse(
      status: Int(response.status.code), headers: response.headers,
      body: buffer.readBytes(length: buffer.readableBytes) ?? [])
  }

  /// Returns the secret of a token that the tables name.
  func secret(named name: String) throws -> String {
    switch name {
    case "admin": admin
    case "anna": try token("anna", [.write])
    default: name
    }
  }
}
