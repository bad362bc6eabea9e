import WhereaboutsCore

/// Why a line could not be opened, and what that means for trying again.
struct LineFailure: Error, Hashable {
  enum Retry: Hashable {
    /// The try costs nothing, and the next one may succeed at any moment.
    case atOnce
    /// Whoever is to answer has to be waited for.
    case later
    /// It is not permitted: somebody has to do something.
    case whenPermitted
    /// It can't be, whoever does what.
    case never
  }

  var trouble: SourceTrouble
  var retry: Retry
}
