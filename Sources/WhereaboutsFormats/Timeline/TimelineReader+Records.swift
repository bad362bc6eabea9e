import WhereaboutsModel
import WhereaboutsGeodesy

/// `Records.json`.
extension TimelineReader {
  /// The members of a record that are read.
  fileprivate struct Record {
    var latitude: JSONItem?
    var longitude: JSONItem?
    var timestamp: JSONItem?
    var milliseconds: JSONItem?
    var accuracy: JSONItem?
    var verticalAccuracy: JSONItem?
    var altitude: JSONItem?
    var velocity: JSONItem?
    var heading: JSONItem?
    var device: JSONItem?
    var activities: JSONItem?

    init(_ item: JSONItem) {
      item.forEachMember { name, value in
        switch name.count {
        case 7 where name.equals("heading"): heading = value
        case 8 where name.equals("accuracy"): accuracy = value
        case 8 where name.equals("altitude"): altitude = value
        case 8 where name.equals("velocity"): velocity = value
        case 8 where name.equals("activity"): activities = value
        case 9 where name.equals("timestamp"): timestamp = value
        case 9 where name.equals("deviceTag"): device = value
        case 9 where name.equals("activitys"): activities = activities ?? value
        case 10 where name.equals("latitudeE7"): latitude = value
        case 11 where name.equals("longitudeE7"): longitude = value
        case 11 where name.equals("timestampMs"): milliseconds = value
        case 16 where name.equals("verticalAccuracy"): verticalAccuracy = value
        default: break
        }
      }
    }
  }

  mutating func readRecord(_ item: JSONItem, into batch: inout RecordingBatch) {
    let record = Record(item)
    guard record.latitude?.isNull == false, record.longitude?.isNull == false else {
      return report(.missing, "a record without latitudeE7 or longitudeE7", into: &batch)
    }
    let place = TimelineCoordinates.place(latitudeE7: record.latitude, longitudeE7: record.longitude)
    let time = TimelineTime(record.timestamp, record.milliseconds)
    if place != nil, time.value != nil { begin(record.device?.integer, into: &batch) }
    append(place, time, into: &batch) { fix in
      fix.horizontalAccuracy = record.accuracy?.number?.ifPositive
      fix.verticalAccuracy = record.verticalAccuracy?.number?.ifPositive
      fix.heightAboveEllipsoid = record.altitude?.number
      fix.speed = record.velocity?.number?.ifNotNegative
      fix.course = record.course
      fix.activity = fix.time.flatMap { Fix.StatedActivity(nearestOf: record.activities, to: $0) }
    }
  }
}

extension TimelineReader.Record {
  /// The course; `nil` for a course of 0 without motion, which many phones write for an unknown one.
  fileprivate var course: Double? {
    guard let heading = heading?.number, (0...360).contains(heading) else { return nil }
    let isMoving = velocity?.number.map { $0 > 0 } ?? false
    return heading == 0 && !isMoving ? nil : heading.wrappedDegrees
  }
}
