import ArgumentParser
import WhereaboutsReports

/// A length as typed: metres (`50`, `50m`) or kilometres (`1.5km`).
struct LengthArgument: Hashable, Sendable {
  var metres: Double

  /// Parses a length of 0 m to the circumference of the Earth; returns `nil` for any other text.
  init?(_ text: String) {
    var digits = text[...]
    var unit = 1.0
    if digits.hasSuffix("km") {
      digits = digits.dropLast(2)
      unit = 1000
    } else if digits.hasSuffix("m") {
      digits = digits.dropLast()
    }
    // Double would also parse "0x10", "inf" and "1e3".
    guard digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: ".") }),
      let number = Double(digits), number * unit <= 40_075_017
    else { return nil }
    metres = number * unit
  }
}

extension LengthArgument: ExplainedArgument {
  static let form =
    "Write metres or kilometres, as in 50, 50m or 1.5km, up to 40,075 km"

  init?(argument: String) { self.init(argument) }

  var defaultValueDescription: String { Quantities.length(metres) }
}
