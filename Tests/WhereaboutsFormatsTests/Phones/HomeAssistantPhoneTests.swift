import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct HomeAssistantPhoneTests {
  typealias Sample = PhoneSamples

  private static func update(_ data: String) -> String { #"{"type":"update_location","data":{\#(data)}}"# }
  private static let place = "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z"

  @Test(
    arguments: [
      (update(#""gps":[51.5,-0.1],"gps_accuracy":5.5"#), "\(place) hacc=5.5"),
      (
        update(
          #""gps":[51.5,-0.1],"gps_accuracy":5,"battery":63,"speed":10,"altitude":47.5,"course":90,"vertical_accuracy":3"#
        ), "\(place) hacc=5.0 alt=47.5 vacc=3.0 speed=10.0 course=90.0 battery=0.63"
      ),
      // 0 stands for unknown.
      (
        update(
          #""gps":[51.5,-0.1],"gps_accuracy":0,"speed":0,"course":0,"altitude":-7,"vertical_accuracy":0"#),
        "\(place) alt=-7.0"
      ),
      (update(#""gps":[51.5,-0.1],"altitude":0,"vertical_accuracy":0"#), place),
      (update(#""gps":[51.5,-0.1],"altitude":0,"vertical_accuracy":3"#), "\(place) alt=0.0 vacc=3.0"),
      (update(#""gps":[51.5,-0.1],"altitude":0"#), "\(place) alt=0.0"),
      (update(#""gps":[51.5,-0.1],"course":400,"battery":-1"#), place),
      (update(#""gps":[91,0]"#), "bad coordinate: the latitude or the longitude is out of range"),
      (update(#""gps":["a",0]"#), "bad number: gps is not two numbers"),
      (update(#""gps":[1]"#), "bad number: gps is not two numbers"),
      (update(""), "something required is missing: no gps and no location_name"),
      (#"{"type":"update_location"}"#, "something required is missing: no data"),
      ("{}", "something required is missing: no type"), ("[]", "not well formed: not a JSON object"),
      ("", ""),
    ] as [(String, String)])
  func locationIsRead(_ body: String, _ expected: String) {
    let report = Sample.report(.homeAssistant, body)
    #expect(Sample.fix(.homeAssistant, body) == expected)
    #expect(report.acceptance().status == 200 && report.acceptance().text == "{}")
  }

  @Test func zoneAloneIsNoPosition() {
    let report = Sample.report(.homeAssistant, Self.update(#""location_name":"home","battery":50"#))
    #expect(report.zoneName == "home" && report.battery?.level == 0.5 && report.fixes.isEmpty)
    #expect(report.rejectionCount == 0)
    let both = Sample.report(
      .homeAssistant, Self.update(#""location_name":"home","gps":[1,2],"gps_accuracy":3"#))
    #expect(both.fixes.map(\.note) == ["home"] && both.fixes.map(\.fix.time) == [nil])
    #expect(both.fixes.map(\.timedFix.time) == [Sample.arrival])
  }

  @Test(
    arguments: [
      (#"{"type":"register_sensor","data":{"unique_id":"battery_level"}}"#, 201, #"{"success":true}"#),
      (
        #"{"type":"update_sensor_states","data":[{"unique_id":"battery_level","state":87},7,{"unique_id":"a\"b"}]}"#,
        200,
        #"{"battery_level":{"success":true},"a\"b":{"success":true}}"#
      ),
      (#"{"type":"update_sensor_states","data":7}"#, 200, "{}"),
      (
        #"{"type":"get_config"}"#, 200,
        #"{"location_name":"Whereabouts","time_zone":"UTC","components":["mobile_app"]}"#
      ),
      (#"{"type":"get_zones"}"#, 200, "[]"), (#"{"type":"fire_event","data":{}}"#, 200, "{}"),
      (#"{"type":"something_new"}"#, 200, "{}"), ("not JSON", 200, "{}"),
    ])
  func otherMessagesAreAnswered(_ body: String, _ status: Int, _ text: String) {
    let reply = Sample.report(.homeAssistant, body).acceptance()
    #expect(reply.status == status && reply.text == text && reply.contentType == "application/json")
  }

  @Test func sensorStatesBatteryLevel() {
    let body = #"{"type":"update_sensor_states","data":[{"unique_id":"battery_level","state":87}]}"#
    #expect(Sample.report(.homeAssistant, body).battery?.level == 0.87)
  }

  @Test func circlesAreZones() throws {
    let circle = try Area.Circle(center: Coordinate(uncheckedLatitude: 51.5, longitude: -0.1), radius: 100)
    let fence = Fence(id: "home", area: .circle(circle), name: "Home")
    let reply = Sample.report(.homeAssistant, #"{"type":"get_zones"}"#).acceptance(fences: [fence])
    #expect(
      reply.text
        == #"[{"entity_id":"zone.home","state":"0","attributes":{"latitude":51.5,"longitude":-0.1,"radius":100,"#
        + #""friendly_name":"Home"}}]"#)
  }

  @Test(arguments: ["update_location", "encrypted"]) func encryptedMessageIsReturnedAsCiphertext(
    _ type: String
  ) throws {
    let data = String(repeating: "QUJD", count: 20)
    let body = #"{"type":"\#(type)","encrypted":true,"encrypted_data":"\#(data)"}"#
    let report = Sample.report(.homeAssistant, body)
    let ciphertext = try #require(report.ciphertexts.first)
    #expect(ciphertext.bytes.count == 60 && report.rejectionCount == 0)
    #expect(ciphertext.messageType == (type == "encrypted" ? nil : type))
    let data2 = #"{"gps":[51.5,-0.1],"gps_accuracy":5.5}"#
    let opened = type == "encrypted" ? Self.update(String(data2.dropFirst().dropLast())) : data2
    let request = PhoneRequest(body: Array(body.utf8), arrival: Sample.arrival)
    let inner = PhoneDialect.homeAssistant.report(fromOpened: Array(opened.utf8), of: ciphertext, in: request)
    #expect(inner.fixes.map(Sample.text) == ["\(Self.place) hacc=5.5"])
  }
}
