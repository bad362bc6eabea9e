import WhereaboutsCore

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
    /// Somebody or something says that it may not be known, or not be read.
    case notPermitted = 4
    /// The receiver is there and says nothing.
    case silent = 5
    /// There is no such receiver, or nobody answers where it should be.
    case absent = 6
    /// Another program has what can be used by one only.
    case inUse = 7
    /// Ctrl-C came before the answer: 128 and the number of the signal, as shells count.
    case interrupted = 130
  }

  /// What could not be done and why; empty where everything has been said.
  var message: String
  var code: Code

  init(_ message: String, code: Code = .failed) {
    self.message = message
    self.code = code
  }

  /// What a source's trouble means for a command that can't go on.
  init(_ trouble: SourceTrouble) {
    self.init(
      "could not \(trouble.message)\(trouble.remedy.map { ". \($0)" } ?? "")", code: Code(trouble.code))
  }
}

extension CommandFailure.Code {
  /// The exit code of a command that can't go on for such a trouble.
  init(_ code: SourceTrouble.Code) {
    switch code {
    case .notPermitted: self = .notPermitted
    case .timedOut: self = .timedOut
    case .silent: self = .silent
    case .noReceiver, .unreachable: self = .absent
    case .inUse: self = .inUse
    default: self = .failed
    }
  }
}

extension SourceTrouble.Code {
  /// What was waited for did not come in time.
  static let timedOut = SourceTrouble.Code(rawValue: "timed-out")
}
