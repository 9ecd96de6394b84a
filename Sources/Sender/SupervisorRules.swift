public import CastModel
public import SenderCore

extension SenderSupervisor {
    /// Other devices may be recorded from now on, and other apps joined.
    ///
    /// Links to devices that stay admitted stay as they are. A typed device that was turned away comes back when it is
    /// told of again.
    public func apply(filter: DeviceFilter, apps: AppRegistry) {
        change(filter: filter, apps: apps)
        for sender in allSenders {
            if admits(sender.advertisement) { sender.adopt(filter, apps) } else { turnAway(sender) }
        }
        for advertisement in allTurnedAway where admits(advertisement) { apply(.seen(advertisement)) }
    }

    /// An address is no longer typed: ends its link, unless another typed address tells of the device, or mDNS tells of
    /// it and rules admit it.
    public func forget(typed place: DeviceID) { forgetPlace(place) }
}
