import WhereaboutsModel

/// The service's problems, with remedies for a person.
enum GeoClueProblems {
  static func unreachableBus(_ failure: DBusError) -> SourceProblem {
    SourceProblem(
      .unreachable, message: "reach the system's message bus: \(failure.message)",
      remedy: "Start it with `sudo systemctl start dbus`.")
  }

  static func notInstalled() -> SourceProblem {
    SourceProblem(
      .unreachable,
      message: "find the location service: no process on the bus owns \(GeoClueBusNames.service)",
      remedy: "Install it with `sudo apt install geoclue-2.0`, or what your system calls it.")
  }

  static func stopped() -> SourceProblem {
    SourceProblem(
      .unreachable, message: "reach the location service: it has stopped",
      remedy: "See why with `journalctl -u geoclue`.")
  }

  static func failed(_ failure: DBusError) -> SourceProblem {
    SourceProblem(
      .unreachable,
      message: "use the location service: \(failure.message.isEmpty ? failure.name : failure.message)",
      remedy: "See why with `journalctl -u geoclue`.")
  }

  static func noPosition(level: GeoClueAccuracy) -> SourceProblem {
    SourceProblem(
      .noPosition, message: "get a position from the location service (\(level.name)): it has none",
      remedy: "Switch Wi-Fi on, connect a receiver, or set a look-up service in /etc/geoclue/geoclue.conf.")
  }

  static func invalidPosition() -> SourceProblem {
    SourceProblem(.notUnderstood, message: "use what the location service says: it is no place on earth")
  }

  static func noCompass() -> SourceProblem {
    SourceProblem(
      .noCompass, message: "get a heading from the location service: it tells the direction of travel only")
  }

  // MARK: Permission

  private static func refusedAuthorization(_ status: Authorization.Status, _ remedy: String) -> Authorization
  {
    Authorization(status, noticesChanges: false, remedy: remedy)
  }

  static func allowed() -> Authorization { Authorization(.always, noticesChanges: false) }

  /// Returns the missing permission without an agent: the service grants no access before this user's agent has
  /// registered, and sends no reply.
  static func noAgent() -> Authorization {
    refusedAuthorization(
      .denied,
      "The location service denies access while no agent runs in your session. A desktop starts one; "
        + "without a desktop, type `/usr/libexec/geoclue-2.0/demos/agent &` (package geoclue-2-demo).")
  }

  static func awaitingPermission(_ desktopID: String) -> Authorization {
    refusedAuthorization(.notDetermined, "Answer the question whether \(desktopID) may know where you are.")
  }

  /// Returns the reason of a refusal. The service's message for location switched off is the same in all versions.
  static func refusal(_ failure: DBusError, desktopID: String) -> Authorization {
    failure.message.contains("Geolocation disabled") ? switchedOff() : denied(desktopID)
  }

  static func switchedOff() -> Authorization {
    refusedAuthorization(
      .servicesDisabled,
      "Switch location services on in the settings of your desktop, under privacy "
        + "(in GNOME `gsettings set org.gnome.system.location enabled true`).")
  }

  private static func denied(_ desktopID: String) -> Authorization {
    refusedAuthorization(
      .denied,
      "Allow \(desktopID) in the settings of your desktop, under privacy and location; or put the lines "
        + "`[\(desktopID)]`, `allowed=true`, `system=false` and `users=` into /etc/geoclue/geoclue.conf and type "
        + "`sudo systemctl restart geoclue`.")
  }
}
