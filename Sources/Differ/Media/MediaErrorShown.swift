import CastModel

extension Payload {
    /// What an event shows of an error on the media namespace (PROTOCOL 4.2): never the app's own `customData`.
    var mediaErrorShown: JSONValue? {
        var told = json.only(["type", "responseType", "reason", "detailedErrorCode", "itemId"])?.object ?? JSONObject()
        if let number = json.integerField("detailedErrorCode").ifPresent {
            told["errorName"] = DetailedErrorCode(number).name.map { .string($0) }
        }
        return told.unlessEmpty.map { Redaction.redacted($0) }
    }
}
