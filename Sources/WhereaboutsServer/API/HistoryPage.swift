import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// One page of a device's history in the form for a reader. The fixes that are withheld neither count in its length nor
/// show in its cursor, which states a time. Only behind 100,000 of them, a page ends with the cursor of a withheld fix.
struct HistoryPage {
  private static let standardLimit = 1_000
  private static let largestLimit = 10_000
  /// The greatest number of rows that are read for a page of the fixes that a reader may see.
  private static let mostRead = 100_000

  /// The fixes that the reader receives.
  private(set) var fixes: [LoggedFix] = []
  /// The number of fixes of the page that the reader receives as they are.
  private(set) var exact = 0
  /// The number of fixes of the page that the reader receives on a grid.
  private(set) var coarse = 0
  /// The number of fixes of the page that the reader does not get.
  private(set) var withheld = 0
  /// The beginning of the next page; `nil` at the end.
  private(set) var next: HistoryCursor?
  /// The text of ``next`` for the reader; `nil` for a page of a file.
  private var nextText: String?

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - query: the span, the cursor and the greatest number of fixes, or the number of the newest ones.
  ///   - disclosure: the rules of the reader.
  init(_ query: QueryReader, of device: DeviceID, in store: SQLiteStore, _ disclosure: Disclosure) throws {
    let limit = try query.integer("limit", in: 1...Self.largestLimit) ?? Self.standardLimit
    let cursor = try query.text("cursor").map {
      try HistoryCursor($0, for: disclosure, of: device, in: store)
    }
    let span = try query.span()
    let newest = try query.integer("newest", in: 1...Self.largestLimit)
    let isUsedOnly = try query.flag("used") ?? false
    guard let newest else {
      try self.init(
        after: cursor, limit: limit, in: span, isUsedOnly: isUsedOnly, of: device, in: store, disclosure)
      nextText = try next?.text(for: disclosure, of: device, in: store)
      return
    }
    self.init()
    let uses: Set<LoggedFix.Use> = isUsedOnly ? [.used] : Set(LoggedFix.Use.allCases)
    try addNewest(
      newest, of: device, in: disclosure.visiblePart(of: span), uses: uses, store, disclosure)
  }

  private init() {}

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - cursor: the end of the page before; `nil` for the first page.
  ///   - limit: the greatest number of fixes.
  ///   - isUsedOnly: whether fixes that were not used are left out.
  ///   - disclosure: the rules of the reader.
  init(
    after cursor: HistoryCursor?, limit: Int, in span: Range<UTCTime>?, isUsedOnly: Bool, of device: DeviceID,
    in store: SQLiteStore, _ disclosure: Disclosure
  ) throws {
    let span = disclosure.visiblePart(of: span)
    var end = cursor, read = 0, size = limit
    repeat {
      let rows = try store.historyPage(of: device, in: span, after: end?.position, limit: size)
      for stored in rows where fixes.count < limit {
        end = HistoryCursor(after: stored)
        guard !isUsedOnly || stored.fix.use == .used else { continue }
        add(stored.fix, shown: disclosure.fix(stored.fix.fix, of: device))
      }
      guard rows.count == size || fixes.count == limit else { return }
      read += rows.count
      // Behind fixes that are withheld there may be others.
      size = min(size * 10, Self.largestLimit)
    } while fixes.count < limit && read < Self.mostRead
    next = end
  }

  /// Adds the newest fixes that the reader may see, the oldest first.
  private mutating func addNewest(
    _ count: Int, of device: DeviceID, in span: Range<UTCTime>?, uses: Set<LoggedFix.Use>,
    _ store: SQLiteStore, _ disclosure: Disclosure
  ) throws {
    var limit = count, isAtEnd = false
    repeat {
      (fixes, exact, coarse, withheld) = ([], 0, 0, 0)
      var read = 0
      try store.history(of: device, in: span, uses: uses, limit: limit, newestFirst: true) { stored in
        read += 1
        guard fixes.count < count else { return }
        add(stored.fix, shown: disclosure.fix(stored.fix.fix, of: device))
      }
      isAtEnd = fixes.count == count || read < limit || limit == Self.mostRead
      // Behind fixes that are withheld there may be others.
      limit = min(limit * 10, Self.mostRead)
    } while !isAtEnd
    fixes.reverse()
  }

  private mutating func add(_ stored: LoggedFix, shown: Fix?) {
    guard let shown else {
      withheld += 1
      return
    }
    if shown == stored.fix { exact += 1 } else { coarse += 1 }
    fixes.append(LoggedFix(shown, use: stored.use, seen: stored.seen))
  }

  /// Appends the fixes and the cursor of the next page.
  func append(to body: inout [UInt8]) {
    body.appendJSONMember("fixes", fixes) { body, entry in
      body.appendJSONObject {
        $0.appendJSONMembers(of: entry.fix, .plain)
        if entry.use != .used { $0.appendJSONMember("use", entry.use.rawValue) }
        $0.appendJSONMember("processed", entry.seen)
      }
    }
    body.appendJSONMember("next", nextText)
  }
}
