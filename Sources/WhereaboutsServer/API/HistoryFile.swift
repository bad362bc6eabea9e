import HTTPTypes
import Hummingbird
import NIOCore
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports

/// The history of a device as a file in the form for a reader. It is read page by page while it is sent, so that its
/// length costs no memory.
struct HistoryFile: Sendable {
  private static let pageSize = 1_000
  /// The time without a fix after which a new segment begins. Phones send a fix a minute, or fewer.
  private static let gap = Duration.seconds(300)

  private let format: RecordingFormat
  private let type: String
  private let span: Range<UTCTime>?
  private let isUsedOnly: Bool

  /// Reads the format and the span; `nil` for JSON, which has pages.
  init?(_ query: QueryReader) throws(Problem) {
    switch try query.choice("format", of: ["json", "gpx", "csv"]) {
    case "gpx"?:
      format = .gpx
      type = "application/gpx+xml"
    case "csv"?:
      format = .csv
      type = "text/csv; charset=utf-8"
    default: return nil
    }
    for name: Substring in ["limit", "cursor", "newest"] {
      guard try query.text(name) == nil else {
        throw Problem(.badRequest, "A file has all fixes of the span, and no pages. Leave out \(name).")
      }
    }
    span = try query.span()
    isUsedOnly = try query.flag("used") ?? false
  }

  /// Returns the response with the file.
  func response(of device: DeviceID, to reader: AccessToken, _ core: ServerCore) throws -> Response {
    // A failure of the store is an answer only before the first byte.
    let first = try page(after: nil, of: device, to: reader, core)
    return Response(
      status: .ok, headers: [.contentType: type],
      body: ResponseBody { output in
        guard var writer = makeWriter() else { return }
        var segments = HistorySegmenter(gap: Self.gap), page = first
        while true {
          var bytes: [UInt8] = []
          for entry in page.fixes {
            if segments.begins(at: entry.fix.time) { writer.write(.segmentBegan, to: &bytes) }
            writer.write(entry.fix, to: &bytes)
          }
          if page.next == nil { writer.finish(to: &bytes) }
          if bytes.isEmpty {
            // A page of 100,000 withheld fixes: other requests come first.
            await Task.yield()
          } else {
            try await output.write(ByteBuffer(bytes: bytes))
          }
          guard let next = page.next else { break }
          // Meanwhile the token may have been revoked. A file that breaks off is none.
          guard core.tokens.isValid(reader, at: .now) else { throw Authenticator.unauthorized() }
          page = try self.page(after: next, of: device, to: reader, core)
        }
        try await output.finish(nil)
      })
  }

  /// Returns the writer. A GPX track that is held for its type would take memory for each request.
  private func makeWriter() -> (any RecordingWriter)? {
    if format == .gpx { return GPXWriter(maximumHeldFixes: 0) }
    return format.makeWriter()
  }

  /// Reads a page by the zones of now.
  private func page(
    after cursor: HistoryCursor?, of device: DeviceID, to reader: AccessToken, _ core: ServerCore
  ) throws -> HistoryPage {
    try HistoryPage(
      after: cursor, limit: Self.pageSize, in: span, isUsedOnly: isUsedOnly, of: device, in: core.store,
      core.authenticator.disclosure(for: reader))
  }
}
