import Atomics

/// Numbers that no two requests or subscriptions of a process share.
enum ProcessWideNumbers {
  private static let last = ManagedAtomic<UInt64>(0)

  static func next() -> UInt64 {
    last.wrappingIncrementThenLoad(ordering: .relaxed)
  }
}
