import Foundation
import Synchronization
import WhereaboutsSystem

/// A program that is run without a shell, in a process group of its own, with a time limit.
///
/// Foundation's `Process` passes on the signals that its thread blocks, which are nearly all in a task: such a program
/// can't be ended. So the program starts here with no blocked signal and with no open file but the three standard ones.
struct ChildProgram: Sendable {
  /// The end of a program.
  enum End: Hashable, Sendable {
    case exited(Int32)
    case ended(signal: Int32)
    case timedOut
    case notStarted(Int32)
  }

  /// The greatest size of the input, which fits into a pipe at once.
  static let maximumInput = 60_000
  /// The time for a program to end by itself after SIGTERM. A server that ends waits for longer.
  private static let grace = Duration.seconds(2)

  /// The path, and the arguments after it.
  let arguments: [String]
  /// The environment.
  let environment: [String: String]

  /// Runs the program with an input, and waits for its end.
  ///
  /// The time limit and a cancellation end the whole process group.
  func run(input: [UInt8], timeout: Duration) async -> End {
    let process: RunningProgram
    switch start(input) {
    case .success(let started): process = started
    case .failure(let error): return .notStarted(error.code)
    }
    let limit = Task {
      guard (try? await Task.sleep(for: timeout)) != nil else { return }
      await Self.end(process, isTimeout: true)
    }
    defer { limit.cancel() }
    return await withTaskCancellationHandler {
      await process.waitForEnd()
    } onCancel: {
      // A task of its own: the cancelled one could not wait.
      Task { await Self.end(process, isTimeout: false) }
    }
  }

  /// Ends a program and its children: by SIGTERM, then by SIGKILL.
  private static func end(_ process: RunningProgram, isTimeout: Bool) async {
    process.end(SIGTERM, isTimeout: isTimeout)
    guard (try? await Task.sleep(for: grace)) != nil else { return }
    process.end(SIGKILL, isTimeout: isTimeout)
  }

  private struct SystemError: Error { let code: Int32 }

  private func start(_ input: [UInt8]) -> Result<RunningProgram, SystemError> {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .failure(SystemError(code: errno)) }
    defer { for end in ends { close(end) } }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The reader exists, so the write does not block and raises no signal.
    let prefix = input.prefix(Self.maximumInput)
    _ = prefix.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    for descriptor in Folder.names(in: "/proc/self/fd").compactMap({ Int32($0) }) where descriptor > 2 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var none = sigset_t(), all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = self.arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id = pid_t()
    let code = posix_spawn(&id, self.arguments[0], &actions, &attributes, &arguments, &variables)
    return code == 0 ? .success(RunningProgram(id)) : .failure(SystemError(code: code))
  }
}

/// A running program, whose process id is not reused before its end is noticed.
private final class RunningProgram: Sendable {
  private struct State {
    var hasEnded = false
    var isTimedOut = false
  }

  private let id: pid_t
  private let state = Mutex(State())

  init(_ id: pid_t) { self.id = id }

  /// Sends a signal to the process group, unless it has ended.
  func end(_ signal: Int32, isTimeout: Bool) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      if isTimeout { state.isTimedOut = true }
      kill(-id, signal)
    }
  }

  /// Waits on a thread of its own.
  func waitForEnd() async -> ChildProgram.End {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in continuation.resume(returning: wait()) }
    }
  }

  private func wait() -> ChildProgram.End {
    // The id stays in use until the lock is held, so that no signal reaches another process.
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      state.hasEnded = true
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      if state.isTimedOut { return .timedOut }
      let signal = status & 0x7F
      return signal == 0 ? .exited(status >> 8 & 0xFF) : .ended(signal: signal)
    }
  }
}
