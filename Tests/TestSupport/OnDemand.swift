import FoundationEssentials

/// What whoever runs the tests asks for beyond the usual, by variables of the environment.
public enum OnDemand {
    /// The number of a variable; nil where it is not set, or is none.
    public static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
