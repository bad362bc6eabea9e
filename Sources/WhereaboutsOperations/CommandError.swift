package import WhereaboutsModel
import WhereaboutsReports

/// An error that ends a command.
package struct CommandError: Error, Equatable, CustomStringConvertible {
  /// The exit codes of `whereabouts`; 0 is success.
  package enum Code: Int32, Sendable {
    /// The command failed.
    case failed = 1
    /// The command line names something that does not exist.
    case usage = 2
    /// No result arrived before the timeout.
    case timedOut = 3
    /// Permission to use location or to read a file was denied.
    case notPermitted = 4
    /// The receiver is present but sends nothing.
    case silent = 5
    /// The receiver is absent, or no server answers at its address.
    case absent = 6
    /// Another program uses an exclusive resource.
    case inUse = 7
    /// Ctrl-C ended the command before a result: 128 plus the number of the signal, as in shells.
    case interrupted = 130
  }

  /// The failure and its reason; empty if the command has already printed the message.
  package var message: String
  package var code: Code

  package var description: String { message }

  package init(_ message: String, code: Code = .failed) {
    self.message = message
    self.code = code
  }

  /// Creates the error of a command that a source's problem ends.
  package init(_ problem: SourceProblem) {
    self.init(
      "could not \(problem.message)\(problem.remedy.map { ". \($0)" } ?? "")", code: Code(problem.code))
  }

  /// Returns the error for a recording in damaged, cut or refused compressed bytes, whose problems are printed above.
  package static func incomplete(_ name: String) -> CommandError {
    CommandError("could not read all of \(name). See the problems above.")
  }
}

extension CommandError.Code {
  /// Creates the exit code for the kind of a source's problem.
  package init(_ code: SourceProblem.Code) {
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
