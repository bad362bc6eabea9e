import ArgumentParser
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

/// `whereabouts fence watch`: what happens at the fences of the store, as it happens.
struct FenceWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch the fences of the store, and tell and keep what happens.",
    discussion: """
      Tells each event once it is on the disk, until the source is over, --duration is over, or Ctrl-C. Where the device \
      was last seen is kept too: killed at any instant and started again it goes on where it was, and what happened \
      meanwhile is told as unseen, between two times. What it may have told before it was killed it tells again, marked, \
      with the same id.

      One at a time may watch on a store. Fences that are added, changed or removed meanwhile are taken over within a \
      second. With a recording as its source, time is that of the recording; fixes older than the newest one that the \
      store has seen are not used, so that a recording can be played again from its beginning. --anew forgets where the \
      device was.

      Examples:
        whereabouts fence watch --source 'replay:drive.nmea?speed=10'
        whereabouts fence watch --source 'replay:drive.nmea?speed=max' --json
        whereabouts fence watch --source 'replay:drive.nmea?speed=max' --anew --journal run.journal

      Exit codes: 0 done or ended by Ctrl-C, 1 failed or somebody watches already, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @OptionGroup var source: SourceOptions

  @Option(help: ArgumentHelp("Stop after so long.", valueName: "duration"))
  var duration: DurationArgument?

  @Flag(help: "Forget where the device was; fences and events stay.")
  var anew = false

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  func validate() throws { try source.refuseIdleForce() }

  func run() async throws {
    let folder = try store.open()
    let lock = try folder.lockWatch()
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    let voice = FenceVoice(json: json, text: FenceEventText(try folder.read().fences), stop: stop)
    // A recording stands still while nobody asks for fixes, and its time with it: it would never be time to look again.
    let settings = FenceSettings(savesPower: !source.isRecorded)
    let opening = try FenceLedger.open(folder, begins: anew, settings: settings, voice: voice)
    voice.tell(
      opening.untold.map { event in
        var event = event
        if event.news == .new { event.news = .again }
        return event
      })
    if opening.fences.isEmpty {
      StandardError.say("whereabouts: there is no fence yet; those that are added are watched")
    } else if System.isTerminal(System.standardError) {
      StandardError.say("watching \(Quantities.count(opening.fences.count, "fence")); Ctrl-C ends it")
    }
    let manager = try source.manager(
      until: duration.map { TimeLimit(after: $0.duration) }, fences: opening.record,
      fenceStore: opening.ledger)
    let watch = FenceSession(manager: manager, folder: folder, known: opening.fences)
    let leaving = Task {
      for await _ in stops { await watch.stop() }
    }
    defer { leaving.cancel() }
    try await FollowingSession(manager: manager, noun: nil) { await watch.stop() }.run { await watch.run() }
    withExtendedLifetime(lock) {}
  }
}
