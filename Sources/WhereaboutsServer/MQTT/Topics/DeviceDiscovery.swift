import WhereaboutsFormats

/// The description of a device for Home Assistant: one retained message with all entities.
///
/// - Source: Home Assistant's documentation of MQTT discovery (device discovery payload), of `device_tracker.mqtt`,
///   `sensor.mqtt` and `event.mqtt`, as of 2026. `default_entity_id` replaced `object_id`; a `state_topic` of
///   a tracker is deprecated, so the place is in its attributes.
struct DeviceDiscovery {
  let topics: MQTTTopics
  let device: TopicName
  /// The name for people.
  let name: String
  /// Whether the broker receives places. Without them there is no entity of the accuracy.
  let sharesPlaces: Bool

  /// The payload.
  var payload: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSONObject { body in
      body.appendJSONMember("device") {
        $0.appendJSONMember("identifiers", [topics.uniqueID(of: device)]) { $0.appendJSONString($1) }
        $0.appendJSONMember("name", name)
        $0.appendJSONMember("manufacturer", text: "Whereabouts")
      }
      body.appendJSONMember("origin") { $0.appendJSONMember("name", text: "whereabouts") }
      body.appendJSONMember("availability", [topics.status]) { body, topic in
        body.appendJSONObject { $0.appendJSONMember("topic", topic) }
      }
      body.appendJSONMember("qos", 1)
      body.appendJSONMember("components") { appendComponents(to: &$0) }
    }
    return bytes
  }

  private func appendComponents(to body: inout [UInt8]) {
    let state = topics.state(of: device)
    body.appendJSONMember("place") {
      append("device_tracker", "place", nil, to: &$0)
      $0.appendJSONMember("json_attributes_topic", state)
      $0.appendJSONMember("source_type", text: "gps")
      appendAvailabilityOfPlace(to: &$0)
    }
    if sharesPlaces {
      body.appendJSONMember("accuracy") {
        append("sensor", "accuracy", "Accuracy", to: &$0)
        appendMeasurement("distance", unit: "m", of: "accuracy", to: &$0)
      }
    }
    body.appendJSONMember("battery") {
      append("sensor", "battery", "Battery", to: &$0)
      appendMeasurement("battery", unit: "%", of: "battery", to: &$0)
    }
    body.appendJSONMember("last_crossing") {
      append("sensor", "last_crossing", "Last crossing", to: &$0)
      $0.appendJSONMember("device_class", text: "timestamp")
      $0.appendJSONMember("state_topic", topics.lastCrossing(of: device))
      // Without a crossing the message is empty and has no JSON.
      $0.appendJSONMember(
        "value_template", text: "{{ value_json.time if value_json is defined else none }}")
      $0.appendJSONMember("json_attributes_topic", topics.lastCrossing(of: device))
      // Home Assistant would keep the attributes of the crossing before.
      $0.appendJSONMember("json_attributes_template", text: "{{ value or '{}' }}")
    }
    body.appendJSONMember("crossing") {
      append("event", "crossing", "Crossing", to: &$0)
      $0.appendJSONMember("state_topic", topics.crossing(of: device))
      $0.appendJSONMember("event_types", CrossingPayload.eventTypes) { $0.appendJSONString($1) }
    }
  }

  /// Appends the members that make the tracker unavailable while a state has neither a place nor zones: Home Assistant
  /// would keep the last ones. They replace the device's availability.
  private func appendAvailabilityOfPlace(to body: inout [UInt8]) {
    body.appendJSONMember("availability_mode", text: "all")
    body.appendJSONMember("availability", [topics.status, topics.state(of: device)]) { body, topic in
      body.appendJSONObject {
        $0.appendJSONMember("topic", topic)
        guard topic != topics.status else { return }
        $0.appendJSONMember(
          "value_template",
          "{{ 'online' if 'latitude' in value_json or 'in_zones' in value_json else 'offline' }}")
      }
    }
  }

  /// Appends the members that every entity has.
  ///
  /// - Parameter name: the name for people; `nil` for the device's own.
  private func append(
    _ platform: StaticString, _ key: String, _ name: String?, to body: inout [UInt8]
  ) {
    body.appendJSONMember("platform", text: platform)
    body.appendJSONMember("unique_id", "\(topics.uniqueID(of: device))_\(key)")
    let entity = "\(TopicName(topics.prefix).entity)_\(device.entity)"
    let suffix = key == "place" ? "" : "_\(key)"
    body.appendJSONMember("default_entity_id", "\(platform).\(entity)\(suffix)")
    if let name {
      body.appendJSONMember("name", name)
    } else {
      body.appendJSONKey("name")
      body += Array("null".utf8)
    }
  }

  /// Appends the members of a number in the device's state. A state without the number makes the entity unknown.
  private func appendMeasurement(
    _ kind: StaticString, unit: StaticString, of member: String, to body: inout [UInt8]
  ) {
    body.appendJSONMember("device_class", text: kind)
    body.appendJSONMember("unit_of_measurement", text: unit)
    body.appendJSONMember("state_class", text: "measurement")
    body.appendJSONMember("entity_category", text: "diagnostic")
    body.appendJSONMember("state_topic", topics.state(of: device))
    body.appendJSONMember("value_template", "{{ value_json.\(member) | default(none) }}")
  }
}
