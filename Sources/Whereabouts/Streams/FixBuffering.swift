/// The policy for the updates that a subscriber has not consumed yet.
///
/// The policy counts and drops only fixes and headings. Problems and changes of permission keep their place under
/// every policy: the newest hundred unconsumed ones. A number below one counts as one.
public enum FixBuffering: Hashable, Sendable {
  /// Keeps this many of the newest; older ones are dropped. For a map: `.newest(1)`.
  case newest(Int)
  /// Keeps this many of the first; newer ones are dropped until some are consumed. For a log.
  case all(upTo: Int)
  /// Keeps all. The *source* waits while this many are unconsumed.
  ///
  /// Only for sources that can wait without losing anything, which are recordings.
  ///
  /// While any request of the manager is open, the source does not wait, and updates are kept beyond the count. The
  /// open request needs the source, and the subscriber may be waiting for the request. A loop over one such stream
  /// must not wait for the next element of *another*: each stream would wait for the other.
  case waiting(upTo: Int)
}
