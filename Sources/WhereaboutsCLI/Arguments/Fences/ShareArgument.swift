import ArgumentParser

/// How sure something must be, as typed: `0.95` or `95%`.
struct ShareArgument: Hashable, Sendable {
  /// In [0.5, 0.9999]: less is a guess, and nothing is surer.
  var share: Double

  /// Reads a share, or `nil`.
  init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: ".") }),
      let number = Double(digits)
    else { return nil }
    let share = isPercent ? number / 100 : number
    guard share >= 0.5, share <= 0.9999 else { return nil }
    self.share = share
  }
}

extension ShareArgument: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
