import CastModel
import IO
import Recording
import Telemetry

/// What there is to say of a link that came up and is not yet in the log.
struct LinkOpening {
    let address: SocketAddress
    let link: LinkNumber
    let attempt: Int
    let afterFailures: Bool

    /// Says that the link is up, once it is known whose it is.
    func write(to log: Log, as advertisement: DeviceAdvertisement) {
        log(
            .info, afterFailures ? "link opened after failures" : "link opened",
            [
                .deviceID: advertisement.deviceID.text, .deviceName: advertisement.name ?? "",
                .address: address.description, .link: "\(link.number)", .attempt: "\(attempt)",
            ])
    }
}
