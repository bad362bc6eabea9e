import ArgumentParser
import WhereaboutsCore

/// The north that headings are to be counted from, as typed.
enum ReferenceArgument: String, ExpressibleByArgument, Hashable, Sendable, CaseIterable {
  case any
  case `true`
  case magnetic
  case compass

  /// `nil` for any.
  var reference: Heading.Reference? { Heading.Reference(rawValue: rawValue) }
}
