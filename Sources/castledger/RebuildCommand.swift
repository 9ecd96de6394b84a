import Arguments
import Recorder
import Recording
import Telemetry

/// `castledger rebuild`: the database anew, from the archive.
struct RebuildCommand {
    let context: CommandContext

    func run() throws -> Int32 {
        guard let recorder = try context.folder.existingRecorderID() else {
            throw Ledger.nothingRecorded(context, ExitCode.inputOutput)
        }
        let showsProgress = Terminal.showsOutput
        let outcome = try Rebuild.run(
            data: context.folder, recorderID: recorder, databaseURL: context.arguments.text(.database),
            dropsPruned: context.arguments.has(.dropPruned),
            patience: StillWaiting.patience(), log: Terminal.log(minimum: .warning)
        ) { position in
            if showsProgress { Terminal.complain(["applied up to position \(position)"]) }
        }
        try context.output.line("rebuilt: \(outcome.events) change events")
        guard outcome.damagedPlaces > 0 else { return ExitCode.done }
        let places = outcome.damagedPlaces == 1 ? "1 place" : "\(outcome.damagedPlaces) places"
        Terminal.complain([
            "castledger: the archive is damaged at \(places): what was there is missing in the database. "
                + "'castledger archive verify' names the records."
        ])
        return ExitCode.dataError
    }
}
