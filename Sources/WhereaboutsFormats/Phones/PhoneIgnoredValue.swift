/// A value that was ignored in a row that was otherwise read.
public struct PhoneIgnoredValue: Hashable, Sendable {
  /// The index of the row in its request, from 0.
  public var row: Int
  /// The name of the value in the app's dialect.
  public var name: String
  /// The reason in plain words.
  public var reason: String
}
