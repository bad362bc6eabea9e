/// The pauses of a server that span two or more connections, because each pause ended a connection as silent.
///
/// A dead connection shows itself by its replacement, which gets data at once and for long. If the replacement waits for
/// its data too, or soon falls silent for the same time, the server was only pausing.
struct ConnectionPauses: Hashable, Sendable {
  /// The shortest wait for the first data that is not at once. Most receivers report every second.
  private static let shortestWait = Duration.seconds(2)

  /// The time without data at the end of the connections since the last data.
  private var silence = Duration.zero
  private var last: Duration?
  /// The shorter one of the last two pauses: a single one may be a stop of the sender. `nil` after a connection that
  /// got data at once and for long.
  private(set) var usual: Duration?

  /// Records the end of a connection.
  ///
  /// - Parameters:
  ///   - firstDataAfter: the time from the connection to its first data; `nil` for a connection without data.
  ///   - dataDuration: the time from its first data to its last.
  ///   - silentFor: the time without data that has ended the connection; `nil` if something else has.
  mutating func recordEnd(firstDataAfter: Duration?, dataDuration: Duration, silentFor: Duration?) {
    if let firstDataAfter {
      // Only with an unchanged timeout: a longer one bridges the pause, so a connection that is silent for longer is dead.
      // Otherwise the timeout would grow with each connection that dies soon.
      let isBurst = silence == silentFor && dataDuration < silence
      let isPause = silence > .zero && (firstDataAfter >= Self.shortestWait || isBurst)
      let pause = isPause ? silence + firstDataAfter : nil
      usual = pause.flatMap { pause in last.map { min($0, pause) } }
      last = pause
      silence = .zero
    }
    silence = silentFor.map { silence + $0 } ?? .zero
  }
}
