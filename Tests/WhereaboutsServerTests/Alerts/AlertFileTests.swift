import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

@testable import WhereaboutsServer

@Suite struct AlertFileTests {
  private let folder: TemporaryPlace

  init() throws { folder = try TemporaryPlace() }

  private func read(_ text: String) throws -> AlertSettings {
    try AlertFile.settings(atPath: try folder.write(text, to: "alerts.json"))
  }

  @Test func everyMemberIsRead() throws {
    _ = try folder.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nmore\n", to: "secret")
    let settings = try read(
      """
      {
        "groups": {"home": ["house", "garden"]},
        "channels": {
          "office": {"webhook": "https://example.org/hook?x=1", "secretFile": "secret", "format": "text",
            "places": "500m", "timeout": "5s", "giveUpAfter": "2h"},
          "lamp": {"command": ["/bin/true", "{device}", "{text}"], "places": "exact"}
        },
        "alerts": [
          {"name": "school", "devices": ["anna", "ben"], "together": true,
            "steps": [{"fences": ["home"], "events": ["exit"]},
              {"fences": ["school", "kindergarten"], "events": ["enter", "exit"], "within": "45m"}],
            "hours": "Mo-Fr 07:00-09:00 Europe/Berlin", "quietHours": "22:00-07:00", "inQuietHours": "drop",
            "coolDown": "1h", "maximumAge": "2h", "channels": ["office", "lamp"], "corrections": true},
          {"name": "stay", "fences": ["shop"], "events": ["dwell"], "channels": ["lamp"]}
        ]
      }
      """)
    #expect(settings.channels.map(\.name) == ["lamp", "office"] && settings.alerts.count == 2)
    let lamp = try #require(settings.channels.first), office = try #require(settings.channels.last)
    #expect(lamp.kind == .command(["/bin/true", "{device}", "{text}"]))
    #expect(
      lamp.places == .exact && lamp.timeout == .seconds(20) && lamp.givesUpAfter == .seconds(3 * 86_400))
    #expect(
      office.places == .grid(500) && office.timeout == .seconds(5) && office.givesUpAfter == .seconds(7200))
    guard case .webhook(let webhook) = office.kind else {
      Issue.record("no webhook")
      return
    }
    #expect(webhook.host == "example.org" && webhook.key?.count == 24 && webhook.format == .text)
    let school = try #require(settings.alerts.first), alert = school.alert
    #expect(school.channels == ["office", "lamp"] && school.sendsCorrections)
    #expect(alert.devices == ["anna", "ben"] && alert.combinesDevices && !alert.holdsInQuietHours)
    #expect(alert.coolDown == .seconds(3600) && alert.maximumAge == .seconds(7200))
    #expect(alert.hours?.zone?.isResolved == true && alert.quietHours != nil)
    #expect(alert.steps.map(\.within) == [nil, .seconds(2700)])
    #expect(alert.steps[0].places == [Alert.Place(name: "home", fences: ["house", "garden"])])
    #expect(alert.steps[1].places == [Alert.Place("school"), Alert.Place("kindergarten")])
    #expect(alert.steps[1].kinds == [.enter, .exit])
    #expect(settings.alerts[1].alert.devices == nil && settings.alerts[1].alert.holdsInQuietHours)
    #expect(settings.needsPresence)
  }

  private static let channels = #""channels": {"c": {"command": ["/bin/true"]}}"#
  private static let alert = #""name": "a", "fences": ["f"], "events": ["enter"], "channels": ["c"]"#

  @Test(arguments: [
    ("{", "line 1: This is no JSON object"), ("{\n\"alerts\": [,]\n}", "line 2: This is no JSON object"),
    ("{\"alerts\": []}", "no channels"),
    ("{\(channels), \"alerts\": [], \"rules\": 1}", "rules is unknown"),
    ("{\"channels\": {\"c\": {}}, \"alerts\": []}", "channels.c: A channel has either"),
    (
      #"{"channels": {"c": {"command": ["/bin/true"], "webhook": "http://a"}}, "alerts": []}"#,
      "channels.c: A channel has either"
    ),
    (#"{"channels": {"c": {"command": ["true"]}}, "alerts": []}"#, "must be the path of a program"),
    (#"{"channels": {"c": {"command": ["/bin/none"]}}, "alerts": []}"#, "/bin/none can't be run"),
    (
      #"{"channels": {"c": {"command": ["/bin/true", "{devise}"]}}, "alerts": []}"#,
      "There is no {devise}"
    ),
    (
      #"{"channels": {"c": {"webhook": "ftp://a/b"}}, "alerts": []}"#,
      "channels.c.webhook: This must be a URL"
    ),
    (#"{"channels": {"c": {"webhook": "https://u:p@a/b"}}, "alerts": []}"#, "a URL without a user"),
    (
      #"{"channels": {"c": {"webhook": "https://a", "secretFile": "none"}}, "alerts": []}"#,
      "channels.c.secretFile: The file can't be read"
    ),
    (
      #"{"channels": {"c": {"webhook": "https://a", "secretFile": "short"}}, "alerts": []}"#,
      "at least 16 bytes"
    ),
    (#"{"channels": {"c": {"webhook": "https://a", "caFile": "none"}}, "alerts": []}"#, "channels.c.caFile"),
    (
      #"{"channels": {"c": {"command": ["/bin/true"], "format": "text"}}, "alerts": []}"#,
      "belong to a webhook"
    ),
    (#"{"channels": {"c": {"webhook": "https://a", "format": "xml"}}, "alerts": []}"#, "one of json, text"),
    (#"{"channels": {"c": {"webhook": "https://a", "timeout": "5 s"}}, "alerts": []}"#, "channels.c.timeout"),
    (
      #"{"channels": {"c": {"webhook": "https://a", "giveUpAfter": "31d"}}, "alerts": []}"#,
      "such as 30s, 15m or 2h, from 1m to 30d."
    ),
    ("{\(channels), \"alerts\": [{}]}", "alerts[0]: no name"),
    ("{\(channels), \"alerts\": [{\(alert)}, {\(alert)}]}", "alerts[1].name: Every alert needs a name"),
    ("{\(channels), \"alerts\": [{\(alert), \"cooldown\": \"1m\"}]}", "alerts[0]: cooldown is unknown"),
    ("{\(channels), \"alerts\": [{\(alert), \"coolDown\": \"1x\"}]}", "alerts[0].coolDown"),
    ("{\(channels), \"alerts\": [{\(alert), \"hours\": \"Monday\"}]}", "alerts[0].hours"),
    ("{\(channels), \"alerts\": [{\(alert), \"hours\": \"Mo 08:00-09:00 Europe/Nowhere\"}]}", "no time zone"),
    ("{\(channels), \"alerts\": [{\(alert), \"steps\": []}]}", "alerts[0].steps: A sequence has its fences"),
    ("{\(channels), \"alerts\": [{\(alert), \"devices\": []}]}", "alerts[0].devices"),
    ("{\(channels), \"alerts\": [{\(alert), \"inQuietHours\": \"wait\"}]}", "one of hold, drop"),
    (
      #"{"channels": {"c": {"command": ["/bin/true"]}}, "alerts": [{"name": "a", "fences": ["f"], "events": ["go"], "channels": ["c"]}]}"#,
      "enter, exit and dwell"
    ),
    (
      #"{"channels": {"c": {"command": ["/bin/true"]}}, "alerts": [{"name": "a", "fences": ["f"], "events": ["enter"], "channels": ["d"]}]}"#,
      "There is no channel \"d\""
    ),
    (
      #"{"groups": {"g": ["x", "y"]}, "channels": {"c": {"command": ["/bin/true"]}}, "alerts": [{"name": "a", "fences": ["g"], "events": ["dwell"], "channels": ["c"]}]}"#,
      "have no dwell"
    ),
    (#"{"groups": {"g": []}, "channels": {}, "alerts": []}"#, "groups.g: The group has no fence"),
  ]) func mistakeIsLocated(text: String, message: String) throws {
    _ = try folder.write("short\n", to: "short")
    let error = #expect(throws: SettingsFile.ParseError.self) { try read(text) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func configurationReportsTheFile() throws {
    let path = try folder.write("{", to: "alerts.json")
    var input = ServerConfiguration.Input()
    input.file = try folder.write("ALERTS=\(path)\n", to: "conf")
    let problems = #expect(throws: ConfigurationProblems.self) { try ServerConfiguration(input) }
    #expect(
      problems?.all.first?.description == "\(folder.path("conf")):1: \(path): line 1: This is no JSON object."
    )
    _ = try folder.write("ALERTS=\(folder.path("none"))\n", to: "conf")
    #expect(
      "\(#expect(throws: ConfigurationProblems.self) { try ServerConfiguration(input) } as Any)".contains(
        "can't be read"))
  }
}
