import ArgumentParser

/// `whereabouts fence`: commands for fences and their events.
struct FenceGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fence",
    abstract: "Manage geofences, and report enter, exit and dwell events.",
    discussion: """
      A fence is a circle, a polygon or a corridor with an id. Its terms set the required confidence of an event, \
      the minimum duration of a visit or an absence, and the hours of notification. The store (--store) keeps \
      fences, events and the last state in a file that only its owner can read.

      Examples:
        whereabouts fence add home --at 51.4779,-0.0015 --radius 60
        whereabouts fence import places.geojson
        whereabouts fence list
        whereabouts fence watch --source 'replay:drive.nmea?speed=max'
        whereabouts fence events --json
        whereabouts fence test drive.nmea --fences places.geojson --radius 30,50,100
      """,
    subcommands: [
      FenceAdd.self, FenceList.self, FenceShow.self, FenceRemove.self, FenceImport.self, FenceExport.self,
      FenceWatchCommand.self, FenceEvents.self, FenceTest.self,
    ])
}
