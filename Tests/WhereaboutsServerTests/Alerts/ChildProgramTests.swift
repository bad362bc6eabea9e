import Foundation
import Testing

@testable import WhereaboutsServer

@Suite struct ChildProgramTests {
  private func run(
    _ script: String, _ arguments: [String] = [], input: String = "", timeout: Duration = .seconds(600)
  ) async -> ChildProgram.End {
    await ChildProgram(
      arguments: ["/bin/sh", "-c", script, "sh"] + arguments,
      environment: ["PATH": "/usr/bin:/bin", "GIVEN": "a b"]
    ).run(input: Array(input.utf8), timeout: timeout)
  }

  @Test func inputArgumentsAndEnvironmentArrive() async throws {
    let folder = try TemporaryPlace()
    let end = await run("cat > \"$1\"; env >> \"$1\"", [folder.path("out")], input: "the input\n")
    #expect(end == .exited(0))
    let text = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
    #expect(text.hasPrefix("the input\n") && text.contains("GIVEN=a b\n") && !text.contains("HOME="))
  }

  @Test func endIsReported() async {
    #expect(await run("exit 7") == .exited(7))
    #expect(await run("kill -9 $$") == .ended(signal: SIGKILL))
    let missing = ChildProgram(arguments: ["/none"], environment: [:])
    #expect(await missing.run(input: [], timeout: .seconds(60)) == .notStarted(ENOENT))
    // One that reads nothing.
    #expect(await run("exit 0", input: String(repeating: "x", count: 50_000)) == .exited(0))
  }

  @Test func timeLimitEndsTheWholeGroup() async throws {
    let folder = try TemporaryPlace(), mark = folder.path("ended")
    // The child of the program writes when it is ended.
    let script = "(trap 'touch \"$1\"; exit' TERM; while :; do sleep 1 & wait; done) & wait"
    var timeout = Duration.seconds(1), hasWritten = false
    // On a busy machine the child may not have begun by then, or may be killed before it writes.
    for _ in 0..<6 where !hasWritten {
      #expect(await run(script, [mark], timeout: timeout) == .timedOut)
      timeout *= 2
      for _ in 0..<500 where !hasWritten {
        try await Task.sleep(for: .milliseconds(10))
        hasWritten = FileManager.default.fileExists(atPath: mark)
      }
    }
    #expect(hasWritten)
  }

  /// A program ends by itself when the server ends.
  @Test func cancellationLetsTheProgramEnd() async throws {
    let folder = try TemporaryPlace(), started = folder.path("started"), mark = folder.path("ended")
    let script =
      "trap 'touch \"$2\"; exit 0' TERM; touch \"$1\"; while :; do sleep 1 & wait; done"
    var end = ChildProgram.End.timedOut
    // On a busy machine the program may be killed before it ends by itself.
    for _ in 0..<5 where end != .exited(0) {
      try? FileManager.default.removeItem(atPath: started)
      let running = Task { await run(script, [started, mark]) }
      while !FileManager.default.fileExists(atPath: started) { await Task.yield() }
      running.cancel()
      end = await running.value
    }
    #expect(end == .exited(0))
    #expect(FileManager.default.fileExists(atPath: mark))
  }

  @Test func noSignalIsBlockedAndNoFileOpen() async throws {
    let folder = try TemporaryPlace()
    let open = try FileHandle(forReadingFrom: URL(filePath: folder.write("secret", to: "file")))
    _ = fcntl(open.fileDescriptor, F_SETFD, 0)
    let end = await run(
      "ls -l /proc/$$/fd > \"$1\"; exec grep SigBlk /proc/self/status >> \"$1\"", [folder.path("out")])
    #expect(end == .exited(0))
    let text = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
    #expect(text.contains("SigBlk:\t0000000000000000"), "\(text)")
    #expect(!text.contains(folder.path("file")), "\(text)")
    try open.close()
  }
}
