#if MQTT
  import Foundation
  import Testing
  import Whereabouts

  @testable import WhereaboutsServer

  /// A server against a real mosquitto with TLS and passwords.
  @Suite(
    .serialized,
    .enabled(if: MosquittoBroker.canBeSecured, "mosquitto, mosquitto_passwd and openssl are needed"))
  struct MQTTSecurityLiveTests {
    private let folder: TemporaryPlace
    private let broker: MosquittoBroker

    init() async throws {
      folder = try TemporaryPlace()
      for name in ["localhost", "stranger"] { try await MosquittoBroker.writeCertificate(name, in: folder) }
      try await MosquittoBroker.writePassword("another", of: "anna", to: folder.path("passwords"))
      broker = try MosquittoBroker(
        in: folder,
        security: [
          "certfile \(folder.path("localhost.cert.pem"))", "keyfile \(folder.path("localhost.key.pem"))",
          "allow_anonymous false", "password_file \(folder.path("passwords"))",
        ])
    }

    @Test func wrongPasswordIsReportedAndTriedAgain() async throws {
      try await broker.start()
      let secret = try folder.write("geheim\n", to: "secret")
      let path = try folder.write(
        """
        LISTEN=127.0.0.1:0
        MQTT_BROKER=mqtts://anna@localhost:\(broker.port)
        MQTT_PASSWORD_FILE=\(secret)
        MQTT_CA_FILE=\(folder.path("localhost.cert.pem"))
        MQTT_DEVICES=*

        """, to: "conf")
      let server = try ServerProcess(["--config", path, "--store", folder.path("s")])
      // A slow machine may report another reason first.
      let line = try await server.line(with: "not authorised")
      #expect(line.contains("MQTT broker not connected"), "\(line)")
      try await MosquittoBroker.writePassword("geheim", of: "anna", to: folder.path("passwords"))
      broker.send(SIGHUP)
      _ = try await server.line(with: "MQTT broker connected")
      // The listeners may start later than the connection to the broker.
      _ = try await server.ready()
      #expect(server.seenErrors.allSatisfy { !$0.contains("geheim") && !$0.contains("anna") })
      server.send(SIGTERM)
      #expect(await server.end() == 0)
    }

    /// The broker cuts the older of two connections with one id.
    @Test func serversWithOnePrefixAreReported() async throws {
      let place = try TemporaryPlace(), open = try MosquittoBroker(in: place)
      try await open.start()
      let servers = try ["a", "b"].map { store in
        try ServerProcess([
          "--listen", "127.0.0.1:0", "--store", place.path(store), "--mqtt-devices", "*",
          "--mqtt-broker", "mqtt://127.0.0.1:\(open.port)",
        ])
      }
      let line = try await servers[0].line(with: "MQTT_PREFIX")
      #expect(line.contains("MQTT broker not connected"), "\(line)")
      for server in servers {
        _ = try await server.ready()
        server.send(SIGTERM)
        #expect(await server.end() == 0)
      }
      await open.kill()
    }

    /// A second loss for the same reason is reported too.
    @Test func everyLossOfAWorkingConnectionIsReported() async throws {
      let place = try TemporaryPlace(), open = try MosquittoBroker(in: place)
      try await open.start()
      let address = "mqtt://127.0.0.1:\(open.port)"
      let server = try ServerProcess([
        "--listen", "127.0.0.1:0", "--store", place.path("s"), "--mqtt-devices", "*",
        "--mqtt-broker", address,
      ])
      let settings = MQTTSettings(broker: try #require(BrokerAddress(address)))
      for _ in 0..<2 {
        _ = try await server.line(with: "MQTT broker connected")
        try await Task.sleep(for: .seconds(6))
        // The broker cuts the older of two connections with one id.
        let other = BrokerConnection(settings)
        try await other.open()
        other.close()
        _ = try await server.line(with: "MQTT broker not connected")
      }
      _ = try await server.ready()
      server.send(SIGTERM)
      #expect(await server.end() == 0)
      await open.kill()
    }

    /// The broker acknowledges messages that it drops.
    @Test func accessListThatForbidsTheTopicsIsReported() async throws {
      let place = try TemporaryPlace()
      let list = try place.write("topic read another/topic\n", to: "list")
      let forbidding = try MosquittoBroker(in: place, security: ["allow_anonymous true", "acl_file \(list)"])
      try await forbidding.start()
      let server = try ServerProcess([
        "--listen", "127.0.0.1:0", "--store", place.path("s"), "--mqtt-devices", "*",
        "--mqtt-broker", "mqtt://127.0.0.1:\(forbidding.port)",
      ])
      _ = try await server.line(with: "MQTT broker connected")
      let line = try await server.line(with: "MQTT broker withholds messages")
      #expect(line.contains("whereabouts/#"), "\(line)")
      _ = try await server.ready()
      server.send(SIGTERM)
      #expect(await server.end() == 0)
      await forbidding.kill()
    }

    @Test(arguments: [
      ("localhost", "stranger", "geheim"), ("127.0.0.1", "localhost", "geheim"),
      ("localhost", "localhost", nil),
    ])
    func unprovenPartnerIsRefused(host: String, authority: String, password: String?) async throws {
      try await MosquittoBroker.writePassword("geheim", of: "anna", to: folder.path("passwords"))
      try await broker.start()
      var settings = MQTTSettings(
        broker: try #require(BrokerAddress("mqtts://anna@\(host):\(broker.port)")))
      settings.authorities = folder.path("\(authority).cert.pem")
      settings.password = password
      let connection = BrokerConnection(settings)
      defer { connection.close() }
      let error = await #expect(throws: BrokerError.self) { try await connection.open() }
      // The log names the setting to check.
      #expect(error?.description.contains("MQTT_CA_FILE") == (password != nil))
      settings = MQTTSettings(broker: try #require(BrokerAddress("mqtts://anna@localhost:\(broker.port)")))
      settings.authorities = folder.path("localhost.cert.pem")
      settings.password = "geheim"
      let proven = BrokerConnection(settings)
      defer { proven.close() }
      try await proven.open()
    }
  }
#endif
