import Whereabouts
import WhereaboutsCore
import WhereaboutsSources

/// A journal that somebody asked for: where it can't be written on, they are told at once.
struct AskedJournal: InputJournal {
  private var file: JournalFile

  /// Makes a file for it.
  ///
  /// - Parameters:
  ///   - replacing: whether a file that is there already may be replaced; otherwise that is a failure.
  ///   - recording: what is read meanwhile, which is never replaced.
  init(path: String, replacing: Bool, besides recording: String) throws(CommandFailure) {
    let status = System.status(atPath: path)
    if System.isSameFile(path, recording) {
      throw CommandFailure("could not write \(path): it is the recording that is to be read")
    }
    if status?.isDirectory == true { throw CommandFailure("could not write \(path): it is a folder") }
    do throws(SourceTrouble) {
      // A device or a named pipe is written to as it is.
      let isDevice = status.map { !$0.isRegular } ?? false
      file = try JournalFile(path: path, replacing: replacing || isDevice)
    } catch {
      let hint =
        status != nil && !replacing && error.message.hasSuffix("already") ? " (--force replaces it)" : ""
      throw CommandFailure("could not \(error.message)\(hint)")
    }
  }

  mutating func begin(_ header: JournalHeader) throws(SourceTrouble) {
    do { try file.begin(header) } catch { throw Self.told(error) }
  }

  mutating func write(_ input: Input, at now: Moment, effects: [Effect]) throws(SourceTrouble) {
    do { try file.write(input, at: now, effects: effects) } catch { throw Self.told(error) }
  }

  private static func told(_ trouble: SourceTrouble) -> SourceTrouble {
    StandardError.say("whereabouts: could not \(trouble.message); the journal ends there")
    return trouble
  }
}
