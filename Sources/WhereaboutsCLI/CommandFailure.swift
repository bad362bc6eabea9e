/// Why a command ended without what was asked of it.
struct CommandFailure: Error, Equatable {
  /// The exit codes of `whereabouts`; 0 is success.
  enum Code: Int32 {
    /// It could not be done.
    case failed = 1
    /// The command line asks for something that does not exist.
    case usage = 2
    /// No answer came in time.
    case timedOut = 3
  }

  /// What could not be done and why; empty where everything has been said.
  var message: String
  var code: Code

  init(_ message: String, code: Code = .failed) {
    self.message = message
    self.code = code
  }
}
