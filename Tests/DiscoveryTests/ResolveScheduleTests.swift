import Testing

@testable import Discovery

private func instance(_ name: String) -> ServiceInstance {
    ServiceInstance(interface: 2, family: .four, name: name, domain: "local")
}

@Suite("The schedule of questions")
struct ResolveScheduleTests {
    private let second: Int64 = 1_000_000_000
    private var schedule = ResolveSchedule(refreshNanoseconds: 600_000_000_000)

    private static func question(_ name: String, anyFamily: Bool = false) -> ResolveSchedule.Question {
        .init(instance: instance(name), anyFamily: anyFamily)
    }

    @Test mutating func `asks at once, then again when the answer is old`() {
        schedule.want(instance("a"), now: 0)
        #expect(schedule.open(now: 0) == [Self.question("a")])
        #expect(schedule.open(now: 0) == [])
        schedule.answered(instance("a"), now: 2 * second)
        #expect(schedule.quietNanoseconds(now: 2 * second) == 600 * second)
        #expect(schedule.open(now: 602 * second - 1) == [])
        #expect(schedule.open(now: 602 * second) == [Self.question("a")])
    }

    @Test mutating func `after a failure waits 5 s, doubled up to 5 minutes, and takes any address every second time`()
    {
        schedule.want(instance("a"), now: 0)
        var now: Int64 = 0
        for (number, wait) in [5, 10, 20, 40, 80, 160, 300, 300, 300].enumerated() {
            #expect(schedule.open(now: now) == [Self.question("a", anyFamily: number % 2 == 1)])
            #expect(schedule.failed(instance("a"), now: now) == number + 1)
            #expect(schedule.quietNanoseconds(now: now) == Int64(wait) * second)
            now += Int64(wait) * second
        }
    }

    @Test mutating func `has 100 questions open at most, and opens more when half are answered`() {
        for number in 100..<300 { schedule.want(instance("\(number)"), now: 0) }
        let first = schedule.open(now: 0)
        #expect(first.count == 100)
        #expect(first.first == Self.question("100"))
        for question in first.prefix(49) { schedule.answered(question.instance, now: 0) }
        #expect(schedule.open(now: 0) == [])
        #expect(schedule.quietNanoseconds(now: 0) == .max)
        schedule.answered(first[49].instance, now: 0)
        #expect(schedule.quietNanoseconds(now: 0) == 0)
        #expect(schedule.open(now: 0).count == 50)
    }

    @Test mutating func `asks again when it was wanted while the question was open`() {
        schedule.want(instance("a"), now: 0)
        _ = schedule.open(now: 0)
        schedule.want(instance("a"), now: 1)
        #expect(schedule.open(now: 1) == [])
        schedule.answered(instance("a"), now: 2)
        #expect(schedule.open(now: 2) == [Self.question("a")])
    }

    @Test mutating func `forgets what is gone, an open question too`() {
        for number in 0..<51 { schedule.want(instance("\(number)"), now: 0) }
        _ = schedule.open(now: 0)
        schedule.want(instance("z"), now: 0)
        #expect(schedule.open(now: 0) == [])
        schedule.forget(instance("0"))
        #expect(schedule.open(now: 0) == [Self.question("z")])
        schedule.forgetAll()
        #expect(schedule.quietNanoseconds(now: 0) == .max)
    }
}
