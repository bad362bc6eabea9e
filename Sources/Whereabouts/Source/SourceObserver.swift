/// A source that observes every demand, in the order of the decisions.
///
/// ``SourceLink/demands`` and ``SourceLink/authorizationRequests`` give a slow consumer the newest value only. A test
/// needs every value.
package protocol SourceObserver: LocationSource {
  /// Notifies the source of a new demand. The engine's loop waits for the return.
  func demandDidChange(to demand: Demand) async
  /// Notifies the source of an authorization request. The engine's loop waits for the return.
  func authorizationRequested(for level: Authorization.Level) async
}
