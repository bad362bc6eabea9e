import Foundation

// StoreBench [RUNS]           commits that are synced, beside raw SQLite
// StoreBench count raw|store COMMITS   the same, to be counted by another program
// StoreBench history [ROWS]   a long history: the last fix, a day, what is forgotten
let arguments = CommandLine.arguments + ["", "", ""]
switch arguments[1] {
case "history": try await History.run(rows: Int64(arguments[2]) ?? 10_000_000)
case "count" where arguments[2] == "raw": try Writing.countRaw(Int(arguments[3]) ?? 1_000)
case "count": try await Writing.countStore(Int(arguments[3]) ?? 1_000)
default: try await Writing.compare(runs: Int(arguments[1]) ?? 5, commits: 5_000)
}
