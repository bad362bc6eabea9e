public import WhereaboutsModel

/// A trip that a person started in Overland. A value that the message does not state is `nil`.
public struct PhoneTrip: Hashable, Sendable {
  /// The mode in the app's own word: `driving`, `walking`.
  public var mode: String?
  /// The time of the start.
  public var started: UTCTime?
  /// The time of the end; `nil` while the trip continues.
  public var ended: UTCTime?
  /// The distance that the app counted, in metres.
  public var distance: Double?
  /// The number of steps.
  public var steps: Int?
  /// The index of the row in its request; `nil` for the continuing trip.
  public var row: Int?

  /// Creates a trip.
  public init(row: Int? = nil) { self.row = row }
}
