#if MQTT && canImport(Glibc)
  import Foundation
  import Glibc
  import NIOHTTP1
  import Testing
  import WhereaboutsModel
  import WhereaboutsTesting

  @testable import WhereaboutsServer

  /// A broker of a server with many connections.
  @Suite(.serialized, .enabled(if: MosquittoBroker.isInstalled, "mosquitto is not installed"))
  struct MQTTDescriptorTests {
    /// `select` knows no descriptor from 1,024 on.
    @Test func brokerIsReachedBesideThousandConnections() async throws {
      let broker = try MosquittoBroker(in: TemporaryPlace())
      try await broker.start()
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      #expect(getrlimit(resource, &limit) == 0)
      limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 8_192))
      #expect(setrlimit(resource, &limit) == 0)
      var files: [Int32] = []
      defer { for file in files { _ = Glibc.close(file) } }
      while files.last.map({ $0 < 1_100 }) ?? true {
        files.append(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
        try #require(files.last != -1)
      }
      var mqtt = MQTTSettings(broker: try #require(BrokerAddress("mqtt://127.0.0.1:\(broker.port)")))
      mqtt.devices = .all
      var settings = ServerSettings.test
      settings.mqtt = mqtt
      let observer = try await BrokerObserver(broker)
      try await TestServer.run(settings) { server in
        let token = try server.token("anna", [.write])
        let answer = try await server.post("/owntracks", Batches.ownTracks(distance: 0), token: token)
        #expect(answer.status == 200)
        _ = try await observer.message("whereabouts/anna/number")
      }
    }
  }
#endif
