import WhereaboutsCore

/// What can be wrong with the service, and what a person can do about it.
enum ServiceTrouble {
  static func unreachableBus(_ failure: BusFailure) -> SourceTrouble {
    SourceTrouble(
      .unreachable, message: "reach the system's message bus: \(failure.message)",
      remedy: "Start it with `sudo systemctl start dbus`.")
  }

  static func notInstalled() -> SourceTrouble {
    SourceTrouble(
      .unreachable, message: "find the location service: nobody on the bus is \(ServiceName.service)",
      remedy: "Install it with `sudo apt install geoclue-2.0`, or what your system calls it.")
  }

  static func stopped() -> SourceTrouble {
    SourceTrouble(
      .unreachable, message: "reach the location service: it has stopped",
      remedy: "See why with `journalctl -u geoclue`.")
  }

  static func failing(_ failure: BusFailure) -> SourceTrouble {
    SourceTrouble(
      .unreachable,
      message: "use the location service: \(failure.message.isEmpty ? failure.name : failure.message)",
      remedy: "See why with `journalctl -u geoclue`.")
  }

  static func noPosition(level: GeoClueAccuracy) -> SourceTrouble {
    SourceTrouble(
      .noPosition, message: "get a position from the location service (\(level.name)): it has none",
      remedy: "Switch Wi-Fi on, connect a receiver, or set a look-up service in /etc/geoclue/geoclue.conf.")
  }

  static func unusable() -> SourceTrouble {
    SourceTrouble(.notUnderstood, message: "use what the location service says: it is no place on earth")
  }

  static func noCompass() -> SourceTrouble {
    SourceTrouble(
      .noCompass, message: "get a heading from the location service: it tells the direction of travel only")
  }

  // MARK: Permission

  private static func refused(_ status: Authorization.Status, _ remedy: String) -> Authorization {
    Authorization(status, noticesChanges: false, remedy: remedy)
  }

  static func allowed() -> Authorization { Authorization(.always, noticesChanges: false) }

  /// The service lets nobody in before an agent of the same user has registered, and says nothing meanwhile.
  static func noAgent() -> Authorization {
    refused(
      .denied,
      "The location service lets nobody in while no agent of yours runs that could ask you. A desktop starts one; "
        + "without a desktop, type `/usr/libexec/geoclue-2.0/demos/agent &` (package geoclue-2-demo).")
  }

  static func questionIsOpen(_ desktopID: String) -> Authorization {
    refused(.notDetermined, "Answer the question whether \(desktopID) may know where you are.")
  }

  /// Why the service refuses: its words for location that is switched off are these in all versions.
  static func refusal(_ failure: BusFailure, desktopID: String) -> Authorization {
    failure.message.contains("Geolocation disabled") ? switchedOff() : denied(desktopID)
  }

  static func switchedOff() -> Authorization {
    refused(
      .servicesDisabled,
      "Switch location services on in the settings of your desktop, under privacy "
        + "(in GNOME `gsettings set org.gnome.system.location enabled true`).")
  }

  private static func denied(_ desktopID: String) -> Authorization {
    refused(
      .denied,
      "Allow \(desktopID) in the settings of your desktop, under privacy and location; or put the lines "
        + "`[\(desktopID)]`, `allowed=true`, `system=false` and `users=` into /etc/geoclue/geoclue.conf and type "
        + "`sudo systemctl restart geoclue`.")
  }
}
