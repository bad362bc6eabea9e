import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import WhereaboutsCompression
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore
import WhereaboutsSystem
import WhereaboutsUploadQueue

/// A sender of upload requests, which also classifies the answers.
struct HTTPSender: Sendable {
  let client: HTTPClient
  let clock: UploadClock

  /// The greatest number of bytes read of an answer. A longer answer closes the connection.
  private static let maximumAnswerSize = 65_536

  static var configuration: HTTPClient.Configuration {
    // A redirect would pass locations and credentials to the URL in the answer.
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout.connect = .seconds(30)
    // The upload queue alone decides the delay between attempts.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.decompression = .disabled
    return configuration
  }

  /// - Parameter compresses: whether the body may be compressed.
  /// - Throws: `CancellationError` if the task is cancelled; the request may have arrived or not.
  func send(_ batch: UploadBatch, to endpoint: Endpoint, compresses: Bool) async throws -> UploadReply {
    var secrets = AuthorizationFile.Contents()
    if let file = endpoint.authorizationFile {
      do { secrets = try AuthorizationFile.contents(at: file) } catch {
        return .unreachable(reason: error.description)
      }
    }
    let (plain, isCompressed) = Self.request(batch, to: endpoint, secrets: secrets, compresses: compresses)
    var request = plain
    if let file = endpoint.authorityFile {
      do { request.tlsConfiguration = try Self.tlsConfiguration(trusting: file) } catch {
        return .unreachable(
          reason: "could not use \(file): it can't be read or holds no certificates (PEM)")
      }
    }
    do {
      let ready = request
      let answer = try await clock.withTimeout(endpoint.timeout) { try await exchange(ready) }
      return UploadReply.classify(
        answer, to: endpoint.template, wasCompressed: isCompressed,
        acceptsAnySuccess: endpoint.takesAnySuccess,
        now: clock.wall)
    } catch {
      try Task.checkCancellation()
      return Self.reply(error, after: endpoint.timeout)
    }
  }

  private func exchange(_ request: HTTPClientRequest) async throws -> UploadReply.Response {
    // The endpoint's timeout runs on the upload clock; this limit covers a clock that stands still.
    let response = try await client.execute(request, timeout: .hours(1))
    var body: [UInt8] = []
    for try await part in response.body {
      body += part.readableBytesView
      if body.count > Self.maximumAnswerSize { break }
    }
    return UploadReply.Response(
      status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"),
      date: response.headers.first(name: "Date"), location: response.headers.first(name: "Location"),
      contentType: response.headers.first(name: "Content-Type"), body: body,
      isTruncated: body.count > Self.maximumAnswerSize)
  }

  /// Returns a TLS configuration that trusts only the authorities in a file.
  private static func tlsConfiguration(trusting file: String) throws -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
    return configuration
  }

  // MARK: The request

  static func request(
    _ batch: UploadBatch, to endpoint: Endpoint, secrets: AuthorizationFile.Contents, compresses: Bool
  ) -> (HTTPClientRequest, isCompressed: Bool) {
    let message = batch.message
    let parts = endpoint.url.split(separator: "?", maxSplits: 1)
    var url = "\(parts.first ?? "")\(secrets.path)"
    let query = parts.dropFirst().map(String.init) + secrets.query + [message.query].compactMap(\.self)
    if !query.isEmpty { url += "?" + query.joined(separator: "&") }
    var request = HTTPClientRequest(url: url)
    request.method = message.method == .get ? .GET : .POST
    request.headers.add(name: "User-Agent", value: "whereabouts")
    request.headers.add(name: "Idempotency-Key", value: "\"\(batch.key)\"")
    // Without this field a server may compress its answer (RFC 9110, section 12.5.3), which is not read then.
    request.headers.add(name: "Accept-Encoding", value: "identity")
    for field in message.fields { request.headers.add(name: field.name, value: field.value) }
    for field in secrets.fields { request.headers.replaceOrAdd(name: field.name, value: field.value) }
    guard message.method == .post else { return (request, false) }
    if compresses, message.body.count >= Gzip.minimumSize, let small = Gzip.compressed(message.body) {
      request.headers.add(name: "Content-Encoding", value: "gzip")
      request.body = .bytes(small)
      return (request, true)
    }
    request.body = .bytes(message.body)
    return (request, false)
  }

  // MARK: Failures

  private static func reply(_ error: any Error, after timeout: Duration) -> UploadReply {
    switch error {
    case is UploadClock.TimeoutError:
      return .unreachable(
        reason: "there was no answer within \(Int(timeout.inSeconds.rounded(.up))) s")
    case let error as HTTPClientError where isRequestError(error):
      return .actionRequired(reason: "the request can't be made: \(error.shortDescription.lowercased())")
    case let error as HTTPClientError:
      return .unreachable(reason: "no answer: \(error.shortDescription.lowercased())")
    case let error as IOError:
      return .unreachable(reason: "no connection: \(Self.errorText(error.errnoCode))")
    case is HTTPParserError: return .unreachable(reason: ConnectionFailure.reason(error))
    default: return .unreachable(reason: "no connection: \(ConnectionFailure.reason(error))")
    }
  }

  private static func errorText(_ code: CInt) -> String { String(cString: strerror(code)).lowercased() }

  private static func isRequestError(_ error: HTTPClientError) -> Bool {
    switch error {
    case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath: true
    default:
      error.shortDescription == "Unsupported scheme" || error.shortDescription.hasPrefix("Invalid header")
    }
  }
}
