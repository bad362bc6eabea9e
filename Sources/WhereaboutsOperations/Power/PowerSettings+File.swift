import Whereabouts
import WhereaboutsFormats
package import WhereaboutsModel
import WhereaboutsReports

extension PowerSettings {
  /// Throws if a file of rules cannot be read or has a mistake. A pipe is not read: its bytes come once.
  package static func check(path: String) throws(CommandError) {
    if !System.isStream(path, or: 0) { _ = try settings(path: path) }
  }

  /// Reads a file of rules.
  ///
  /// - Throws: an error if the file cannot be read or has a mistake.
  package static func settings(path: String) throws(CommandError) -> PowerSettings {
    let bytes: [UInt8]?
    do throws(System.CallError) { bytes = try System.contents(ofPath: path) } catch {
      throw CommandError("could not read \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
    guard let bytes else { throw CommandError("could not read \(path): no such file or directory") }
    let settings: PowerSettings
    do throws(PowerFile.ParseError) { settings = try PowerFile.settings(bytes) } catch {
      throw CommandError("could not use \(path): \(error.message.sanitizedToOneLine)")
    }
    do throws(TimeZoneRules.LookupError) { return try settings.resolvingTimeZones() } catch {
      throw CommandError("could not use \(path): \(error)")
    }
  }
}
