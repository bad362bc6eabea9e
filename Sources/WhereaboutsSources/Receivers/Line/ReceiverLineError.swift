import WhereaboutsModel

/// The reason why a line could not be opened, and the kind of retry.
struct ReceiverLineError: Error, Hashable {
  enum Retry: Hashable {
    /// An attempt costs nothing, and the next one may succeed at any moment.
    case immediately
    /// A remote peer must become available first.
    case later
    /// Permission is missing: a person has to act.
    case whenPermitted
    /// No attempt can succeed.
    case never
  }

  var problem: SourceProblem
  var retry: Retry
}
