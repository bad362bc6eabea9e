import Foundation
import Testing
import WhereaboutsModel

@testable import WhereaboutsServer

/// The commands that ask a running server print what they print about its store.
@Suite struct CommandServerTests {
  /// Commands about the past of the device `this`, and about the fences.
  private static let commands: [[String]] = [
    ["last", "--format", "{lat},{lon} {time}"], ["history"], ["history", "--json", "--all"],
    ["history", "--last", "3", "--all"], ["history", "--last", "\(Int.max)"],
    ["history", "--since", "2024-05-14T08:16:00Z", "--until", "2024-05-14T08:17:00Z"],
    ["trips"], ["trips", "--json"], ["trips", "2024-05-14"], ["trips", "2024-05-14", "--json"],
    ["trips", "none"],
    ["fence", "list"], ["fence", "list", "--json"], ["fence", "export"], ["fence", "show", "school"],
    ["fence", "show", "none"], ["fence", "events"], ["fence", "events", "--json", "--all"],
    ["fence", "events", "--fence", "school", "--last", "1"],
  ]

  private typealias Run = (output: String, errors: String, code: Int32)

  /// A server with the sample drive and its fences.
  private struct Fixture {
    let place: TemporaryPlace
    let server: ServerProcess
    let url: String
    let token: String
    /// The secret of a token that may only read.
    let reader: String

    var store: String { place.path("store.sqlite") }

    init() async throws {
      let samples = URL(filePath: #filePath).appending(path: "../../../../Samples").standardized.path()
      place = try TemporaryPlace()
      let store = place.path("store.sqlite")
      let imported = try await Self.run(["fence", "import", "\(samples)/places.geojson", "--store", store])
      #expect(imported.code == 0, "\(imported)")
      let lines = try await Self.run(["convert", "\(samples)/city-drive.nmea", "--to", "jsonl"])
      // A token that is made now is known from the server's start on.
      token = try await Self.token(["--admin", "--label", "commands"], store)
      reader = try await Self.token(["--device", "this", "--read"], store)
      let writer = try await Self.token(["--device", "this", "--write"], store)
      server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
      url = "http://127.0.0.1:\(try await server.ready())"
      let sender = try RawConnection(port: url.split(separator: ":").last.flatMap { Int($0) } ?? 0)
      try sender.request(
        "POST", "/ingest", token: writer,
        body: lines.output)
      #expect(await sender.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
    }

    /// Makes a token over the store's file.
    static func token(_ terms: [String], _ store: String) async throws -> String {
      try await run(["token", "create", "--store", store] + terms).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Run {
      try await ServerProcess.run(arguments, command: nil, environment: environment)
    }

    /// Runs a command over the store's file and, while the server runs, over its socket.
    func runLocally(_ arguments: [String]) async throws -> Run {
      try await Self.run(arguments + ["--store", store])
    }

    /// Runs a command over the server's URL.
    func run(_ arguments: [String], token: String? = nil) async throws -> Run {
      try await Self.run(
        arguments + ["--server", url], environment: ["WHEREABOUTS_TOKEN": token ?? self.token])
    }
  }

  @Test func outputIsThatOfTheStore() async throws {
    let fixture = try await Fixture()
    var remote: [Run] = [], socket: [Run] = []
    for command in Self.commands {
      remote.append(try await fixture.run(command))
      socket.append(try await fixture.runLocally(command))
    }
    fixture.server.send(SIGTERM)
    #expect(await fixture.server.end() == 0)
    #expect(!FileManager.default.fileExists(atPath: fixture.store + ".socket"))
    for (index, command) in Self.commands.enumerated() {
      let file = try await fixture.runLocally(command)
      #expect(remote[index] == file, "\(command)")
      #expect(socket[index] == file, "\(command)")
      #expect(command.contains("none") == (file.code != 0), "\(command)")
      #expect(command.contains("none") == file.output.isEmpty, "\(command)")
    }
  }

  /// A fence that is added before the first fix leaves the device `this` without data. A server lists that device only
  /// if it has a source. Beside a server as without one, the past is that of the only device with data.
  @Test(arguments: [[], ["--source", "gpsd://127.0.0.1:1"]] as [[String]])
  func pastIsThatOfTheOnlyDeviceWithData(source: [String]) async throws {
    let place = try TemporaryPlace()
    let store = place.path("store.sqlite")
    let added = try await Fixture.run(["fence", "add", "home", "--at", "51.5,0.01", "--store", store])
    #expect(added.code == 0, "\(added)")
    let writer = try await Fixture.token(["--device", "van1", "--write"], store)
    let admin = try await Fixture.token(["--admin", "--label", "commands"], store)
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store] + source)
    let port = try await server.ready(), sender = try RawConnection(port: port)
    try sender.request(
      "POST", "/ingest", token: writer,
      body: #"{"time":"2024-05-14T08:16:00Z","lat":51.5,"lon":0.01,"hacc":5}"#)
    #expect(await sender.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
    let commands = [["last", "--format", "{lat},{lon} {time}"], ["history"], ["fence", "events"]]
    var socket: [Run] = []
    for command in commands { socket.append(try await Fixture.run(command + ["--store", store])) }
    for (index, command) in commands.enumerated() where command[0] != "fence" {
      let remote = try await Fixture.run(
        command + ["--server", "http://127.0.0.1:\(port)"], environment: ["WHEREABOUTS_TOKEN": admin])
      #expect(remote == socket[index], "\(command)")
    }
    let question = ["explain", "--fence", "home", "--at", "2024-05-14T08:16:00Z", "--store", store]
    let answer = try await Fixture.run(question)
    #expect(answer.code == 0 && answer.output.contains("home at 2024-05-14"), "\(answer)")
    server.send(SIGTERM)
    #expect(await server.end() == 0)
    for (index, command) in commands.enumerated() {
      let file = try await Fixture.run(command + ["--store", store])
      let isEmpty = command[0] == "fence"
      #expect(file.code == 0 && file.output.contains("51.5") != isEmpty, "\(file)")
      // Only the commands about the past choose the device.
      #expect(file.errors.contains("the store has van1") == isEmpty, "\(file)")
      #expect(socket[index] == file, "\(command)")
    }
  }

  @Test func fencesAreChangedAtTheServer() async throws {
    let fixture = try await Fixture()
    let added = try await fixture.run(["fence", "add", "cabin", "--at", "1,2"])
    #expect(added.output.hasPrefix("cabin added") && added.code == 0, "\(added)")
    let again = try await fixture.run(["fence", "add", "cabin", "--at", "1,3"])
    #expect(again.code == 1 && again.errors.contains("--replace"), "\(again)")
    let socket = try await fixture.runLocally(["fence", "remove", "cabin", "home"])
    #expect(socket.output == "2 fences removed\n", "\(socket)")
    let list = try await fixture.run(["fence", "list"])
    #expect(list.output.split(separator: "\n").count == 5, "\(list)")
    let refused = try await fixture.run(["fence", "remove", "--all"], token: fixture.reader)
    #expect(refused.code == 4 && refused.errors.contains("administrate"), "\(refused)")
  }

  /// The sides of the fences are for the owner of the device, and the fences for every reader.
  @Test func readerGetsTheFencesWithoutSides() async throws {
    let fixture = try await Fixture()
    let owner = try await fixture.run(["fence", "list"])
    #expect(owner.output.contains("outside") && owner.errors.isEmpty, "\(owner)")
    for command in [["fence", "list"], ["fence", "list", "--json"], ["fence", "show", "school"]] {
      let reader = try await fixture.run(command, token: fixture.reader)
      #expect(reader.code == 0 && reader.output.contains("school"), "\(reader)")
      #expect(reader.errors.contains("the sides of the fences are missing"), "\(reader)")
      if command.last == "list" { #expect(!reader.output.contains("outside"), "\(reader)") }
    }
  }

  @Test func decisionsAreExplained() async throws {
    let fixture = try await Fixture()
    let question = ["explain", "--fence", "school", "--at", "2024-05-14T08:18:00Z"]
    let answer = try await fixture.run(question), socket = try await fixture.runLocally(question)
    #expect(answer.output.contains("inside since 2024-05-14 08:17:30") && answer.code == 0, "\(answer)")
    #expect(socket == answer)
    let span = ["explain", "--since", "2024-05-14T08:15:00Z", "--until", "2024-05-14T08:18:00Z"]
    let text = try await fixture.run(span), json = try await fixture.run(span + ["--json"])
    #expect(text.output.contains("requests: 1"), "\(text)")
    #expect(
      json.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"at\":") } && !json.output.isEmpty)
    let unknown = try await fixture.run(["explain", "--fence", "none", "--at", "08:18"])
    #expect(unknown.code == 1 && !unknown.errors.isEmpty, "\(unknown)")
  }

  @Test func decisionsOfAServerWithoutDataAreRefused() async throws {
    let place = try TemporaryPlace()
    let store = place.path("store.sqlite")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    _ = try await server.ready()
    let refused = try await Fixture.run(["explain", "--store", store])
    #expect(refused.code == 2 && refused.errors.contains("no server with data of the device"), "\(refused)")
    server.send(SIGTERM)
    #expect(await server.end() == 0)
  }

  @Test func erasureOfARecordedDeviceNamesThePathsOfTheServer() async throws {
    let fixture = try await Fixture()
    let refused = try await fixture.runLocally(["forget", "--before", "2025-01-01", "--yes"])
    #expect(refused.code == 1 && refused.errors.contains("`DELETE /api/v1/devices/ID/fixes?"), "\(refused)")
    fixture.server.send(SIGTERM)
    #expect(await fixture.server.end() == 0)
    let erased = try await fixture.runLocally(["forget", "--before", "2025-01-01", "--yes"])
    #expect(erased.code == 0 && erased.output.hasSuffix(" erased\n"), "\(erased)")
  }

  @Test func sockets() async throws {
    let place = try TemporaryPlace()
    let store = place.path("store.sqlite")
    // A file that is not a socket is left unchanged, and a socket without a server is replaced.
    _ = try place.write("mine", to: "store.sqlite.socket")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    _ = try await server.line(with: "no socket for commands")
    _ = try await server.ready()
    server.send(SIGTERM)
    #expect(await server.end() == 0)
    #expect(try String(contentsOfFile: store + ".socket", encoding: .utf8) == "mine")
    try FileManager.default.removeItem(atPath: store + ".socket")
    let killed = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    _ = try await killed.ready()
    killed.send(SIGKILL)
    _ = await killed.end()
    #expect(FileManager.default.fileExists(atPath: store + ".socket"))
    let alone = try await Fixture.run(["fence", "list", "--store", store])
    #expect(alone.code == 0, "\(alone)")
    let next = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    _ = try await next.ready()
    #expect(!next.seenErrors.contains { $0.contains("no socket") })
    let mode = try FileManager.default.attributesOfItem(atPath: store + ".socket")[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test(arguments: [
    (["--server", "http://127.0.0.1:1"], 1, "could not reach http://127.0.0.1:1"),
    (["--server", "http://example.org"], 2, "in the clear"), (["--server", "here"], 2, "is no server"),
    (["--server", "http://localhost", "--store", "a"], 2, "can't be combined"),
    (["--ca-file", "a"], 2, "--server"),
    (["--server", "http://localhost", "--token-file", "/nowhere/at/all"], 1, "no such file"),
    (["--server", "http://localhost", "--token-file", "/etc/passwd"], 4, "chmod 600"),
  ]) func mistakesAreExplained(arguments: [String], code: Int32, text: String) async throws {
    let run = try await Fixture.run(["last"] + arguments)
    #expect(run.code == code && run.errors.contains(text), "\(run)")
  }
}
