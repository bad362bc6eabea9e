import ArgumentParser

/// A confidence as typed: `0.95` or `95%`.
struct ConfidenceArgument: Hashable, Sendable {
  /// The confidence, in [0.5, 0.9999].
  var confidence: Double

  /// Parses a confidence; returns `nil` if the text is invalid or out of range.
  init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: ".") }),
      let number = Double(digits)
    else { return nil }
    let share = isPercent ? number / 100 : number
    guard share >= 0.5, share <= 0.9999 else { return nil }
    self.confidence = share
  }
}

extension ConfidenceArgument: ExplainedArgument {
  static let form =
    "Write a share from 0.5 to 0.9999, or per cent from 50% to 99.99%"

  init?(argument: String) { self.init(argument) }
}
