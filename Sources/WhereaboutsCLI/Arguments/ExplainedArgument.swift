import ArgumentParser

/// A value of the command line whose error states its form. An initializer that returns `nil` gives no reason, so an
/// option passes ``parse(_:)`` as its transform.
protocol ExplainedArgument: ExpressibleByArgument {
  /// The form, units and range of the value, for errors.
  static var form: String { get }
}

extension ExplainedArgument {
  /// Parses a value.
  ///
  /// - Throws: a `ValidationError` with the form of the value.
  static func parse(_ text: String) throws -> Self {
    guard let value = Self(argument: text) else { throw ValidationError("\(form).") }
    return value
  }
}
