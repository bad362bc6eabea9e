import Foundation

// The part of Core Foundation's run loop that a thread needs: Foundation on Linux does not give it away. A loop here is
// stricter than Apple's: it does not notice a block until it is woken.

public final class CFRunLoop {
  private let condition = NSCondition()
  private var blocks: [() -> Void] = []
  private var isWoken = false
  private var isStopped = false
  private var isOver = false

  fileprivate init() {}

  /// Adds a block; returns whether the loop will ever run it.
  @discardableResult
  func enqueue(_ block: @escaping () -> Void) -> Bool {
    condition.withLock {
      guard !isOver else { return false }
      blocks.append(block)
      return true
    }
  }

  func wake() {
    condition.withLock {
      isWoken = true
      condition.signal()
    }
  }

  fileprivate func stop() {
    condition.withLock {
      isStopped = true
      condition.signal()
    }
  }

  fileprivate func run() {
    while let due = nextBlocks() {
      for block in due { block() }
    }
  }

  private func nextBlocks() -> [() -> Void]? {
    condition.withLock {
      while !isWoken, !isStopped { condition.wait() }
      if isStopped, blocks.isEmpty {
        isOver = true
        return nil
      }
      isWoken = false
      defer { blocks = [] }
      return blocks
    }
  }

  /// The loop of this thread, if anybody asked for it.
  static var currentIfAny: CFRunLoop? {
    Thread.current.threadDictionary["CFRunLoop"] as? CFRunLoop
  }

  static var current: CFRunLoop {
    if let loop = currentIfAny { return loop }
    let loop = CFRunLoop()
    Thread.current.threadDictionary["CFRunLoop"] = loop
    return loop
  }
}

public struct CFRunLoopMode: RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let defaultMode = CFRunLoopMode(rawValue: "kCFRunLoopDefaultMode")
}

public enum CFRunLoopRunResult: Int32, Sendable {
  case finished = 1
  case stopped
  case timedOut
  case handledSource
}

// Of Objective-C's runtime: nothing is released later on Linux.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

// Apple's returns and takes optionals that are unwrapped by themselves.
public func CFRunLoopGetCurrent() -> CFRunLoop? { .current }
/// Runs until it is stopped, whatever the time.
public func CFRunLoopRunInMode(
  _ mode: CFRunLoopMode?, _ seconds: Double, _ returnAfterSourceHandled: Bool
) -> CFRunLoopRunResult {
  CFRunLoop.current.run()
  return .stopped
}
public func CFRunLoopStop(_ rl: CFRunLoop?) { rl?.stop() }
public func CFRunLoopWakeUp(_ rl: CFRunLoop?) { rl?.wake() }
public func CFRunLoopPerformBlock(_ rl: CFRunLoop?, _ mode: String?, _ block: (() -> Void)?) {
  guard let block else { return }
  rl?.enqueue(block)
}
