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
        let events = try Rebuild.run(
            data: context.folder, recorderID: recorder, databaseURL: context.arguments.text(.database),
            dropsPruned: context.arguments.has(.dropPruned),
            log: Terminal.log(minimum: .warning)
        ) { position in
            if showsProgress { Terminal.complain(["applied up to position \(position)"]) }
        }
        try context.output.line("rebuilt: \(events) change events")
        return ExitCode.done
    }
}
