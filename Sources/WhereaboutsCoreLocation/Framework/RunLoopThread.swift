#if CORE_LOCATION
  import CoreLocation
  import Foundation

  /// A thread with a run loop, and a value that only this thread accesses.
  ///
  /// Core Location calls back on the thread that created a manager, and some of its calls wait for another process. So
  /// neither the main thread nor Swift's own threads are suitable.
  ///
  /// Unchecked: `resident` is used by the thread alone, everything else under the lock.
  final class RunLoopThread<Resident>: @unchecked Sendable {
    typealias Work = @Sendable (Resident) -> Void

    private let lock = NSLock()
    private var work: [Work] = []
    private var runLoop: CFRunLoop?
    private var isStopped = false
    private var resident: Resident?

    /// Starts a thread that makes its resident first.
    init(name: String, makeResident: @escaping @Sendable (RunLoopThread) -> Resident) {
      let thread = Thread { [self] in
        resident = makeResident(self)
        run()
        resident = nil
      }
      thread.name = name
      thread.qualityOfService = .utility
      thread.start()
    }

    /// Does something with the resident on the thread, after everything before.
    ///
    /// - Returns: `false` if the thread has ended or is about to, and will not do it.
    @discardableResult
    func perform(_ body: @escaping Work) -> Bool {
      lock.withLock {
        guard !isStopped else { return false }
        work.append(body)
        wake()
        return true
      }
    }

    /// Ends the thread after everything before.
    func stop() {
      lock.withLock {
        isStopped = true
        wake()
      }
    }

    /// Makes the run loop process its pending work; none of these calls blocks.
    private func wake() {
      guard let runLoop else { return }
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.defaultMode.rawValue) { [weak self] in self?.performDue() }
      CFRunLoopWakeUp(runLoop)
    }

    private func run() {
      // A run loop without anything to wait for ends at once.
      let idle = Timer(fire: .distantFuture, interval: .greatestFiniteMagnitude, repeats: true) { _ in }
      RunLoop.current.add(idle, forMode: .default)
      lock.withLock {
        runLoop = CFRunLoopGetCurrent()
        wake()
      }
      // Each round has its own pool. In the thread's pool, objects that the framework releases later would be kept until
      // the thread ends.
      let roundDuration = 1800.0
      var result = CFRunLoopRunResult.timedOut
      while result == .timedOut {
        result = autoreleasepool { CFRunLoopRunInMode(.defaultMode, roundDuration, false) }
      }
      idle.invalidate()
    }

    private func performDue() {
      let (due, ends) = lock.withLock {
        defer { work = [] }
        return (work, isStopped)
      }
      if let resident {
        for body in due { body(resident) }
      }
      if ends { CFRunLoopStop(CFRunLoopGetCurrent()) }
    }
  }
#endif
