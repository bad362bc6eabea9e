import Hummingbird
import NIOCore

/// The reading of a request's body within the limits of size and time.
struct BodyReader {
  let limits: ServerLimits

  /// Returns the whole body.
  ///
  /// - Throws: ``Problem``: 413 if the body is too large, 408 if it arrives too slowly, 415 if it is compressed.
  func bytes(of request: Request) async throws -> [UInt8] {
    if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
      throw Problem(.unsupportedMediaType, "Send the body without compression.")
    }
    let length = request.headers[.contentLength].flatMap { Int($0) }
    if let length, length > limits.bodySize { throw tooLarge }
    let body = request.body
    let limits = limits
    return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      group.addTask {
        var buffer = try await body.collect(upTo: limits.bodySize)
        return buffer.readBytes(length: buffer.readableBytes) ?? []
      }
      group.addTask {
        try await Task.sleep(for: limits.bodyTimeout)
        return nil
      }
      defer { group.cancelAll() }
      do {
        guard let bytes = try await group.next() ?? nil else {
          throw Problem(
            .requestTimeout, "The body did not arrive within \(limits.bodyTimeout.components.seconds) s.")
        }
        // A connection that broke must not pass for the end of the body: half of the fences would replace all.
        if let length, length != bytes.count { throw Problem(.badRequest, "The body is cut off.") }
        return bytes
      } catch is NIOTooManyBytesError {
        throw tooLarge
      }
    }
  }

  private var tooLarge: Problem {
    Problem(.contentTooLarge, "The body is larger than \(limits.bodySize) bytes. Send smaller batches.")
  }
}
