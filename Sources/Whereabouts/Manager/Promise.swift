/// A value that comes once, for any number of waiters.
actor Promise<Value: Sendable> {
  private var value: Value?
  private var waiters: [CheckedContinuation<Value, Never>] = []

  /// Gives the value. Whatever comes second is ignored.
  func fulfil(_ value: Value) {
    guard self.value == nil else { return }
    self.value = value
    for waiter in waiters { waiter.resume(returning: value) }
    waiters = []
  }

  /// The value, as soon as it is there.
  var result: Value {
    get async {
      if let value { return value }
      return await withCheckedContinuation { waiters.append($0) }
    }
  }
}
