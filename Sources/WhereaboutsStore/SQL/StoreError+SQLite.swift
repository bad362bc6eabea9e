import WhereaboutsEngine
import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

extension StoreError {
  /// Creates a store error from an error of a file operation.
  ///
  /// - Parameter action: the failed action, as in "write".
  init(_ error: any Error, _ action: String, _ path: String) {
    switch error {
    case let problem as StoreError: self = problem
    case is StoreClosedError: self.init(.failed, message: "\(action) \(path): the store is closed")
    case let error as DatabaseError: self.init(error, action, path)
    case let row as UnreadableRowError:
      self.init(
        .corrupt,
        message:
          "\(action) \(path): \(row.message); a newer version may have written it, or it is damaged\(Self.checkAdvice(path))"
      )
    case let taken as DuplicateNumberError:
      self.init(
        .failed,
        message:
          "\(action) \(path): event \(taken.number) of this device is stored already with other content: two managers write for one device; end one of them"
      )
    case let state as NewerStateError:
      self.init(
        .newerVersion,
        message:
          "\(action) \(path): a newer version of this program has written the state of the engine (form \(state.version), this one knows \(EngineSnapshot.currentVersion)); use that version. Nothing was changed"
      )
    case let error as DecodingError:
      self.init(
        .corrupt,
        message:
          "\(action) \(path): \(Self.explanation(error)); nothing was changed\(Self.checkAdvice(path))")
    default: self.init(.failed, message: "\(action) \(path): \(error)")
    }
  }

  /// The beginning of ``checkAdvice(_:)``.
  static let checkAdviceStart = "; `whereabouts store check"

  /// Returns the advice for a row that can't be decoded.
  private static func checkAdvice(_ path: String) -> String {
    "\(checkAdviceStart) --store \(path.shellQuoted)` finds the damage and its remedy"
  }

  private init(_ error: DatabaseError, _ action: String, _ path: String) {
    let (code, words) = Self.explanation(error)
    self.init(code, message: "\(action) \(path): \(words)")
  }

  private static func explanation(_ error: DatabaseError) -> (Code, String) {
    switch error.resultCode.primaryResultCode {
    case _ where error.isFullDisk && DiskSpace.isFileSizeLimited:
      (
        .full,
        "the disk is full, or the limit of this process for the size of files (ulimit -f, LimitFSIZE of systemd) is reached; raise the limit, free some space, or forget old history"
      )
    case _ where error.isFullDisk:
      (.full, "the disk is full; free some space, or forget old history, which works on a full disk, too")
    case .SQLITE_READONLY:
      (.readOnly, "it or its folder may only be read; make both writable, or choose another file")
    case .SQLITE_PERM, .SQLITE_AUTH: (.notPermitted, "access is denied; it belongs to another user")
    case .SQLITE_CANTOPEN:
      (.notPermitted, "it can't be opened; see that its folder is there and that both belong to this user")
    case .SQLITE_CORRUPT:
      (
        .corrupt,
        "it is damaged; keep a copy, export each device that can be read, save the rest with the sqlite3 program (.dump; docs/store.md has the commands), and move it away to begin anew"
      )
    case .SQLITE_NOTADB:
      (
        .corrupt,
        "it is not a store but some other file, or its first bytes are damaged; name another file, or restore a backup"
      )
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      (.locked, "another program holds it; close that, or wait until it is done")
    // A write beyond the limit, as to the log, is no full disk for SQLite.
    case .SQLITE_IOERR where DiskSpace.isFileSizeLimited:
      (
        .failed,
        "reading or writing failed (code \(error.extendedResultCode.rawValue)); raise the limit of this process for the size of files (ulimit -f, LimitFSIZE of systemd), or look after the disk"
      )
    case .SQLITE_IOERR:
      (.failed, "reading or writing failed (code \(error.extendedResultCode.rawValue)); look after the disk")
    default:
      (.failed, "\(error.message ?? "something went wrong") (code \(error.extendedResultCode.rawValue))")
    }
  }

  private static func explanation(_ error: DecodingError) -> String {
    let context =
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        context
      @unknown default: nil as DecodingError.Context?
      }
    // Report the coding path only: a decoder's message may quote a value.
    let place = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
    return place.isEmpty ? "JSON in it is damaged" : "JSON in it is damaged at '\(place)'"
  }
}
