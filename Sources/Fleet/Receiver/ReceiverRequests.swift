import CastModel
import CastWire

/// Requests to the platform: receiver, discovery, setup and multizone namespaces.
extension ReceiverMachine {
    mutating func platformRequest(
        _ message: CastMessage, _ payload: JSONValue, over virtual: VirtualConnection, from link: LinkNumber,
        at now: Duration
    ) -> [Effect] {
        let asker = MediaMachine.Asker(link: link, senderID: message.sourceID)
        switch message.namespace {
        case .receiver:
            // Commands need a strong virtual connection (PROTOCOL 2.6). Requests without an id are ignored.
            guard virtual.strength == .strong, let type = payload["type"]?.string,
                let requestID = payload["requestId"]?.wholeNumber
            else { return [] }
            return receiverRequest(type, requestID, payload, from: asker, at: now)
        case .discovery:
            guard payload["type"]?.string == "GET_DEVICE_INFO", let requestID = payload["requestId"]?.wholeNumber
            else { return [] }
            return [platformReply(deviceInfo(requestID), .discovery, to: asker)]
        case .setup:
            guard payload["type"]?.string == "eureka_info", let requestID = payload["request_id"]?.wholeNumber
            else { return [] }
            return [platformReply(eurekaInfo(requestID), .setup, to: asker)]
        case .multizone:
            guard payload["type"]?.string == "GET_STATUS", let requestID = payload["requestId"]?.wholeNumber
            else { return [] }
            return [platformReply(multizoneStatus(requestID), .multizone, to: asker)]
        default: return []
        }
    }

    private func platformReply(_ payload: JSONValue, _ namespace: Namespace, to asker: MediaMachine.Asker) -> Effect {
        unicast(payload, namespace, from: Self.platform, to: asker.senderID, on: asker.link)
    }

    private mutating func receiverRequest(
        _ type: String, _ requestID: Int, _ payload: JSONValue, from asker: MediaMachine.Asker, at now: Duration
    ) -> [Effect] {
        switch type {
        case "GET_STATUS": return [platformReply(receiverStatus(requestID: requestID), .receiver, to: asker)]
        case "LAUNCH":
            guard let appID = payload["appId"]?.string, let app = SimulatedApp.launchable(appID) else {
                return [
                    platformReply(
                        ["type": "LAUNCH_ERROR", "requestId": .count(requestID), "reason": "NOT_FOUND"], .receiver,
                        to: asker)
                ]
            }
            return launch(PendingLaunch(asker: asker, requestID: requestID, app: app), at: now)
        case "STOP":
            guard let app, !app.app.isIdleScreen,
                payload["sessionId"] == nil || payload["sessionId"]?.string == app.sessionID
            else { return [platformReply(invalid(requestID, "INVALID_SESSION_ID"), .receiver, to: asker)] }
            return stopApp(because: "sender_request", requestID: requestID, at: now)
        case "SET_VOLUME":
            guard let volume = payload["volume"]?.object else {
                return [platformReply(invalid(requestID, "INVALID_COMMAND"), .receiver, to: asker)]
            }
            return setVolume(
                level: volume["level"]?.anyNumber, muted: volume["muted"]?.truth, requestID: requestID)
        case "GET_APP_AVAILABILITY":
            var availability = JSONObject()
            for appID in (payload["appId"]?.array ?? []).prefix(64).compactMap(\.string) {
                availability[appID] =
                    SimulatedApp.launchable(appID) == nil ? "APP_UNAVAILABLE" : "APP_AVAILABLE"
            }
            let answer: JSONValue = [
                "requestId": .count(requestID), "responseType": "GET_APP_AVAILABILITY",
                "availability": .object(availability),
            ]
            return [platformReply(answer, .receiver, to: asker)]
        default: return [platformReply(invalid(requestID, "INVALID_COMMAND"), .receiver, to: asker)]
        }
    }

    /// Device volume; of a group it is that of every member.
    mutating func setVolume(level: Double?, muted: Bool?, requestID: Int = 0) -> [Effect] {
        volumeLevel = min(max(0, level ?? volumeLevel), 1)
        volumeMuted = muted ?? volumeMuted
        return broadcastReceiverStatus(requestID) + groupEffectsOfVolume()
    }

    private func invalid(_ requestID: Int, _ reason: String) -> JSONValue {
        ["type": "INVALID_REQUEST", "requestId": .count(requestID), "reason": .string(reason)]
    }

    // MARK: What the platform says

    /// RECEIVER_STATUS to every sender, with the requester's id when there is one and the device does so.
    func broadcastReceiverStatus(_ requestID: Int = 0) -> [Effect] {
        let shown =
            switch profile.answerStyle {
            case .broadcastsRequestIDs: requestID
            case .openScreen: 0
            }
        return broadcast(receiverStatus(requestID: shown), .receiver, from: Self.platform)
    }

    func receiverStatus(requestID: Int) -> JSONValue {
        var fields = JSONObject()
        // Absent, not empty, when nothing runs (PROTOCOL 3.2).
        if let app { fields["applications"] = [applicationEntry(app)] }
        if profile.kind == .television {
            fields["isActiveInput"] = .bool(!standsBy)
            fields["isStandBy"] = .bool(standsBy)
        }
        fields["userEq"] = .object(JSONObject())
        fields["volume"] = [
            "controlType": .string(profile.volumeControl), "level": .javaScript(volumeLevel),
            "muted": .bool(volumeMuted), "stepInterval": 0.05000000074505806,
        ]
        return ["requestId": .count(requestID), "status": .object(fields), "type": "RECEIVER_STATUS"]
    }

    private func applicationEntry(_ app: AppRun) -> JSONValue {
        var entry = JSONObject([
            ("appId", .string(app.app.appID.text)), ("appType", "WEB"), ("displayName", .string(app.app.displayName)),
            ("iconUrl", ""), ("isIdleScreen", .bool(app.app.isIdleScreen)),
            ("launchedFromCloud", .bool(app.launchedFromCloud)),
        ])
        if app.isReady {
            entry["namespaces"] = .array(app.app.namespaces.map { ["name": .string($0.urn)] })
        }
        if !app.app.isIdleScreen, !app.app.isPlaceholder { entry["senderConnected"] = .bool(hasVisibleSender) }
        entry["sessionId"] = .string(app.sessionID)
        entry["statusText"] = .string(app.statusText)
        // Nobody is to join a placeholder (PROTOCOL 6.1).
        if !app.app.isPlaceholder { entry["transportId"] = .string(app.transportID) }
        entry["universalAppId"] = .string(app.app.appID.text)
        return .object(entry)
    }

    private func deviceInfo(_ requestID: Int) -> JSONValue {
        [
            "type": "DEVICE_INFO", "requestId": .count(requestID), "deviceId": .string(profile.deviceID.text),
            "deviceModel": .string(profile.model), "friendlyName": .string(profile.name),
            "deviceCapabilities": .integer(profile.capabilities.rawValue), "deviceIconUrl": "/setup/icon.png",
            "controlNotifications": 1, "receiverMetricsId": .string(profile.receiverMetricsID),
            "wifiProximityId": .string(profile.wifiProximityID),
        ]
    }

    private func eurekaInfo(_ requestID: Int) -> JSONValue {
        let data: JSONValue = [
            "version": 12, "name": .string(profile.name),
            "device_info": [
                "manufacturer": "Google Inc.", "model_name": .string(profile.model),
                "ssdp_udn": .string(profile.uuid), "cloud_device_id": .string(profile.cloudDeviceID),
                "capabilities": [
                    "display_supported": .bool(profile.kind != .speaker), "multizone_supported": true,
                ],
            ],
            "build_info": ["cast_build_revision": "1.68.464960", "build_type": 4],
            "multizone": ["groups": [], "dynamic_groups": []],
        ]
        return [
            "type": "eureka_info", "request_id": .count(requestID), "response_code": 200, "response_string": "OK",
            "data": data,
        ]
    }
}
