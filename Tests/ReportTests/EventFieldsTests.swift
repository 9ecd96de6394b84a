import CastModel
import Differ
import Recording
import Testing

@testable import Report

@Suite("The fields of a change event") struct EventFieldsTests {
    let whole: EventFields = {
        var event = changeEvent(
            .deviceVolumeChanged, before: ["level": 0.5], after: ["level": 0.25], attribution: .senderRequest,
            requestID: 41, positionSeconds: 12.5)
        event.senderSeries = 2
        return EventFields(
            event: event, recorderID: "5f0c9a52-0000-4000-8000-000000000001", deviceName: "Living Room, \"TV\"")
    }()
    let sparse: EventFields = {
        var event = changeEvent(.deviceSeen, attribution: .unknown, requestID: nil)
        event.appSessionID = nil
        event.mediaSessionID = nil
        event.callbacks = []
        return EventFields(event: event, recorderID: "r", deviceName: nil)
    }()

    @Test func `are one JSON object with stable names`() {
        #expect(
            whole.json()
                == #"{"recorder_id":"5f0c9a52-0000-4000-8000-000000000001","position":812,"ordinal":1,"#
                + #""observed_at":"2026-03-01T20:15:04.123456Z","device_id":"ab12","device":"Living Room, \"TV\"","#
                + #""app_session_id":"s-1","media_session_id":3,"kind":"device_volume_changed","#
                + #""attribution":"sender_request","request_id":41,"sender_series":2,"callbacks":["media_metadata","media_status"],"#
                + #""effective":true,"before":{"level":0.5},"after":{"level":0.25},"position_seconds":12.5}"#)
    }

    @Test func `are null where there is nothing`() {
        #expect(
            sparse.json(withSentence: true)
                == #"{"recorder_id":"r","position":812,"ordinal":1,"observed_at":"2026-03-01T20:15:04.123456Z","#
                + #""device_id":"ab12","device":null,"app_session_id":null,"media_session_id":null,"#
                + #""kind":"device_seen","attribution":"unknown","request_id":null,"sender_series":null,"callbacks":[],"effective":true,"#
                + #""before":null,"after":null,"position_seconds":null,"sentence":"seen on the network"}"#)
    }

    @Test func `are one CSV line under its heading`() {
        #expect(
            EventFields.csvHeading
                == "recorder_id,position,ordinal,observed_at,device_id,device,app_session_id,media_session_id,kind,"
                + "attribution,request_id,sender_series,callbacks,effective,before,after,position_seconds\r\n")
        #expect(
            whole.csv
                == "5f0c9a52-0000-4000-8000-000000000001,812,1,2026-03-01T20:15:04.123456Z,ab12,"
                + "\"Living Room, \"\"TV\"\"\",s-1,3,device_volume_changed,sender_request,41,2,"
                + "media_metadata media_status,true,\"{\"\"level\"\":0.5}\",\"{\"\"level\"\":0.25}\",12.5\r\n")
        #expect(
            sparse.csv
                == "r,812,1,2026-03-01T20:15:04.123456Z,ab12,,,,device_seen,unknown,,,\"\",true,,,\r\n")
    }

    @Test func `are a row of a table`() {
        #expect(
            whole.row(zone: .utc) == [
                "2026-03-01 20:15:04.123", "812/1", "Living Room, \"TV\"", "device_volume_changed",
                "sender request 41, probably sender 2",
                #"{"level":0.5} -> {"level":0.25}"#,
            ])
    }
}

@Suite("A device listing") struct DeviceListingTests {
    let known = DeviceListing(
        deviceID: "ab12", name: "Living Room TV", model: "Chromecast Ultra", address: "192.0.2.7:8009",
        state: "linked", lastHeardAt: evening, gapReason: "not_joined")
    let unknown = DeviceListing(
        deviceID: "at:192.0.2.9:8009", name: nil, model: nil, address: nil, state: "not linked", lastHeardAt: nil)

    @Test func `is one JSON object with stable names`() {
        #expect(
            known.json
                == #"{"device_id":"ab12","name":"Living Room TV","model":"Chromecast Ultra","#
                + #""address":"192.0.2.7:8009","state":"linked","last_heard_at":"2026-03-01T20:15:04.123456Z","gap":"not_joined"}"#
        )
        #expect(
            unknown.json
                == #"{"device_id":"at:192.0.2.9:8009","name":null,"model":null,"address":null,"#
                + #""state":"not linked","last_heard_at":null,"gap":null}"#)
    }

    @Test func `is a row of a table`() {
        let now = WallTime(microseconds: evening.microseconds + 185_000_000)
        #expect(
            DeviceListing.table([known, unknown], now: now).lines(widthColumns: 120) == [
                "name            model             state                   last heard     address         id",
                "Living Room TV  Chromecast Ultra  linked, app not joined  3 min 5 s ago  192.0.2.7:8009  ab12",
                "-               -                 not linked              never          -               at:192.0.2.9:8009",
            ])
    }
}
