import EngineBench
import Testing
import Whereabouts

extension StoreRow {
  /// What is written, and what is found again.
  static let commits: [StoreRow] = [
    StoreRow("of a device that nobody has heard of there is an empty record") {
      expectSame(try await $0.load(), DeviceRecord())
    },
    StoreRow("an empty commit leaves an empty record") {
      try await $0.commit { _ in }
      expectSame(try await $0.load(), DeviceRecord())
    },
    StoreRow("fixes come back in the order in which they were taken, whatever their times and uses") {
      let taken = [
        used(5), SeenFix(fix(5, at: 2), use: .late, seen: utc(5)), used(6), used(6),
        SeenFix(fix(900, at: 7), use: .implausible, seen: utc(7)), used(3),
      ]
      try await $0.commit { $0.fixes = Array(taken[..<2]) }
      for fix in taken[2...] { try await $0.commit { $0.fixes = [fix] } }
      #expect(try await $0.load().since == taken)
      #expect(try await $0.load().lastFix == used(3))
    },
    StoreRow("the last fix is the last that was used") {
      try await $0.commit { $0.fixes = [used(1), SeenFix(fix(5, at: 9), use: .implausible, seen: utc(9))] }
      #expect(try await $0.load().lastFix == used(1))
    },
    StoreRow("a fix comes back as old as it is, with all its fields, bit for bit") {
      let full = SeenFix(fullFix(), use: .late, seen: utc(13.000_000_002))
      let bare = SeenFix(Fix(coordinate: full.fix.coordinate, time: utc(1), source: .gpsd))
      try await $0.commit { $0.fixes = [full, bare] }
      #expect(try await $0.load().since == [full, bare])
    },
    StoreRow("fixes of every kind of source, solution and mode come back") {
      var all: [SeenFix] = []
      for (second, source) in SourceKind.allCases.enumerated() {
        for solution in SolutionKind.allCases {
          var fix = Fix(coordinate: used(0).fix.coordinate, time: utc(Double(second)), source: source)
          fix.solution = solution
          fix.mode = .twoD
          all.append(SeenFix(fix, use: .used, seen: utc(0)))
        }
      }
      try await $0.commit { $0.fixes = all }
      #expect(try await $0.load().since == all)
    },
    StoreRow("a fix that says no time is kept in its place, with when it was taken or without") {
      let taken = [
        used(1), SeenFix(fix(5, at: nil), seen: utc(4)), SeenFix(fix(6, at: nil)), used(2),
        SeenFix(fix(6, at: nil)),
      ]
      try await $0.commit { $0.fixes = taken }
      #expect(try await $0.load().since == taken)
      #expect(try await $0.load().lastFix == taken[4])
    },
    StoreRow("times at both ends of what can be said come back, and places at the edges of the Earth") {
      let corners = [(90.0, 180.0), (-90, -180), (0, 0), (-0.000_000_1, 179.999_999_999_999_97)]
      var taken: [SeenFix] = []
      for (latitude, longitude) in corners {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else { continue }
        for time in [Int64.min, -1, 0, .max] {
          let time = UTCTime(nanosecondsSince1970: time)
          taken.append(SeenFix(Fix(coordinate: place, time: time, source: .csv), seen: time))
        }
      }
      try await $0.commit { $0.fixes = taken }
      #expect(taken.count == 16)
      #expect(try await $0.load().since == taken)
    },
    StoreRow("two fixes that are alike are two") {
      try await $0.commit { $0.fixes = [used(1), used(1)] }
      try await $0.commit { $0.fixes = [used(1)] }
      #expect(try await $0.load().since == [used(1), used(1), used(1)])
    },
    StoreRow("a snapshot takes the place of the one before, and includes the fixes of its commit") {
      try await $0.commit { $0.fixes = [used(1), used(2)] }
      try await $0.commit {
        $0.fixes = [used(3)]
        $0.snapshot = state(3)
      }
      #expect(try await $0.load().snapshot == state(3))
      #expect(try await $0.load().since.isEmpty)
      #expect(try await $0.load().lastFix == used(3))
      try await $0.commit { $0.fixes = [used(4)] }
      #expect(try await $0.load().since == [used(4)])
      try await $0.commit { $0.snapshot = state(31) }
      try await $0.commit { $0.fixes = [used(5), used(6)] }
      #expect(try await $0.load().snapshot == state(31))
      #expect(try await $0.load().since == [used(5), used(6)])
    },
    StoreRow("until when everything has been told is news only where it is said") {
      try await $0.commit { $0.passed = utc(4) }
      try await $0.commit { $0.fixes = [used(1)] }
      #expect(try await $0.load().passed == utc(4))
      try await $0.commit { $0.passed = utc(6) }
      #expect(try await $0.load().passed == utc(6))
    },
    StoreRow("devices have nothing to do with each other") {
      for (number, device) in [phone, watch, "", "it's \"a\" ; DROP TABLE fix --", "näme/🛰"].enumerated() {
        let second = Double(number)
        try await $0.commit(device) {
          $0.fixes = [used(second)]
          $0.notes = [note(1, event: UInt64(number) + 1)]
          $0.fences.set = [FenceChange.Entry(fence("home", north: second), serial: 1)]
          $0.fences.lastSerial = 1
          $0.snapshot = state(number)
          $0.trips = [trip("way", distance: second)]
          $0.passed = utc(second)
        }
        try await $0.commit(device) { $0.fixes = [used(second + 100)] }
      }
      let record = try await $0.load(watch)
      #expect(record.since == [used(101)] && record.lastFix == used(101) && record.passed == utc(1))
      #expect(record.notes == [note(1, event: 2)] && record.lastEvent == 2 && record.lastNote == 1)
      #expect(record.fences.map(\.fence) == [fence("home", north: 1)])
      #expect(record.snapshot == state(1) && record.openTrips == [trip("way", distance: 1)])
      #expect(try await $0.load("näme/🛰").since == [used(104)])
      #expect(try await $0.load("").since == [used(102)])
      expectSame(try await $0.load("another"), DeviceRecord())
    },
    StoreRow("commits of many tasks at once are all there, those of each in order") { bench in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for device in 0..<8 {
          group.addTask {
            for number in 1...40 {
              try await bench.commit(DeviceID(rawValue: "device \(device)")) {
                $0.fixes = [used(Double(number))]
                $0.notes = [note(UInt64(number), event: UInt64(number))]
                $0.durability = number.isMultiple(of: 10) ? .power : .process
              }
            }
          }
        }
        try await group.waitForAll()
      }
      for device in 0..<8 {
        let record = try await bench.load(DeviceID(rawValue: "device \(device)"))
        #expect(record.since == (1...40).map { used(Double($0)) })
        #expect(record.notes == (1...40).map { note($0, event: $0) })
      }
    },
    StoreRow("commits of one device from many tasks are each there as a whole, side by side") { bench in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<40 {
          group.addTask {
            try await bench.commit { $0.fixes = (0..<5).map { used(Double(task * 5 + $0)) } }
          }
        }
        try await group.waitForAll()
      }
      let found = try await bench.load().since
      try #require(found.count == 200 && found.allSatisfy { $0.fix.time != nil })
      for start in stride(from: 0, to: found.count, by: 5) {
        #expect(found[start].fix.time.map { Int($0.seconds(since: utc(0))) % 5 } == 0)
        #expect((1..<5).allSatisfy { found[start + $0].fix.time! > found[start + $0 - 1].fix.time! })
      }
    },
    StoreRow("who reads while others write sees whole commits") { bench in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in UInt64(1)...100 {
            try await bench.commit {
              $0.fixes = [used(Double(number)), used(Double(number) + 0.5)]
              $0.notes = [note(number, event: number)]
              $0.passed = utc(Double(number))
            }
          }
        }
        group.addTask {
          let reader = try bench.opened()
          var last: UInt64 = 0
          while last < 100 {
            let record = try await reader.load(phone)
            #expect(record.since.count == 2 * record.notes.count && record.lastNote >= last)
            #expect(record.passed == (record.lastNote == 0 ? nil : utc(Double(record.lastNote))))
            last = record.lastNote
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
    },
  ]
}
