public import CastModel

/// A Cast service to announce: what a simulated device says of itself over mDNS.
public struct PublishedService: Sendable, Equatable {
    /// Unique on the network, at most 63 bytes: "Chromecast-<32 hexadecimal digits>" on devices.
    public var instance: String
    /// Where the device listens.
    public var port: UInt16
    /// In the order to announce.
    public var txt: [DeviceAdvertisement.TXTPair]
    /// Receiver apps that official pickers may look for, eight hexadecimal digits each (PROTOCOL 1.4).
    public var appIDs: [AppID]

    /// A service on this host.
    public init(instance: String, port: UInt16, txt: [DeviceAdvertisement.TXTPair], appIDs: [AppID] = []) {
        self.instance = instance
        self.port = port
        self.txt = txt
        self.appIDs = appIDs
    }

    /// The TXT pairs as strings of at most 255 bytes; what does not fit is cut.
    var txtStrings: [[UInt8]] {
        txt.map { pair in
            Array((pair.value.map { "\(pair.key)=\($0)" } ?? pair.key).utf8.prefix(TXTRecord.stringLimitBytes))
        }
    }
}
