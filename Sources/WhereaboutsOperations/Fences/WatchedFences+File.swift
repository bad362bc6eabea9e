import Whereabouts
package import WhereaboutsFormats
package import WhereaboutsModel
package import WhereaboutsReports
import WhereaboutsSources

extension WatchedFences {
  /// Reads a fence file, `-` for standard input. Problems of the file go to standard error, and the valid fences are
  /// used.
  ///
  /// - Throws: an error if the file cannot be read or has no valid fence.
  package init(path: String, reader: FenceReader = FenceReader()) throws(CommandError) {
    let file = try Self.file(path: path, reader: reader)
    var problems = 0
    let fences = Self.usable(file.fences, problems: &problems)
    guard !fences.isEmpty else {
      let hasInvalidFences = problems > 0 || file.problems.contains { $0.feature != nil }
      let reason = hasInvalidFences ? "no fence of the file is valid" : "the file has no fences"
      throw CommandError("could not use \(Self.name(path)): \(reason)")
    }
    self.init(fences)
  }

  /// Returns the fences with the time zone rules of their hours.
  package static func resolved(_ fences: [Fence]) throws(CommandError) -> [Fence] {
    var known: [Fence] = []
    for fence in fences {
      do throws(TimeZoneRules.LookupError) {
        known.append(try fence.resolvingTimeZone())
      } catch {
        throw CommandError("could not use the hours of \(fence.id): \(error)", code: .usage)
      }
    }
    return known
  }

  /// Returns the fences with the time zone rules of their hours. A fence with an unknown time zone is left out, counted
  /// and reported on standard error.
  package static func usable(_ fences: [Fence], problems: inout Int) -> [Fence] {
    var usable: [Fence] = []
    for fence in fences {
      do throws(TimeZoneRules.LookupError) {
        usable.append(try fence.resolvingTimeZone())
      } catch {
        problems += 1
        StandardError.print("whereabouts: skipped \(fence.id): \(error)".sanitizedToOneLine)
      }
    }
    return usable
  }

  /// Returns the content of a fence file, and prints problems of the file on standard error.
  package static func file(path: String, reader: FenceReader) throws(CommandError) -> FenceFile {
    let bytes: [UInt8]?
    do throws(System.CallError) {
      bytes = path == "-" ? try System.standardInputContents() : try System.contents(ofPath: path)
    } catch {
      throw CommandError("could not read \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
    guard let bytes else { throw CommandError("could not read \(path): no such file or directory") }
    let file = reader.read(bytes)
    for line in FenceFileReport.lines(file.problems, of: name(path)) { StandardError.print(line) }
    return file
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
