import CastModel
import Recording
import SenderCore

/// What a sender needs of those who run many.
protocol RecordingSenderOwner: AnyObject {
    /// Answer with ``RecordingSender/connect()`` when there is room for one more handshake.
    func wantsToConnect(_ sender: RecordingSender)
    /// The attempt has come to its end, well or not.
    func attemptEnded(_ sender: RecordingSender)
    /// No link came about: the device may have moved.
    func wasUnreachable(_ sender: RecordingSender)
    /// A message of this kind has left for the device, or waits to.
    func wasSent(_ kind: PermittedMessage.Kind)
    /// A number for a link that has come up.
    func takeLinkNumber() -> LinkNumber
    /// A device that was known by address only has said who it is. The sender may be stopped within this call.
    func identified(_ sender: RecordingSender, as information: DeviceInformation)
    /// A device's description that is to be recorded, unless it is known already.
    func record(seen advertisement: DeviceAdvertisement)
}
