import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsSystem

/// A sender of webhook requests.
struct WebhookSender: Sendable {
  let client: HTTPClient
  let webhook: NotificationChannel.Webhook
  let timeout: Duration

  /// The greatest number of bytes read of an answer, so that its connection is used again.
  private static let maximumAnswerSize = 65_536

  static var configuration: HTTPClient.Configuration {
    // A redirect would pass crossings to the URL in the answer.
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    // The store alone decides about attempts.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.decompression = .disabled
    return configuration
  }

  /// Makes an attempt.
  func send(_ message: NotificationMessage, _ words: NotificationText) async -> DeliveryResult {
    let body: [UInt8]
    var request = HTTPClientRequest(url: webhook.url)
    request.method = .POST
    request.headers.add(name: "User-Agent", value: "whereabouts")
    switch webhook.format {
    case .json:
      request.headers.add(name: "Content-Type", value: "application/json")
      body = message.json(words)
    case .text:
      request.headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
      body = Array(words.sentence(message).utf8)
    }
    let seconds = UTCTime.now.nanosecondsSince1970 / 1_000_000_000
    for (name, value) in WebhookSignature.fields(
      id: message.key, seconds: seconds, body: body, key: webhook.key)
    {
      request.headers.add(name: name, value: value)
    }
    request.body = .bytes(body)
    if let authorities = webhook.authorities {
      guard let trusted = try? NIOSSLCertificate.fromPEMFile(authorities) else {
        return .failed(reason: "the file of the authorities can't be read", retryAfter: nil)
      }
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.trustRoots = .certificates(trusted)
      request.tlsConfiguration = configuration
    }
    return await send(request)
  }

  private func send(_ request: HTTPClientRequest) async -> DeliveryResult {
    let end = ContinuousClock.now + timeout
    do {
      let answer = try await client.execute(request, timeout: .nanoseconds(timeout.clampedNanoseconds))
      await Self.discard(answer.body, until: end)
      return Self.result(answer)
    } catch {
      return .failed(reason: Self.reason(error), retryAfter: nil)
    }
  }

  /// Reads the body of an answer, so that its connection is used again. The status alone decides, so a receiver that
  /// does not end its answer costs no more than the time of the attempt.
  private static func discard(
    _ body: HTTPClientResponse.Body, until end: ContinuousClock.Instant
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        var size = 0
        do {
          for try await part in body {
            size += part.readableBytes
            if size > Self.maximumAnswerSize { break }
          }
        } catch {}
      }
      group.addTask { try? await Task.sleep(until: end, clock: .continuous) }
      _ = await group.next()
      group.cancelAll()
    }
  }

  private static func result(_ answer: HTTPClientResponse) -> DeliveryResult {
    let reason = "the receiver answered \(answer.status.code)"
    switch answer.status.code {
    case 200..<300: return .delivered
    case 410: return .gone(reason: "\(reason): it wants no more")
    case 400, 413, 415, 422: return .refused(reason: reason)
    default:
      let wait = answer.headers.first(name: "Retry-After").flatMap {
        HTTPDate.retryAfter($0, date: answer.headers.first(name: "Date"), now: .now)
      }
      let isRedirect = [301, 302, 303, 307, 308].contains(answer.status.code)
      let remedy = isRedirect ? ", a redirect, which is not followed: change the URL of the webhook" : ""
      return .failed(reason: reason + remedy, retryAfter: wait)
    }
  }

  /// Returns a failure in words without the URL, which may be a secret.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError: "no answer: \(error.shortDescription.lowercased())"
    case let error as IOError:
      "no connection: \(String(cString: strerror(error.errnoCode)).lowercased())"
    case let error as NIOConnectionError where error.connectionErrors.isEmpty:
      "no connection: the name of the host could not be resolved; check the name and the network"
    case is NIOConnectionError: "no connection: the connection was refused or timed out"
    case is HTTPParserError: "the answer is not HTTP, or ends early"
    case is NIOSSLExtraError: "no connection: the receiver's certificate is for another host"
    case is NIOSSLError where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
      "no connection: the receiver's certificate is not valid now, or no trusted authority has signed it "
        + "(caFile names an authority of your own)"
    case is NIOSSLError: "no connection: TLS failed; the port may have none"
    default: "\(type(of: error))"
    }
  }
}
