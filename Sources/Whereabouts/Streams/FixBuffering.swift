/// What a subscriber keeps of the updates it has not taken yet.
///
/// Only fixes and headings are dropped by the policy, and they alone count. Troubles and changes of permission are kept
/// whatever the policy, in their place: the newest hundred that are not taken.
public enum FixBuffering: Hashable, Sendable {
  /// The newest so many; older ones are dropped. For a map: `.newest(1)`.
  case newest(Int)
  /// The first so many; newer ones are dropped until some are taken. For a log.
  case all(upTo: Int)
  /// All of them, and the *source* waits while so many have not been taken.
  ///
  /// Only for sources that can wait without losing anything, which are recordings.
  ///
  /// A request that is open needs the source, and the subscriber may be waiting for that very request. So while any
  /// request of the manager is open the source does not wait, and what comes meanwhile is kept beyond the count. But a
  /// loop over one such stream must not wait for the next element of *another*: each would wait for the other.
  case waiting(upTo: Int)
}
