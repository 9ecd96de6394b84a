public import SenderCore

extension SenderSupervisor {
    /// Numbers for the metrics page; all count up from the start of the process but those that say otherwise.
    public struct Counters: Sendable, Equatable {
        /// Links that came up.
        public var linksOpened: Int64 = 0
        /// Attempts to open one that failed.
        public var linksFailed = 0
        /// How often the sink was full, so that all links stopped reading.
        public var timesPaused = 0
        /// Frames that could be neither handed on nor kept; each is in a `framesLost` observation.
        public var framesLost = 0
        /// Frames that were taken, both directions.
        public var frames = 0
        /// Of them, those that devices sent.
        public var framesReceived = 0
        /// Of these, those that were no messages.
        public var framesMalformed = 0
        /// Messages that we sent; those that were never sent are not there.
        public var framesSent: [PermittedMessage.Kind: Int] = [:]
        /// Bytes of what was observed and the sink has not taken yet: now.
        public var waitingBytes = 0
        /// Devices that were not taken because of ``SenderSupervisor/deviceLimit``.
        public var devicesRefused = 0
        /// Attempts that are under way now.
        public var attemptsInFlight = 0

        /// All zero.
        public init() {}
    }
}
