import WhereaboutsSystem

/// The greatest numbers of connections for which the process may have open files.
///
/// Each connection is an open file. Without a bound, connections would take the last open files, and no device could be
/// opened for its fixes.
struct ConnectionShares: Hashable {
  /// Below this number a limit is too low for a server with many clients, and is worth a warning.
  static let few = 1_000

  /// For each listener at a port.
  let port: Int
  /// For the listener of this user's commands.
  let socket: Int

  /// Creates the shares.
  ///
  /// - Parameters:
  ///   - openFiles: the limit of open files.
  ///   - cores: the number of processor cores: each has an event loop with open files of its own.
  ///   - ports: the number of listeners at ports, at least 1.
  ///   - hasSocket: whether there is a listener for this user's commands.
  init(openFiles: Int, cores: Int, ports: Int, hasSocket: Bool) {
    // The store, the event loops, and the connections to other servers.
    let reserve = 64 + 4 * cores
    // Each connection may be that of another device, which has an open file, too. A very low limit still serves some.
    let all = max((openFiles - reserve) / 2, openFiles / 4)
    socket = hasSocket ? max(all / 8, 2) : 0
    port = max((all - socket) / ports, 2)
  }

  /// The limit of open files for this process; `nil` if it is not known.
  static var openFiles: Int? {
    #if os(Linux) && canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }
}
