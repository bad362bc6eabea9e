import Foundation

// StoreBench [RUNS]           commits that are synced, beside raw SQLite
// StoreBench history [ROWS]   a long history: the last fix, a day, what is forgotten
let arguments = CommandLine.arguments + ["", "", ""]
switch arguments[1] {
case "history": try await History.run(rows: Int64(arguments[2]) ?? 10_000_000)
default: try await Writing.compare(runs: Int(arguments[1]) ?? 5, commits: 5_000)
}
