import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// The fences of a file, and how they are told of.
struct WatchedFences {
  let fences: [Fence]
  let text: FenceEventText

  init(_ fences: [Fence]) {
    self.fences = fences
    text = FenceEventText(fences)
  }

  /// Reads a file of fences, `-` for standard input. What can't be used of it is said on standard error, and the rest used.
  ///
  /// - Throws: where it can't be read, or there is no fence in it.
  init(path: String, reader: FenceReader = FenceReader()) throws(CommandFailure) {
    let file = try Self.file(path: path, reader: reader)
    guard !file.fences.isEmpty else {
      throw CommandFailure("could not use \(Self.name(path)): there is no fence in it")
    }
    self.init(try Self.resolved(file.fences))
  }

  /// Fences with the rules of the time zones of their hours.
  static func resolved(_ fences: [Fence]) throws(CommandFailure) -> [Fence] {
    var known: [Fence] = []
    for fence in fences {
      do throws(TimeZoneFailure) {
        known.append(try fence.resolvingTimeZone())
      } catch {
        throw CommandFailure("could not use the hours of \(fence.id): \(error)", code: .usage)
      }
    }
    return known
  }

  /// What a file of fences holds; what can't be used of it is said on standard error.
  static func file(path: String, reader: FenceReader) throws(CommandFailure) -> FenceFile {
    let bytes: [UInt8]?
    do throws(System.Failure) {
      bytes = path == "-" ? try System.allInput() : try System.contents(ofPath: path)
    } catch {
      throw CommandFailure("could not read \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
    guard let bytes else { throw CommandFailure("could not read \(path): no such file or directory") }
    let file = reader.read(bytes)
    FenceFileReport.say(file.problems, of: name(path))
    return file
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
