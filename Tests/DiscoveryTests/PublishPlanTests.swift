import CastModel
import Testing

@testable import Discovery

private func service(_ number: Int, name: String = "TV", port: UInt16 = 8009) -> PublishedService {
    PublishedService(instance: "device-\(number)", port: port, txt: [.init(key: "fn", value: name)])
}

@Suite("The plan of announcements")
struct PublishPlanTests {
    private var plan = PublishPlan()

    @Test mutating func `registers a hundred at a time`() {
        for number in 0..<250 { plan.want(service(number)) }
        #expect(plan.next().count == 100)
        #expect(plan.next() == [])
        for number in 0..<100 { plan.published(instance: "device-\(number)") }
        #expect(plan.next().first == .add(service(100)))
        #expect(plan.establishedCount == 100)
        plan.refused(instance: "device-100")
        #expect(plan.next() == [.add(service(200))])
        #expect(plan.wantedCount == 250)
        #expect(plan.refusedCount == 1)
    }

    @Test mutating func `announces a new name by another text`() {
        plan.want(service(1))
        _ = plan.next()
        plan.published(instance: "device-1")
        plan.want(service(1, name: "Cellar"))
        #expect(plan.next() == [.updateText(service(1, name: "Cellar"))])
        #expect(plan.next() == [])
        #expect(plan.establishedCount == 1)
    }

    @Test mutating func `keeps a new name until the registering is over`() {
        plan.want(service(1))
        _ = plan.next()
        plan.want(service(1, name: "Cellar"))
        #expect(plan.next() == [])
        plan.published(instance: "device-1")
        #expect(plan.next() == [.updateText(service(1, name: "Cellar"))])
    }

    @Test mutating func `announces another port from the start`() {
        plan.want(service(1))
        _ = plan.next()
        plan.published(instance: "device-1")
        plan.want(service(1, port: 8010))
        #expect(plan.next() == [.withdraw(instance: "device-1"), .add(service(1, port: 8010))])
        #expect(plan.establishedCount == 0)
    }

    @Test mutating func `withdraws in every phase`() {
        plan.want(service(1))
        plan.unwant(instance: "device-1")
        #expect(plan.next() == [.withdraw(instance: "device-1")])
        plan.want(service(2))
        _ = plan.next()
        plan.unwant(instance: "device-2")
        #expect(plan.next() == [.withdraw(instance: "device-2")])
        plan.published(instance: "device-2")
        #expect(plan.establishedCount == 0)
        plan.unwant(instance: "nobody")
        #expect(plan.next() == [])
    }

    @Test mutating func `takes a refused service again only when it is published again`() {
        plan.want(service(1))
        _ = plan.next()
        plan.refused(instance: "device-1")
        #expect(plan.next() == [])
        plan.want(service(1))
        #expect(plan.next() == [.add(service(1))])
        #expect(plan.refusedCount == 0)
    }

    @Test mutating func `announces everything again after a daemon restart`() {
        for number in 1...3 { plan.want(service(number)) }
        _ = plan.next()
        plan.published(instance: "device-1")
        plan.refused(instance: "device-2")
        plan.startOver()
        #expect(plan.establishedCount == 0)
        #expect(plan.next() == [.add(service(1)), .add(service(2)), .add(service(3))])
    }

    @Test func `cuts a TXT string at 255 bytes`() {
        let long = PublishedService(
            instance: "x", port: 1,
            txt: [.init(key: "fn", value: String(repeating: "a", count: 300)), .init(key: "k", value: nil)])
        #expect(long.txtStrings.map(\.count) == [255, 1])
    }
}
