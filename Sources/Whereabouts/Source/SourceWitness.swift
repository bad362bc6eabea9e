/// A source that wants to know of everything that is asked of it, in order and as it is decided.
///
/// ``SourceLink/demands`` and ``SourceLink/questions`` give whoever is behind the newest only, which is right for a
/// receiver and wrong for a test.
package protocol SourceWitness: LocationSource {
  /// This is asked of the source from now on. The engine's loop waits for the return.
  func isAsked(for demand: Demand) async
  /// The person is to be asked for this. The engine's loop waits for the return.
  func isToAsk(for level: Authorization.Level) async
}
