import CastModel
import Exports
import IO
import Recording
import Store
import Web
import WebCore

/// A file for other programs, as `castledger export` writes it, streamed to whoever asks over HTTP.
struct WebDocument {
    let question: Question
    let apps: AppRegistry

    /// Writes the whole file.
    func write(_ queries: LedgerQueries, to write: @escaping ([UInt8]) -> Bool) throws {
        if case .report(let name) = question.route {
            return try WebReport(name: name, question: question, apps: apps).write(queries, to: write)
        }
        guard case .export(let name) = question.route else {
            throw HTTPProblem(404, "There is nothing at this path.")
        }
        let subject = question.text("what").flatMap(ExportSubject.init) ?? .plays
        let form: ExportForm
        do { form = try ExportForm(name, subject) } catch let failure as CommandFailure {
            throw HTTPProblem(400, failure.message)
        }
        let (zone, filter) = (try question.zone(), try filter())
        let end = filter.to ?? WallTime(microseconds: Clock.wallMicroseconds())
        let known = try queries.named(filter)
        let heading = ExportHeading(
            from: filter.from ?? known.map(\.firstSeenAt).min() ?? end, to: end, zone: zone,
            devices: known.map { ExportDevice(deviceID: $0.deviceID, deviceName: $0.name) }, apps: apps,
            program: "castledger \(ProgramVersion.text)")
        let output = ExportOutput(write: write)
        _ = try ExportFeed(queries: queries, filter: filter, heading: heading, output: output).write(form)
        try output.finish()
    }

    /// The filter; an export is of one device or of all.
    private func filter() throws -> LedgerFilter {
        var filter = try question.filter()
        guard filter.devices.count <= 1 else { throw HTTPProblem(400, "An export is of one device, or of all.") }
        filter.device = filter.devices.first
        filter.devices = []
        return filter
    }
}
