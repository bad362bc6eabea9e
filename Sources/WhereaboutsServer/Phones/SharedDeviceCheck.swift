import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel

/// A check whether two phones send as one device, which jumps between them again and again.
///
/// A jump counts if one sender is at the same place before and after another one is far away, faster than anybody
/// travels there and back. One phone may have two apps: they send from one place. The outliers of one app have one
/// sender.
struct SharedDeviceCheck: Sendable {
  /// The names by which a request states its phone and its app.
  struct Sender: Hashable, Sendable {
    /// The `User-Agent` field.
    var app: String?
    /// The device's name.
    var name: String?
    /// The two characters of OwnTracks.
    var trackerID: String?
  }

  /// The number of jumps after which a device is shared.
  private static let jumpLimit = 3
  /// The time in which they happen.
  private static let jumpSpan = Duration.seconds(3600)
  /// The greatest distance between two places of a sender that has stayed, in metres.
  private static let stayDistance = 500.0
  /// The least distance of the other sender, in metres.
  private static let leastDistance = 1_000.0
  /// The least speed of the way there and back, in metres a second.
  private static let leastSpeed = 60.0
  /// The greatest number of senders that are remembered.
  private static let senderLimit = 8

  private var last: (sender: Sender, fix: Fix, time: UTCTime)?
  /// The last fix of each sender.
  private var fixes: [Sender: (fix: Fix, time: UTCTime)] = [:]
  private var jumps: [UTCTime] = []

  /// Processes the newest fix of a request. A late one is ignored.
  ///
  /// - Returns: whether the device is shared. The jumps are counted anew then.
  mutating func process(_ fix: Fix, from sender: Sender) -> Bool {
    guard let time = fix.time else { return false }
    if let last, time < last.time { return false }
    let new = (fix: fix, time: time)
    if let last, last.sender != sender, let before = fixes[sender], Self.isJump(before, last.fix, new) {
      jumps = jumps.filter { time.since($0) <= Self.jumpSpan } + [time]
    }
    if fixes.count >= Self.senderLimit, fixes[sender] == nil { fixes = [:] }
    fixes[sender] = new
    last = (sender: sender, fix: fix, time: time)
    guard jumps.count >= Self.jumpLimit else { return false }
    jumps = []
    return true
  }

  private static func isJump(
    _ before: (fix: Fix, time: UTCTime), _ away: Fix, _ after: (fix: Fix, time: UTCTime)
  ) -> Bool {
    func distance(_ one: Fix, _ other: Fix) -> Double { one.coordinate.distance(to: other.coordinate) }
    func error(_ fix: Fix) -> Double { 3 * (fix.horizontalAccuracy ?? 0) }
    guard distance(before.fix, after.fix) <= stayDistance else { return false }
    let nearer = min(
      distance(before.fix, away) - error(before.fix), distance(after.fix, away) - error(after.fix))
    let least = nearer - error(away), seconds = after.time.seconds(since: before.time)
    return least >= leastDistance && 2 * least >= leastSpeed * seconds
  }
}

extension SharedDeviceCheck.Sender {
  /// Creates the sender of a report.
  ///
  /// - Parameter app: the `User-Agent` field of its request.
  init(of report: PhoneReport, app: String?) {
    self.init(app: app, name: report.identity.device, trackerID: report.identity.trackerID)
  }
}
