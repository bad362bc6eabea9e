import Whereabouts
package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsSources

/// A journal that the user requested. A write error is reported immediately.
package struct CommandJournal: InputJournal {
  private var file: JournalFile

  /// Creates the journal's file.
  ///
  /// - Parameters:
  ///   - replacing: whether an existing file may be replaced; otherwise an existing file is an error.
  ///   - recording: the path of the recording that is read, which is never replaced.
  ///   - store: the path of the run's store, which is never replaced; the run may create files beside it later.
  package init(
    path: String, replacing: Bool, besides recording: String, store: StorePath? = nil
  ) throws(CommandError) {
    try Self.check(path: path, replacing: replacing, besides: recording, store: store)
    do throws(SourceProblem) {
      // A device or a named pipe is opened for writing, not replaced.
      let isDevice = System.status(atPath: path).map { !$0.isRegular } ?? false
      file = try JournalFile(path: path, replacing: replacing || isDevice)
    } catch {
      throw CommandError("could not \(error.message)", code: CommandError.Code(error.code))
    }
  }

  /// Throws if the journal can't be created at the path, and changes no file. The parameters are those of
  /// ``init(path:replacing:besides:store:)``.
  package static func check(
    path: String, replacing: Bool, besides recording: String, store: StorePath? = nil
  ) throws(CommandError) {
    let status = System.status(atPath: path)
    if System.isSameFile(path, recording) {
      throw CommandError("could not write \(path): the command reads this recording")
    }
    if status?.isDirectory == true { throw CommandError("could not write \(path): it is a folder") }
    if status?.isRegular == true, let error = OutputFile.databaseError(path) { throw error }
    if let error = store.flatMap({ OutputFile.storeError(path, of: $0) }) ?? OutputFile.databaseError(path) {
      throw error
    }
    if let status {
      guard status.isRegular else { return }
      if !replacing { throw OutputFile.existingFileError(path) }
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    // A new store creates its missing folders.
    if System.isMissing(folder), store?.file.hasPrefix(folder) == true { return }
    do throws(System.CallError) {
      try status == nil ? System.requireWritableFolder(folder) : System.requireWritableFile(path)
    } catch {
      throw CommandError(
        "could not write \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
  }

  package mutating func begin(_ header: JournalHeader) throws(SourceProblem) {
    do { try file.begin(header) } catch { throw Self.reported(error) }
  }

  package mutating func write(_ input: Input, at now: Moment, effects: [Effect]) throws(SourceProblem) {
    do { try file.write(input, at: now, effects: effects) } catch { throw Self.reported(error) }
  }

  private static func reported(_ problem: SourceProblem) -> SourceProblem {
    StandardError.print("whereabouts: could not \(problem.message); the journal is incomplete")
    return problem
  }
}
