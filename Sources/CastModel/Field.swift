/// What a message says about one of its fields.
///
/// A field that is left out means "unchanged" or "not said"; `null` means "none". No default stands in for either.
public enum Field<Value> {
    /// The message does not mention it.
    case absent
    /// The message says `null`.
    case null
    /// The message says this.
    case value(Value)

    /// The value, when there is one.
    ///
    /// Use where absent and null really mean the same.
    public var ifPresent: Value? {
        guard case .value(let value) = self else { return nil }
        return value
    }

    /// Whether the message mentions the field, as a value or as `null`.
    public var isMentioned: Bool {
        guard case .absent = self else { return true }
        return false
    }
}

extension Field: Sendable where Value: Sendable {}
extension Field: Equatable where Value: Equatable {}
