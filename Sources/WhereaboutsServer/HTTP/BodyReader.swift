import Hummingbird
import NIOCore
import Synchronization
import Whereabouts
import WhereaboutsCompression

/// The reading of a request's body within the limits of size and time.
struct BodyReader {
  /// The content of a body.
  enum Content {
    /// The fixes of a phone.
    case batch
    /// A file of fences.
    case fences
    /// An object with a few members, of at most 65,536 bytes.
    case object
  }

  private static let objectSize = 65_536

  private let limits: ServerLimits
  private let content: Content

  /// Creates a reader.
  init(of content: Content, limits: ServerLimits) {
    var limits = limits
    if content == .object { limits.bodySize = min(limits.bodySize, Self.objectSize) }
    self.limits = limits
    self.content = content
  }

  /// Returns the whole body.
  ///
  /// - Throws: ``Problem``: 413 if the body is too large, also once it is decompressed; 408 if it arrives too slowly;
  ///   415 if it is compressed in another way than gzip or deflate.
  func bytes(of request: Request) async throws -> [UInt8] {
    let coding = request.headers[.contentEncoding]?.lowercased() ?? ""
    guard ["", "identity", "gzip", "x-gzip", "deflate"].contains(coding) else {
      throw Problem(.unsupportedMediaType, "Send the body with gzip or deflate, or without compression.")
    }
    let bytes = try await receivedBytes(of: request)
    guard !["", "identity"].contains(coding) else { return bytes }
    do throws(Gzip.DecompressionError) {
      return try coding == "deflate"
        ? Gzip.inflated(bytes, upTo: limits.bodySize) : Gzip.decompressed(bytes, upTo: limits.bodySize)
    } catch {
      switch error {
      case .tooLarge: throw tooLarge
      case .malformed: throw Problem(.badRequest, "The body can't be decompressed.")
      }
    }
  }

  private func receivedBytes(of request: Request) async throws -> [UInt8] {
    let length = request.headers[.contentLength].flatMap { Int($0) }
    if let length, length > limits.bodySize { throw tooLarge }
    do {
      var buffer = try await collected(request.body)
      let bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
      // A connection that broke must not pass for the end of the body: half of the fences would replace all.
      if let length, length != bytes.count { throw Problem(.badRequest, "The body is cut off.") }
      return bytes
    } catch is NIOTooManyBytesError {
      throw tooLarge
    }
  }

  /// Returns the body once it has arrived; throws at the time limit.
  private func collected(_ body: RequestBody) async throws -> ByteBuffer {
    let hasArrived = Mutex(false), isLate = Mutex(false)
    let reading = Task.immediate { [limit = limits.bodySize] in
      defer { hasArrived.withLock { $0 = true } }
      return try await body.collect(upTo: limit)
    }
    // Nearly all bodies have arrived with their head. The reading has ended then, and needs no limit.
    if hasArrived.withLock({ $0 }) { return try await reading.value }
    let deadline = await SharedTimer.ofProcess.add(after: limits.bodyTimeout) {
      isLate.withLock { $0 = true }
      reading.cancel()
    }
    let result = await withTaskCancellationHandler {
      await reading.result
    } onCancel: {
      reading.cancel()
    }
    await SharedTimer.ofProcess.remove(deadline)
    do { return try result.get() } catch {
      guard isLate.withLock({ $0 }) else { throw error }
      throw Problem(
        .requestTimeout, "The body did not arrive within \(limits.bodyTimeout.components.seconds) s.")
    }
  }

  private var tooLarge: Problem {
    let remedy =
      switch content {
      case .batch: "Send smaller batches."
      case .fences: "Increase MAX_BODY of the server."
      case .object: "Shorten its texts."
      }
    return Problem(.contentTooLarge, "The body is larger than \(limits.bodySize) bytes. \(remedy)")
  }
}
