import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
package import WhereaboutsFormats

/// A client of a server's API.
package struct ServerClient: Sendable {
  /// The longest response in bytes.
  private static let largestBody = 256 << 20

  package let address: ServerAddress
  private let tls: TLSConfiguration?

  /// The HTTP client, which lives as long as the process.
  private static let http: HTTPClient = {
    // A redirect would pass the token on.
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout.connect = .seconds(10)
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  /// Creates a client.
  package init(_ address: ServerAddress) throws(ServerClientError) {
    self.address = address
    do {
      tls = try address.authorityFile.map { file in
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
        return tls
      }
    } catch {
      throw ServerClientError(
        .refused,
        "could not use \(address.authorityFile ?? ""): it can't be read or holds no certificates (PEM)")
    }
  }

  /// A response that was read to its end.
  package struct Response: Sendable {
    package var body: [UInt8]
    /// The version of the response; `nil` for none.
    package var tag: String?

    /// Returns the JSON object of the body.
    package func fields() throws(ServerClientError) -> JSONFields {
      let fields = body.withUnsafeBytes { bytes in
        var scanner = JSONScanner(bytes)
        return scanner.wholeObject()
      }
      guard let fields else { throw ServerClientError.malformed }
      return fields
    }
  }

  /// Reads a resource.
  ///
  /// - Parameters:
  ///   - path: the parts of the path after `/api/v1`, not escaped.
  ///   - query: the names and values of the query, not escaped.
  package func get(
    _ path: [String], _ query: [(String, String?)] = [], timeout: Duration = .seconds(60)
  ) async throws -> Response {
    try await send(.GET, path, query, timeout: timeout)
  }

  /// Sends a request and reads its response.
  ///
  /// - Parameters:
  ///   - body: the content and its type; `nil` for none.
  ///   - tag: the version that the resource must still have; `nil` for any.
  func send(
    _ method: HTTPMethod, _ path: [String], _ query: [(String, String?)] = [],
    body: (bytes: [UInt8], type: String)? = nil, tag: String? = nil, timeout: Duration = .seconds(60)
  ) async throws -> Response {
    var request = request(method, path, query)
    if let body {
      request.headers.add(name: "Content-Type", value: body.type)
      request.body = .bytes(body.bytes)
    }
    if let tag { request.headers.add(name: "If-Match", value: tag) }
    let response = try await execute(request, timeout: timeout)
    let bytes = try await Self.reading(address) { try await response.body.collect(upTo: Self.largestBody) }
    guard (200..<300).contains(response.status.code) else {
      throw Self.error(of: response, bytes, address)
    }
    return Response(body: Array(buffer: bytes), tag: response.headers.first(name: "ETag"))
  }

  /// Opens a stream and passes on its parts until it ends.
  package func stream(
    _ path: [String], _ query: [(String, String?)], _ body: ([UInt8]) async -> Void
  ) async throws {
    // A stream is open for as long as it is read.
    let response = try await execute(request(.GET, path, query), timeout: .seconds(365 * 86_400))
    guard response.status == .ok else {
      let bytes = try await Self.reading(address) { try await response.body.collect(upTo: 1 << 20) }
      throw Self.error(of: response, bytes, address)
    }
    do {
      for try await part in response.body { await body(Array(buffer: part)) }
    } catch {
      throw try ServerClientError(error, address)
    }
  }

  private func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse {
    try await Self.reading(address) {
      try await Self.http.execute(request, timeout: .seconds(timeout.components.seconds))
    }
  }

  private static func error(
    of response: HTTPClientResponse, _ body: ByteBuffer, _ address: ServerAddress
  ) -> ServerClientError {
    ServerClientError(
      status: Int(response.status.code), body: Array(buffer: body),
      location: response.headers.first(name: "Location"), address)
  }

  private static func reading<Value: Sendable>(
    _ address: ServerAddress, _ body: () async throws -> Value
  ) async throws -> Value {
    do { return try await body() } catch { throw try ServerClientError(error, address) }
  }

  private func request(
    _ method: HTTPMethod, _ path: [String], _ query: [(String, String?)]
  ) -> HTTPClientRequest {
    var url = (["\(address.url)/api/v1"] + path.map(Self.escaped)).joined(separator: "/")
    let given = query.compactMap { name, value in value.map { "\(name)=\(Self.escaped($0))" } }
    if !given.isEmpty { url += "?" + given.joined(separator: "&") }
    var request = HTTPClientRequest(url: url)
    request.method = method
    request.tlsConfiguration = tls
    request.headers.add(name: "User-Agent", value: "whereabouts")
    if let authorization = address.authorization {
      request.headers.add(name: "Authorization", value: authorization)
    }
    return request
  }

  /// Returns a text with every byte escaped that is not unreserved by RFC 3986.
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
