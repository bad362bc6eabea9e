import ArgumentParser
import WhereaboutsModel

/// The north reference of headings as typed.
enum ReferenceArgument: String, ExpressibleByArgument, Hashable, Sendable, CaseIterable {
  case any
  case `true`
  case magnetic
  case compass

  /// The reference; `nil` for any.
  var reference: Heading.Reference? { Heading.Reference(rawValue: rawValue) }
}
