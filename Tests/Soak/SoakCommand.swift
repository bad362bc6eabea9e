import Foundation

/// Lives through days of a device's life in virtual time, and says what came of it.
@main struct SoakCommand {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
    guard arguments.count < 3, !arguments.contains(nil),
      let days = Int(exactly: arguments.first.flatMap { $0 } ?? 30),
      days > 0
    else {
      FileHandle.standardError.write(Data("usage: Soak [DAYS [SEED]]\n".utf8))
      exit(2)
    }
    var run = SoakRun(days: days, seed: arguments.dropFirst().first.flatMap { $0 } ?? 1)
    let report = await run.run { day, report in
      print("day \(day + 1)  \((report.memory.last ?? 0) / 1024) KiB")
    }
    for (name, value) in report.figures { print("\(name): \(value)") }
    print("memory: \((report.memory.last ?? 0) / 1024) KiB, grown by \(report.growth / 1024) KiB")
    if days < SoakReport.judgedDays {
      print("growth of memory is judged from \(SoakReport.judgedDays) days on")
    }
    for failure in report.failures { print("VIOLATED: \(failure)") }
    print(report.failures.isEmpty ? "done" : "failed")
    exit(report.failures.isEmpty ? 0 : 1)
  }
}
