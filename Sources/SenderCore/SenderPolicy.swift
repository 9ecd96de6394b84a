public import CastModel
public import Recording

extension SenderMachine {
    /// What an operator may choose.
    public struct Policy: Sendable, Equatable {
        /// How to join receiver apps.
        public var attachMode: AttachMode
        /// Which apps to join; the device itself has been admitted already.
        public var filter: DeviceFilter
        /// Before the first attempt, a random time up to this passes.
        ///
        /// Nothing for a device that a person typed.
        public var firstConnectJitter: Duration
        /// What we call ourselves in CONNECT.
        public var userAgent: String
        /// Which apps need more time before we join them.
        public var apps: AppRegistry

        /// A policy.
        public init(
            attachMode: AttachMode = .invisible, filter: DeviceFilter = DeviceFilter(),
            firstConnectJitter: Duration = .seconds(5), userAgent: String, apps: AppRegistry = .builtIn
        ) {
            self.attachMode = attachMode
            self.filter = filter
            self.firstConnectJitter = firstConnectJitter
            self.userAgent = userAgent
            self.apps = apps
        }

        /// How long to let an app finish its start before joining it (PROTOCOL 2.6).
        func joinDelay(_ app: RunningApp) -> Duration {
            let known = apps[app.appID] ?? app.universalAppID.flatMap { apps[$0] }
            return .milliseconds(known?.quirks.joinDelayMilliseconds ?? 500)
        }

        /// Whether an app is one to join, as far as the device has told.
        func wantsToJoin(_ app: RunningApp) -> Bool {
            attachMode != .platform && !app.isIdleScreen && !app.isGroupPlaceholder
                && app.transport.map { VirtualConnection.canBeApp($0) } == true && app.offersMedia
                && filter.admitsApp(ids: [app.appID] + [app.universalAppID].compactMap { $0 }, name: app.name)
        }
    }
}
