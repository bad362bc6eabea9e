import Foundation

/// Nanoseconds of processor time that this thread has had: other work beside it doesn't count.
func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

func timed(_ body: () -> Void) -> Double {
  let began = processorTime()
  body()
  return Double(processorTime() - began)
}

func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

/// The memory this process has, in bytes; `nil` where the system has no `/proc`. Large blocks go back to the system when they are freed.
func residentMemory() -> Int? {
  let sizes = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  return sizes.flatMap { Int($0.split(separator: " ")[1]) }.map { $0 * 4096 }
}
