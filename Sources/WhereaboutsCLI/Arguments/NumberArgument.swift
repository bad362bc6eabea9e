import ArgumentParser

extension FixedWidthInteger {
  /// Parses a whole number of the command line.
  ///
  /// - Throws: a `ValidationError` with the form of the value.
  static func parseArgument(_ text: String) throws -> Self {
    guard let number = Self(text) else { throw ValidationError("Write a whole number, as in 10.") }
    return number
  }
}

extension Double {
  /// Parses a number of the command line.
  ///
  /// - Throws: a `ValidationError` with the form of the value.
  static func parseArgument(_ text: String) throws -> Double {
    guard let number = Double(text) else { throw ValidationError("Write a number, as in 1.5.") }
    return number
  }
}
