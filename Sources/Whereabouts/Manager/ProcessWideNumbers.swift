import Atomics

/// Numbers that are unique among the requests and subscriptions of a process.
enum ProcessWideNumbers {
  private static let last = ManagedAtomic<UInt64>(0)

  static func next() -> UInt64 {
    last.wrappingIncrementThenLoad(ordering: .relaxed)
  }
}
