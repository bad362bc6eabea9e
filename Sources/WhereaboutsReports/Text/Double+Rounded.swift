extension Double {
  /// Returns the number rounded to a fraction of 1: `parts` is the denominator.
  package func rounded(to parts: Double) -> Double {
    let scaled = (self * parts).rounded()
    return scaled.isFinite ? scaled / parts : self
  }
}
