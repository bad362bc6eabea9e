import ArgumentParser

/// `whereabouts fence`: commands for fences and their events.
struct FenceGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fence",
    abstract: "Watch places: told when the device enters, leaves, or has stayed.",
    discussion: """
      A fence is a circle, a polygon or a corridor with an id, and terms: how sure an event must be, how long a visit or \
      an absence must last, when to tell. Fences, events and what was last seen are kept in a file (--store) that only \
      its owner can read.

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
