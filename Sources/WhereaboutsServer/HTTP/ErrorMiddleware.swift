import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Whereabouts

/// Turns every error into problem details, counts responses, and adds the security fields.
struct ErrorMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let metrics: ServerMetrics

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let problem as Problem {
      response = problem.response
    } catch let error as StoreError {
      context.logger.error("store failed", metadata: ["code": "\(error.code)"])
      response = Problem(error).response
    } catch  where error is HTTPParserError || error is IOError || error is ChannelError {
      // The connection answers, if it still can, and closes: it can't know where the next request begins.
      throw error
    } catch is CancellationError {
      response = Problem(.serviceUnavailable, "The server ends.", retryAfter: 10).response
    } catch let error as HTTPError {
      response = Problem(error.status, Self.detail(of: error.status)).response
    } catch {
      // The error's text may hold a part of the request.
      context.logger.error("request failed", metadata: ["error": "\(type(of: error))"])
      response = Problem(.internalServerError, "The server has a fault. The log says more.").response
    }
    response.headers.addSecurityFields()
    if response.isUnread(request) {
      response.headers[.connection] = "close"
      context.closeSoon()
    }
    // The client would read a body as the next response.
    if request.method == .head { response = response.withoutBody }
    metrics.countResponse(response.status)
    if response.status == .tooManyRequests { metrics.countRefusedRequest() }
    return response
  }

  private static func detail(of status: HTTPResponse.Status) -> String {
    switch status {
    case .notFound: "There is nothing at this path. /api/v1/openapi.json lists the paths."
    case .methodNotAllowed: "This path does not know the method."
    case .contentTooLarge: "The body is too large."
    default: status.reasonPhrase
    }
  }
}

extension Response {
  /// The statuses of requests that are refused before their body is read.
  private static let early: Set<HTTPResponse.Status> = [
    .unauthorized, .notFound, .methodNotAllowed, .requestTimeout, .contentTooLarge, .unsupportedMediaType,
  ]

  /// This response without its body. A body of unknown length, such as that of a file, has no `Content-Length`.
  fileprivate var withoutBody: Response {
    guard body.contentLength == nil else { return createHeadResponse() }
    return Response(
      status: status, headers: headers, body: ResponseBody { writer in try await writer.finish(nil) })
  }

  /// Returns whether the body of the request may still arrive. Its rest must not hold the connection.
  fileprivate func isUnread(_ request: Request) -> Bool {
    guard Self.early.contains(status) else { return false }
    return request.headers[.transferEncoding] != nil
      || request.headers[.contentLength].map { $0 != "0" } ?? false
  }
}

extension HTTPFields {
  /// Adds the fields that prevent a browser from using a response for anything else.
  fileprivate mutating func addSecurityFields() {
    self[.xContentTypeOptions] = "nosniff"
    if self[.contentSecurityPolicy] == nil {
      self[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    }
    self[.referrerPolicy] = "no-referrer"
    self[.crossOriginResourcePolicy] = "same-origin"
    if self[.cacheControl] == nil { self[.cacheControl] = "no-store" }
  }
}
