import Testing
import WhereaboutsModel

@testable import WhereaboutsFormats

@Suite struct StatedActivityTests {
  @Test(
    arguments: [
      (["STILL", "stationary"], .still),
      (["WALKING", "walking", "ON_FOOT", "on foot", "On-Foot", "onFoot", "HIKING"], .walking),
      (["RUNNING", "running", "Running"], .running),
      (["CYCLING", "ON_BICYCLE", "on_bicycle", "onBicycle", "Biking"], .cycling),
      (["IN_PASSENGER_VEHICLE", "in passenger vehicle", "in_vehicle", "IN_ROAD_VEHICLE"], .driving),
      (["IN_FOUR_WHEELER_VEHICLE", "IN_TWO_WHEELER_VEHICLE", "IN_CAR", "IN_BUS", "in bus"], .driving),
      (["inVehicle", "IN_TAXI", "MOTORCYCLING", "automotive", "driving"], .driving),
      (["IN_TRAIN", "in train", "IN_SUBWAY", "IN_TRAM", "IN_RAIL_VEHICLE"], .rail),
      (["FLYING"], .flying),
      (["SAILING", "BOATING", "IN_FERRY", "KAYAKING", "ROWING"], .boating),
      (["", "UNKNOWN", "TILTING", "SKIING", "WALKINGS", "WALKIN", "IN__TRAIN", " still", "ON/FOOT"], nil),
    ] as [([String], Fix.StatedActivity?)])
  func wordsOfOtherPrograms(words: [String], activity: Fix.StatedActivity?) {
    for word in words {
      let read = Array(word.utf8).withUnsafeBytes { Fix.StatedActivity(word: $0) }
      #expect(read == activity, "\(word)")
    }
  }

  @Test func rawValuesAreKnownWords() {
    for activity in Fix.StatedActivity.allCases {
      let read = Array(activity.rawValue.utf8).withUnsafeBytes { Fix.StatedActivity(word: $0) }
      #expect(read == activity)
    }
  }

  @Test(
    arguments: [
      ([], nil), (["unknown"], nil), (["stationary"], .still), (["driving", "stationary"], .driving),
      (["stationary", "driving"], .driving), (["walking", "cycling"], .walking),
      (["unknown", "automotive"], .driving),
    ] as [([String], Fix.StatedActivity?)])
  func firstMovingActivityOfSeveralWordsCounts(words: [String], activity: Fix.StatedActivity?) {
    #expect(Fix.StatedActivity(words: words) == activity)
  }

  @Test func unknownWordInJSONLinesIsAbsent() {
    var decoder = JSONLinesDecoder()
    let text = """
      {"lat":1,"lon":2,"activity":"rail"}
      {"lat":1,"lon":2,"activity":"IN_TRAIN"}
      {"lat":1,"lon":2,"activity":3}
      {"lat":1,"lon":2}

      """
    let batch = decoder.decodeAll(Array(text.utf8))
    #expect(batch.fixes.map(\.activity) == [.rail, nil, nil, nil])
    #expect(batch.problems == ProblemLog())
  }
}
