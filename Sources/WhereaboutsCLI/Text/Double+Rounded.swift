extension Double {
  /// This number rounded to so many parts of one.
  func rounded(to parts: Double) -> Double {
    let scaled = (self * parts).rounded()
    return scaled.isFinite ? scaled / parts : self
  }
}
