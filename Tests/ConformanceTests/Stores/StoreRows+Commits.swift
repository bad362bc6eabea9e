import EngineTestSupport
import Testing
import Whereabouts

extension StoreConformanceCase {
  /// Commits, and the records loaded afterwards.
  static let commits: [StoreConformanceCase] = [
    StoreConformanceCase("an unknown device has an empty record") {
      expectSame(try await $0.load(), DeviceRecord())
    },
    StoreConformanceCase("an empty commit leaves an empty record") {
      try await $0.commit { _ in }
      expectSame(try await $0.load(), DeviceRecord())
    },
    StoreConformanceCase(
      "fixes are loaded in the order in which they were received, regardless of their times and uses"
    ) {
      let taken = [
        usedFix(5), LoggedFix(fix(5, at: 2), use: .late, seen: utc(5)), usedFix(6), usedFix(6),
        LoggedFix(fix(900, at: 7), use: .implausible, seen: utc(7)), usedFix(3),
      ]
      try await $0.commit { $0.fixes = Array(taken[..<2]) }
      for fix in taken[2...] { try await $0.commit { $0.fixes = [fix] } }
      #expect(try await $0.load().fixesSinceSnapshot == taken)
      #expect(try await $0.load().lastFix == usedFix(3))
    },
    StoreConformanceCase("the last fix is the last used fix") {
      try await $0.commit {
        $0.fixes = [usedFix(1), LoggedFix(fix(5, at: 9), use: .implausible, seen: utc(9))]
      }
      #expect(try await $0.load().lastFix == usedFix(1))
    },
    StoreConformanceCase("a fix is loaded with its age and all its fields, bit for bit") {
      let full = LoggedFix(fullFix(), use: .late, seen: utc(13.000_000_002))
      let bare = LoggedFix(Fix(coordinate: full.fix.coordinate, time: utc(1), source: .gpsd))
      try await $0.commit { $0.fixes = [full, bare] }
      #expect(try await $0.load().fixesSinceSnapshot == [full, bare])
    },
    StoreConformanceCase("fixes of every source, solution and mode are loaded") {
      var all: [LoggedFix] = []
      for (second, source) in Fix.SourceKind.allCases.enumerated() {
        for solution in Fix.SolutionKind.allCases {
          var fix = Fix(coordinate: usedFix(0).fix.coordinate, time: utc(Double(second)), source: source)
          fix.solution = solution
          fix.mode = .twoD
          all.append(LoggedFix(fix, use: .used, seen: utc(0)))
        }
      }
      try await $0.commit { $0.fixes = all }
      #expect(try await $0.load().fixesSinceSnapshot == all)
    },
    StoreConformanceCase("a fix without a time is stored in its place, with or without its time of arrival") {
      let taken = [
        usedFix(1), LoggedFix(fix(5, at: nil), seen: utc(4)), LoggedFix(fix(6, at: nil)), usedFix(2),
        LoggedFix(fix(6, at: nil)),
      ]
      try await $0.commit { $0.fixes = taken }
      #expect(try await $0.load().fixesSinceSnapshot == taken)
      #expect(try await $0.load().lastFix == taken[4])
    },
    StoreConformanceCase(
      "the earliest and latest times, and places at the edges of the Earth, are loaded"
    ) {
      let corners = [(90.0, 180.0), (-90, -180), (0, 0), (-0.000_000_1, 179.999_999_999_999_97)]
      var taken: [LoggedFix] = []
      for (latitude, longitude) in corners {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else { continue }
        for time in [Int64.min, -1, 0, .max] {
          let time = UTCTime(nanosecondsSince1970: time)
          taken.append(LoggedFix(Fix(coordinate: place, time: time, source: .csv), seen: time))
        }
      }
      try await $0.commit { $0.fixes = taken }
      #expect(taken.count == 16)
      #expect(try await $0.load().fixesSinceSnapshot == taken)
    },
    StoreConformanceCase("fixes of every activity are loaded") {
      var all: [LoggedFix] = []
      for (second, activity) in Fix.StatedActivity.allCases.enumerated() {
        var fix = Fix(
          coordinate: usedFix(0).fix.coordinate, time: utc(Double(second)), source: .timeline)
        fix.activity = activity
        all.append(LoggedFix(fix, use: .used, seen: utc(0)))
      }
      try await $0.commit { $0.fixes = all }
      #expect(try await $0.load().fixesSinceSnapshot == all)
    },
    StoreConformanceCase("two equal fixes are stored as two") {
      try await $0.commit { $0.fixes = [usedFix(1), usedFix(1)] }
      try await $0.commit { $0.fixes = [usedFix(1)] }
      #expect(try await $0.load().fixesSinceSnapshot == [usedFix(1), usedFix(1), usedFix(1)])
    },
    StoreConformanceCase("a snapshot replaces the previous one and includes the fixes of its commit") {
      try await $0.commit { $0.fixes = [usedFix(1), usedFix(2)] }
      try await $0.commit {
        $0.fixes = [usedFix(3)]
        $0.snapshot = engineSnapshot(3)
      }
      #expect(try await $0.load().snapshot == engineSnapshot(3))
      #expect(try await $0.load().fixesSinceSnapshot.isEmpty)
      #expect(try await $0.load().lastFix == usedFix(3))
      try await $0.commit { $0.fixes = [usedFix(4)] }
      #expect(try await $0.load().fixesSinceSnapshot == [usedFix(4)])
      try await $0.commit { $0.snapshot = engineSnapshot(31) }
      try await $0.commit { $0.fixes = [usedFix(5), usedFix(6)] }
      #expect(try await $0.load().snapshot == engineSnapshot(31))
      #expect(try await $0.load().fixesSinceSnapshot == [usedFix(5), usedFix(6)])
    },
    StoreConformanceCase("processedUntil changes only in a commit that sets it") {
      try await $0.commit { $0.processedUntil = utc(4) }
      try await $0.commit { $0.fixes = [usedFix(1)] }
      #expect(try await $0.load().processedUntil == utc(4))
      try await $0.commit { $0.processedUntil = utc(6) }
      #expect(try await $0.load().processedUntil == utc(6))
    },
    StoreConformanceCase("devices are independent of each other") {
      for (number, device) in [phone, watch, "", "it's \"a\" ; DROP TABLE fix --", "näme/🛰"].enumerated() {
        let second = Double(number)
        try await $0.commit(device) {
          $0.fixes = [usedFix(second)]
          $0.fenceRecords = [numberedRecord(1, event: UInt64(number) + 1)]
          $0.fences.set = [StoreCommit.FenceChange.Entry(fence("home", north: second), serial: 1)]
          $0.fences.lastSerial = 1
          $0.snapshot = engineSnapshot(number)
          $0.trips = [trip("way", distance: second)]
          $0.processedUntil = utc(second)
        }
        try await $0.commit(device) { $0.fixes = [usedFix(second + 100)] }
      }
      let record = try await $0.load(watch)
      #expect(
        record.fixesSinceSnapshot == [usedFix(101)] && record.lastFix == usedFix(101)
          && record.processedUntil == utc(1))
      #expect(
        record.fenceRecords == [numberedRecord(1, event: 2)] && record.lastEventNumber == 2
          && record.lastRecordNumber == 1)
      #expect(record.fences.map(\.fence) == [fence("home", north: 1)])
      #expect(record.snapshot == engineSnapshot(1) && record.openTrips == [trip("way", distance: 1)])
      #expect(try await $0.load("näme/🛰").fixesSinceSnapshot == [usedFix(104)])
      #expect(try await $0.load("").fixesSinceSnapshot == [usedFix(102)])
      expectSame(try await $0.load("another"), DeviceRecord())
    },
    StoreConformanceCase("concurrent commits of many tasks are all stored, those of each task in order") {
      bench in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for device in 0..<8 {
          group.addTask {
            for number in 1...40 {
              try await bench.commit(DeviceID(rawValue: "device \(device)")) {
                $0.fixes = [usedFix(Double(number))]
                $0.fenceRecords = [numberedRecord(UInt64(number), event: UInt64(number))]
                $0.durability = number.isMultiple(of: 10) ? .power : .process
              }
            }
          }
        }
        try await group.waitForAll()
      }
      for device in 0..<8 {
        let record = try await bench.load(DeviceID(rawValue: "device \(device)"))
        #expect(record.fixesSinceSnapshot == (1...40).map { usedFix(Double($0)) })
        #expect(record.fenceRecords == (1...40).map { numberedRecord($0, event: $0) })
      }
    },
    StoreConformanceCase("concurrent commits of one device are each stored as a whole") {
      bench in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<40 {
          group.addTask {
            try await bench.commit { $0.fixes = (0..<5).map { usedFix(Double(task * 5 + $0)) } }
          }
        }
        try await group.waitForAll()
      }
      let found = try await bench.load().fixesSinceSnapshot
      try #require(found.count == 200 && found.allSatisfy { $0.fix.time != nil })
      for start in stride(from: 0, to: found.count, by: 5) {
        #expect(found[start].fix.time.map { Int($0.seconds(since: utc(0))) % 5 } == 0)
        #expect((1..<5).allSatisfy { found[start + $0].fix.time! > found[start + $0 - 1].fix.time! })
      }
    },
    StoreConformanceCase("a reader sees whole commits during writes") { bench in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in UInt64(1)...100 {
            try await bench.commit {
              $0.fixes = [usedFix(Double(number)), usedFix(Double(number) + 0.5)]
              $0.fenceRecords = [numberedRecord(number, event: number)]
              $0.processedUntil = utc(Double(number))
            }
          }
        }
        group.addTask {
          let reader = try bench.reopened()
          var last: UInt64 = 0
          while last < 100 {
            let record = try await reader.load(phone)
            #expect(
              record.fixesSinceSnapshot.count == 2 * record.fenceRecords.count
                && record.lastRecordNumber >= last)
            #expect(
              record.processedUntil
                == (record.lastRecordNumber == 0 ? nil : utc(Double(record.lastRecordNumber))))
            last = record.lastRecordNumber
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
    },
  ]
}
