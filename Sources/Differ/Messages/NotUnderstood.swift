import CastModel
public import Recording

/// Something a device said that this version gives no meaning to, and how often (PROTOCOL 8, row 27).
///
/// A device may say anything; what is new is kept in the archive, and counted here, so that somebody can look at it.
public struct NotUnderstood: Sendable, Equatable {
    /// What is not understood of a message.
    public enum Subject: String, Sendable, CaseIterable {
        /// The type of a message on one of the platform's namespaces.
        case messageType = "message type"
        /// A key of RECEIVER_STATUS.
        case receiverKey = "RECEIVER_STATUS key"
        /// A key of an app in RECEIVER_STATUS.
        case appKey = "app key"
        /// A key of a status in MEDIA_STATUS.
        case mediaStatusKey = "MEDIA_STATUS key"
        /// A key of `media`.
        case mediaKey = "media key"
        /// A word of `playerState`.
        case playerState
        /// A word of `idleReason`.
        case idleReason
        /// A word of `streamType`.
        case streamType
        /// A word of `repeatMode`.
        case repeatMode
        /// A word of a track's `type`.
        case trackType = "track type"
        /// A word of `appType`.
        case appType
        /// A word of a volume's `controlType`.
        case controlType
        /// A word of `changeType` in QUEUE_CHANGE.
        case queueChangeType = "changeType"
        /// A bit of `supportedMediaCommands`, by its value.
        case commandBit = "supportedMediaCommands bit"
    }

    /// What it is; of which namespace, and which word.
    public struct Name: Sendable, Hashable, Comparable {
        /// What is not understood.
        public var subject: Subject
        /// Where it was said.
        public var namespace: String
        /// The word, at most 64 characters of it and without secrets; ``overflow`` for those beyond the limit.
        public var word: String

        /// Stands for the words of a device beyond its first ``NotUnderstood/wordLimit``.
        public static let overflow = "(others)"

        /// A name, part by part.
        public init(_ subject: Subject, _ namespace: String, _ word: String) {
            self.subject = subject
            self.namespace = namespace
            self.word = word
        }

        /// The order of the texts.
        public static func < (one: Name, other: Name) -> Bool {
            (one.subject.rawValue, one.namespace, one.word) < (other.subject.rawValue, other.namespace, other.word)
        }
    }

    /// Different words told of one device, at most; the rest is counted together.
    public static let wordLimit = 64
    /// This much of a word is kept, in Unicode scalars.
    static let wordLimitScalars = 64

    /// What it is.
    public var name: Name
    /// How often it was said.
    public var count: Int64
    /// Where it was said first.
    public var firstPosition: ArchivePosition
    /// When it was said first.
    public var firstAt: WallTime
    /// Where it was said last.
    public var lastPosition: ArchivePosition
    /// When it was said last.
    public var lastAt: WallTime

    /// A count, part by part.
    public init(
        name: Name, count: Int64, firstPosition: ArchivePosition, firstAt: WallTime, lastPosition: ArchivePosition,
        lastAt: WallTime
    ) {
        self.name = name
        self.count = count
        self.firstPosition = firstPosition
        self.firstAt = firstAt
        self.lastPosition = lastPosition
        self.lastAt = lastAt
    }
}

/// Counts what is not understood, between two checkpoints.
struct NotUnderstoodCounts {
    private var counts: [NotUnderstood.Name: NotUnderstood] = [:]

    /// Counts what one record said.
    mutating func add(_ names: [NotUnderstood.Name], position: ArchivePosition, at: WallTime) {
        for name in names {
            if counts[name] == nil {
                counts[name] = NotUnderstood(
                    name: name, count: 0, firstPosition: position, firstAt: at, lastPosition: position, lastAt: at)
            }
            counts[name]?.count &+= 1
            counts[name]?.lastPosition = position
            counts[name]?.lastAt = at
        }
    }

    /// What was counted since the last call, in the order of the names.
    mutating func take() -> [NotUnderstood] {
        defer { counts.removeAll(keepingCapacity: true) }
        return counts.values.sorted { $0.name < $1.name }
    }
}

/// The words of one device that are not understood: which of them are told by name.
struct NotedWords: Equatable {
    /// Fingerprints of the names told.
    private(set) var known: [UInt64] = []

    init() {}

    /// The name to count a word under: its own, or that of all words beyond the limit.
    mutating func admit(_ subject: NotUnderstood.Subject, _ namespace: String, _ word: String) -> NotUnderstood.Name {
        let kept = Redaction.redacted(String(word.unicodeScalars.prefix(NotUnderstood.wordLimitScalars)))
        let hash = Fingerprint.of("\(subject.rawValue)\n\(namespace)\n\(kept)".utf8)
        if !known.contains(hash) {
            guard known.count < NotUnderstood.wordLimit else {
                return NotUnderstood.Name(subject, namespace, NotUnderstood.Name.overflow)
            }
            known.append(hash)
        }
        return NotUnderstood.Name(subject, namespace, kept)
    }

    /// The state as JSON; nil when every word was understood.
    var stateJSON: JSONValue? {
        known.isEmpty ? nil : .array(known.map { .string(Fingerprint.text($0)) })
    }

    /// The state that ``stateJSON`` wrote.
    init(_ texts: [JSONValue]) { known = texts.compactMap { $0.string.flatMap { UInt64($0, radix: 16) } } }
}
