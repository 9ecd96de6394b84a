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
            let said = sender.advertisement
            let isAdmitted =
                said.source == .static
                ? !filter.deniesDevice(said.deviceID, name: said.name, model: said.model)
                : filter.admitsDevice(said.deviceID, name: said.name, model: said.model)
            if isAdmitted { sender.adopt(filter, apps) } else { turnAway(sender) }
        }
        for advertisement in allTurnedAway
        where filter.admitsDevice(advertisement.deviceID, name: advertisement.name, model: advertisement.model) {
            apply(.seen(advertisement))
        }
    }

    /// An address is no longer typed: ends its link, unless mDNS or another typed address tells of the device.
    public func forget(typed place: DeviceID) { forgetPlace(place) }
}
