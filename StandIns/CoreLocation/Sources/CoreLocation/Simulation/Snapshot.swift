public import Foundation

extension SimulatedDevice {
  /// A region that was removed while its crossing was noticed and not reported.
  public struct PendingRemoval: Hashable, Sendable {
    public let identifier: String
    public let latitude: Double
    public let longitude: Double
    public let radius: Double
    /// Whether the crossing led inside.
    public let isInside: Bool
    /// When the crossing was noticed.
    public let noticed: Date
    public let removed: Date
  }

  /// The state of a device, with the requests that it received; the settings are those of the first manager.
  public struct Snapshot: Sendable {
    public let status: CLAuthorizationStatus
    public let dialog: Dialog?
    public let dialogCount: Int
    public let isUpdating: Bool
    public let isRequesting: Bool
    public let watchesChanges: Bool
    public let watchesVisits: Bool
    public let updatesHeading: Bool
    public let desiredAccuracy: Double
    public let distanceFilter: Double
    public let activity: Int
    public let pauses: Bool
    public let allowsBackground: Bool
    public let showsIndicator: Bool
    public let headingFilter: Double
    public let headingOrientation: Int32
    public let regions: Set<String>
    /// The regions that were removed while their crossing was noticed and not reported.
    public let pendingRemovals: [PendingRemoval]
    /// The regions that were refused because there were 20.
    public let refusedRegions: [String]
    /// The regions that were registered again at once after their removal, which loses what was noticed of them.
    public let renewedRegions: [String]
    /// The times in the background that are held.
    public let heldActivities: Int
    /// Whether the process runs, or is being launched.
    public let isRunning: Bool
    /// The names of the calls, in order.
    public let calls: [String]
    /// Breaches of rules that end or hang an app on a real device.
    public let violations: [String]

    init(_ state: DeviceState) {
      let manager = state.managers.min { $0.key < $1.key }?.value ?? DeviceState.Manager()
      status = state.status
      dialog = state.dialog
      dialogCount = state.dialogCount
      isUpdating = manager.isUpdating
      isRequesting = manager.requestDeadline != nil
      watchesChanges = manager.watchesChanges
      watchesVisits = state.watchesVisits
      updatesHeading = manager.updatesHeading
      desiredAccuracy = manager.desiredAccuracy
      distanceFilter = manager.distanceFilter
      activity = manager.activity
      pauses = manager.pauses
      allowsBackground = manager.allowsBackground
      showsIndicator = manager.showsIndicator
      headingFilter = manager.headingFilter
      headingOrientation = manager.headingOrientation
      regions = Set(state.regions.keys)
      pendingRemovals = state.pendingRemovals
      refusedRegions = state.refusedRegions
      renewedRegions = state.renewedRegions
      heldActivities = state.heldActivities
      isRunning = state.isRunning
      calls = state.calls
      violations = state.violations
    }
  }
}
