package import WhereaboutsModel
import WhereaboutsSystem

extension Trip {
  /// The command that resumes the trip.
  package var resumption: String { "whereabouts track --trip \(id.rawValue.shellQuoted)" }
}
