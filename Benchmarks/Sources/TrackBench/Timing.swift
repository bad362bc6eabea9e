import Foundation

/// Nanoseconds of processor time that an operation takes, the median of some runs, after two that don't count.
///
/// - Parameters:
///   - operations: how many of them `body` carries out.
///   - prepare: makes what `body` begins with; not timed.
func median<State>(
  of runs: Int, per operations: Int, prepare: () -> State, _ body: (inout State) -> Void
) -> Double {
  let times = (0..<runs + 2).map { _ in
    var state = prepare()
    let began = processorTime()
    body(&state)
    return Double(processorTime() - began) / Double(operations)
  }
  return times.dropFirst(2).sorted()[runs / 2]
}

/// The processor time of this thread, in nanoseconds: other work beside it doesn't count.
func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

/// The memory this process has, in bytes; `nil` where the system has no `/proc`.
func residentMemory() -> Int? {
  let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Int($0) }.map {
    $0 * 1024
  }
}
