/// A source of fixes: a function from demands to signals.
///
/// A source runs as long as its manager lives. ``SourceLink/demands``, and the answer to each signal, carry the
/// current demand. ``SourceLink/send(_:)`` sends a signal. Without a demand the receiver is off.
public protocol LocationSource: Sendable {
  /// The permission that fixes need; ``Authorization/Needs/none`` by default.
  var authorizationNeeds: Authorization.Needs { get }

  /// Whether fixes are live or from a recording; ``SourceTiming/live`` by default. The manager reads the value once, at
  /// its creation. A source around another source returns the other's timing.
  var timing: SourceTiming { get }

  /// Runs until the task is cancelled or the source has no more signals.
  ///
  /// - Ends: returning means ``SourceSignal/ended``. A source that can't deliver for now sends
  ///   ``SourceSignal/unavailable(_:)``, keeps running and retries. A source that has given up sends
  ///   ``SourceSignal/failed(_:)``, waits for the next demand, and retries. While fixes are needed, the demand is
  ///   repeated after 10 s, and then after pauses that double up to 10 min.
  /// - Cancellation: the manager is gone; release the receiver and return soon.
  func run(_ link: SourceLink) async
}

extension LocationSource {
  /// No permission. A source that is refused nevertheless sends ``SourceSignal/authorization(_:)``.
  public var authorizationNeeds: Authorization.Needs { .none }

  /// The default timing: live.
  public var timing: SourceTiming { .live }
}

/// The origin of a source's time.
public enum SourceTiming: Hashable, Sendable {
  /// Fixes are live, and deadlines follow the manager's clock.
  case live
  /// Fixes are from a recording. The source alone advances time, with ``SourceLink/send(_:at:)`` and
  /// ``SourceLink/advance(to:)``. Deadlines are processed at their own instants, and the results are the same at every
  /// speed.
  case recorded
}

extension Authorization {
  /// The permission that a source's fixes need.
  public enum Needs: Hashable, Sendable {
    /// No permission known beforehand.
    case none
    /// A person's consent. The authorization is undetermined until the source sends ``SourceSignal/authorization(_:)``.
    /// The program may request these levels; none if the program lacks the platform's declaration.
    case userConsent(requestable: Set<Authorization.Level>)
  }
}
