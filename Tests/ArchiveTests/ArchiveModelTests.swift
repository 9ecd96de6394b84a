import IO
import Recording
import TestSupport
import Testing

@testable import Archive

// Goal: whatever fails, and whenever: what was reported durable is read back, at its position, once, and nothing else is.
// Method: long random sequences over a disk that fails by a seed, beside the naive archive, which has no disk. Fifty in each
// test run, and others for as long as CASTLEDGER_FUZZ_SECONDS says.
@Suite("The archive beside a naive one, on a disk that fails")
struct ArchiveModelTests {
    /// Seeds of each part.
    private static let seeds = 25

    @Test(arguments: 0..<2) func `agrees with it after every fault`(part: Int) throws {
        var totals = Trial.Totals()
        for seed in part * Self.seeds..<(part + 1) * Self.seeds {
            let trial = Trial(seed: UInt64(seed))
            if let fault = trial.run(steps: 60) {
                Issue.record("seed \(seed), step \(trial.step): \(fault)")
                return
            }
            totals += trial.totals
        }
        print("part \(part), seeds \(part * Self.seeds)..<\((part + 1) * Self.seeds): \(totals)")
        #expect(totals.faults > 100, "the disk did fail")
        #expect(totals.powerCuts > 20)
        #expect(totals.lost > 0, "something was not durable yet when the power went")
        #expect(totals.durable > 200)
    }

    @Test func `agrees with it after faults that nobody tried before`() {
        let first = UInt64.random(in: 0...UInt64(UInt32.max))
        Fuzzing.rounds(4, "archive beside a naive one, \(first)") { changes in
            let seed = first ^ changes.next()
            let trial = Trial(seed: seed)
            if let fault = trial.run(steps: 60) { Issue.record("seed \(seed), step \(trial.step): \(fault)") }
        }
    }
}

/// One random sequence of operations.
private final class Trial {
    struct Totals {
        var (operations, faults, powerCuts, kills, durable, lost, read, torn) = (0, 0, 0, 0, 0, 0, 0, 0)

        static func += (one: inout Totals, other: Totals) {
            one.operations += other.operations
            one.faults += other.faults
            one.powerCuts += other.powerCuts
            one.kills += other.kills
            one.durable += other.durable
            one.lost += other.lost
            one.read += other.read
            one.torn += other.torn
        }
    }

    private let files: FaultyFiles
    private var random: SeededNumbers
    private var model = NaiveArchive()
    private var writer: ArchiveWriter?
    private var reader: ArchiveReader
    private var seen = 0
    private var number = 0
    private var wall = Samples.evening
    private var now: Int64 = 0
    private let limits: ArchiveLimits
    private(set) var step = 0
    private(set) var totals = Totals()

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        files = FaultyFiles(seed: seed &+ 1_000_000)
        reader = ArchiveReader(Samples.folder, files: files)
        limits = Samples.limits(
            batchRecords: Int.random(in: 1...5, using: &random), frameBytes: Int.random(in: 1...4000, using: &random),
            segmentBytes: Int.random(in: 3_000...12_000, using: &random))
    }

    /// What went wrong; nil when nothing did.
    func run(steps: Int) -> String? {
        if let fault = reopen() { return fault }
        while step < steps {
            step += 1
            if let fault = takeStep() { return fault }
        }
        defer {
            totals.faults = files.state.withLock { $0.faults }
            totals.durable = model.durable
        }
        return crash(losesPower: false) ?? checkAll()
    }

    private func takeStep() -> String? {
        totals.operations += 1
        switch Int.random(in: 0..<25, using: &random) {
        case 0..<8: return append()
        case 8: return commit { try self.writer?.commit() }
        case 9, 10: return commit { try self.writer?.finish(now: self.time) }
        case 11:
            now += 70_000_000_000
            writer?.endFrameIfDue(now: time)
            return commit { try self.writer?.commit() }
        case 12: wall += Int64.random(in: 0...2, using: &random) * 86_400_000_000
        case 13: wall -= 86_400_000_000
        case 14: wall += random.isOne(in: 4) ? 365 * 86_400_000_000 : 3_600_000_000
        case 15, 16: files.state.withLock { $0.oneFailsIn = Int.random(in: 2...12, using: &random) }
        case 17:
            files.state.withLock {
                $0.roomBytes = $0.disk.usedBytes + Int.random(in: 0...700, using: &random)
            }
        case 18, 19: files.heal()
        case 20, 21: return readOn()
        case 22: return readLies()
        default: return crash(losesPower: !random.isOne(in: 3))
        }
        return nil
    }

    private var time: MonotonicTime { MonotonicTime(nanoseconds: now) }

    private func append() -> String? {
        let count = Int.random(in: 1...9, using: &random)
        let more = Samples.frames(number..<number + count, from: wall)
        number += count
        model.accept(more)
        writer?.stage(more, now: time)
        return random.isOne(in: 4) ? nil : commit { try self.writer?.commit() }
    }

    private func commit(_ work: () throws -> Void) -> String? {
        do { try work() } catch ArchiveError.volumeFull {} catch ArchiveError.files {} catch { return "\(error)" }
        return writer.flatMap { model.becameDurable($0.durable) }
    }

    /// A reader that follows the writer, as the projection does.
    private func readOn() -> String? {
        guard let writer, Int64(seen) < writer.durable.number else { return nil }
        do {
            let records = try reader.readAvailable(upTo: writer.durable).flatMap(\.records)
            if let fault = model.fault(in: records, from: seen + 1) { return "the reader: \(fault)" }
            seen += records.count
            totals.read += records.count
        } catch ArchiveError.files {} catch { return "the reader: \(error)" }
        return nil
    }

    /// A reader to whom the disk lies says damage or tells the truth.
    private func readLies() -> String? {
        files.state.withLock { $0.oneReadLiesIn = 2 }
        defer { files.state.withLock { $0.oneReadLiesIn = nil } }
        let first = Int.random(in: 1...max(1, model.durable), using: &random)
        let other = ArchiveReader(Samples.folder, from: ArchivePosition(Int64(first)), onDamage: .skip, files: files)
        do {
            let records = try other.readAvailable(upTo: writer?.durable).flatMap(\.records)
            for record in records {
                if let fault = model.fault(in: [record], from: Int(record.position.number)) { return "lies: \(fault)" }
            }
        } catch ArchiveError.files {} catch { return "the reader to whom the disk lies: \(error)" }
        return nil
    }

    private func crash(losesPower: Bool) -> String? {
        writer = nil
        if losesPower {
            totals.powerCuts += 1
            files.cutPower()
            // The readers died, too. The projection begins again after what it has applied.
            reader = ArchiveReader(Samples.folder, from: ArchivePosition(Int64(seen + 1)), files: files)
        } else {
            totals.kills += 1
            files.endProcess()
            // Another process that reads goes on; the projection dies with the recorder.
            if random.isOne(in: 2) {
                reader = ArchiveReader(Samples.folder, from: ArchivePosition(Int64(seen + 1)), files: files)
            }
        }
        return reopen()
    }

    /// Opens the archive again, perhaps while the disk still fails, and perhaps cut off in the middle of it.
    private func reopen() -> String? {
        let wasDurable = model.durable
        while true {
            let before = files.contents
            let faults = files.state.withLock { $0.faults }
            do {
                let opened = try ArchiveWriter(Samples.folder, boot: Samples.boot, limits: limits, files: files)
                writer = opened
                if files.state.withLock({ $0.faults }) == faults, let fault = tornFault(before, opened.recovery) {
                    return fault
                }
                break
            } catch ArchiveError.volumeFull {} catch ArchiveError.files {} catch { return "opening: \(error)" }
            if random.isOne(in: 2) { files.cutPower() }
            if random.isOne(in: 2) { files.heal() }
        }
        let lies = files.state.withLock { ($0.oneFailsIn, $0.roomBytes) }
        files.heal()
        defer { files.state.withLock { ($0.oneFailsIn, $0.roomBytes) = lies } }
        do {
            let found = try Samples.all(files)
            guard found.count == Int(writer?.durable.number ?? -1) else {
                return "\(found.count) records, and the writer goes on after \(writer?.durable.number ?? -1)"
            }
            totals.lost += model.accepted.count - found.count
            if let fault = model.reopened(found) { return "after \(wasDurable) were durable: \(fault)" }
            let verified = try ArchiveVerification.run(Samples.folder, files: files)
            guard verified.isIntact, verified.unfinishedBytes == 0, verified.records == found.count else {
                return "verified: \(verified)"
            }
        } catch { return "after opening: \(error)" }
        return nil
    }

    /// Every byte that was in a segment is in it still, or in a file of torn bytes.
    private func tornFault(_ before: [String: [UInt8]], _ recovery: ArchiveRecovery) -> String? {
        let after = files.contents
        for (path, bytes) in before where path.hasSuffix(".zst") {
            let cut = recovery.cuts.first { $0.segment == path }
            let kept = Array(bytes.prefix(bytes.count - Int(cut?.bytes ?? 0)))
            let torn = Array(bytes.suffix(Int(cut?.bytes ?? 0)))
            totals.torn += torn.count
            guard (after[path] ?? []).starts(with: kept) else { return "\(path) lost bytes that were good" }
            if let cut, after[cut.torn] != torn { return "\(cut.torn) does not hold what was cut" }
        }
        for (path, bytes) in before where path.contains(".torn") && !path.hasSuffix(".unfinished") {
            guard after[path] == bytes else { return "\(path) changed" }
        }
        return nil
    }

    /// In the end, on a disk that works: one more record, and everything is there.
    private func checkAll() -> String? {
        files.heal()
        model.accept(Samples.frames(number..<number + 1, from: wall))
        writer?.stage(Samples.frames(number..<number + 1, from: wall), now: time)
        if let fault = commit({ try self.writer?.finish(now: self.time) }) { return fault }
        guard model.durable == model.accepted.count else { return "a healed disk refuses" }
        do {
            let found = try Samples.all(files)
            guard found.count == model.durable else { return "\(found.count) records of \(model.durable)" }
            return model.fault(in: found, from: 1)
        } catch { return "\(error)" }
    }
}
