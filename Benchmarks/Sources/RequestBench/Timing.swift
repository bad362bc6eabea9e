/// The number of measurements of each figure.
let runs = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5

/// Nanoseconds an operation takes, the median of all runs, after two that don't count.
///
/// - Parameters:
///   - operations: how many of them `body` carries out.
///   - prepare: makes what `body` begins with; not timed.
func median<State>(
  per operations: Int, prepare: () -> State, _ body: (inout State) -> Void
) -> Double {
  let clock = ContinuousClock()
  let times = (0..<runs + 2).map { _ in
    var state = prepare()
    return clock.measure { body(&state) } / .nanoseconds(1) / Double(operations)
  }
  return times.dropFirst(2).sorted()[runs / 2]
}

func report(_ what: String, ours: Double, array: Double? = nil) {
  var line = what + String(repeating: " ", count: max(1, 52 - what.count)) + amount(ours)
  if let array { line += "   array " + amount(array) + "   ratio \(amount(array / ours, unit: ""))" }
  print(line)
}

private func amount(_ number: Double, unit: String = " ns") -> String {
  number < 10 ? "\((number * 10).rounded() / 10)\(unit)" : "\(Int(number.rounded()))\(unit)"
}
