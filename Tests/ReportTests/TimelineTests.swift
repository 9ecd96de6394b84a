import CastModel
import Differ
import Recording
import Testing

@testable import Report

@Suite("A timeline") struct TimelineTests {
    @Test func `begins each day with a heading, and names time, device, change and cause`() {
        var timeline = Timeline(style: Timeline.Style(deviceColumns: 14))
        let first = changeEvent(
            .deviceVolumeChanged, before: ["level": 0.4], after: ["level": 0.3], attribution: .senderRequest,
            requestID: 41)
        #expect(
            timeline.lines(for: first, deviceName: "Living Room TV") == [
                "2026-03-01 UTC",
                "20:15:04.123  Living Room TV  volume 40% to 30% [sender request 41]",
            ])
        #expect(
            timeline.lines(for: first, deviceName: nil) == [
                "20:15:04.123  ab12            volume 40% to 30% [sender request 41]"
            ])
        let nextDay = changeEvent(
            .deviceMuteChanged, after: ["muted": true], observedAt: WallTime(microseconds: 1_772_409_600_000_000))
        #expect(
            timeline.lines(for: nextDay, deviceName: "Living Room TV") == [
                "2026-03-02 UTC",
                "00:00:00.000  Living Room TV  muted [receiver]",
            ])
    }

    @Test func `of one device leaves its name out`() {
        var timeline = Timeline(style: Timeline.Style(zone: centralEurope, deviceColumns: nil))
        #expect(
            timeline.lines(for: changeEvent(.deviceMuteChanged, after: ["muted": false]), deviceName: "TV") == [
                "2026-03-01 CET", "21:15:04.123  unmuted [receiver]",
            ])
    }

    @Test func `marks what changed nothing`() {
        let event = changeEvent(
            .textTrackStyleReasserted, attribution: .senderRequest, requestID: 7, effective: false,
            positionSeconds: 3723.9)
        #expect(
            Timeline.sentence(for: event) == "text track style sent again at 1:02:03 [sender request 7, no change]")
    }

    @Test func `says what it does not know`() {
        #expect(Timeline.sentence(for: changeEvent(.seeked, attribution: .unknown)) == "seeked [unknown]")
        #expect(
            Timeline.sentence(for: changeEvent(.seeked, attribution: .senderRequest, requestID: nil))
                == "seeked [sender request]")
        #expect(
            Timeline.sentence(for: changeEvent(.appStarted, after: ["appId": "00C0FFEE"], attribution: .snapshot))
                == "app started: 00C0FFEE [snapshot]")
    }

    @Test func `colors nothing unless asked, and then only by escapes of its own`() {
        let gap = changeEvent(.gapStarted, after: ["reason": "link_lost"], attribution: .unknown)
        var plain = Timeline(style: Timeline.Style(deviceColumns: nil))
        #expect(plain.lines(for: gap, deviceName: nil).last == "20:15:04.123  not observed from here on: link was lost")
        var colored = Timeline(style: Timeline.Style(deviceColumns: nil, isColored: true))
        #expect(
            colored.lines(for: gap, deviceName: nil).last
                == "20:15:04.123  \u{1B}[33mnot observed from here on: link was lost\u{1B}[0m")
    }

    @Test func `does not let titles, names or any other foreign text steer the terminal`() {
        let evil: JSONValue = [
            "name": "\u{1b}[2J", "displayName": "\u{1b}[2J", "title": "\u{1b}[2J", "statusText": "\u{1b}[2J",
            "reason": "\u{1b}[2J", "address": "\u{1b}[2J", "port": "\u{1b}[2J", "appId": "\u{1b}[2J",
            "model": "\u{1b}[2J", "type": "\u{1b}[2J", "namespace": "\u{1b}[2J", "why": "\u{1b}[2J",
            "playerState": "\u{1b}[2J", "idleReason": "\u{1b}[2J", "\u{1b}[2J": "\u{1b}[2J",
            "activeTrackIds": ["\u{1b}[2J"], "tracks": ["\u{1b}[2J"],
            "textTrackStyle": ["\u{1b}[2J": ["\u{1b}[2J", "\u{9b}2J"]],
        ]
        for kind in ChangeEvent.Kind.allCases {
            var timeline = Timeline()
            let event = changeEvent(kind, before: evil, after: evil)
            for line in timeline.lines(for: event, deviceName: "\u{1b}[2J") {
                #expect(
                    !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }, "\(kind)")
            }
            for row in EventFields(event: event, recorderID: "r", deviceName: "\u{1b}").row(zone: .utc) {
                let lines = Table([.init("cell")], rows: [[row]]).lines(widthColumns: nil)
                #expect(lines.allSatisfy { !$0.contains("\u{1b}") }, "\(kind)")
            }
        }
    }

    @Test func `has a clause for every kind even when the event tells nothing`() {
        for kind in ChangeEvent.Kind.allCases {
            let sentence = Timeline.sentence(for: changeEvent(kind))
            #expect(!sentence.isEmpty && !sentence.hasPrefix(" ") && !sentence.contains("  "), "\(kind): \(sentence)")
        }
    }
}

@Suite("A live line") struct LiveLineTests {
    @Test(arguments: [
        (
            LiveLine(name: "Living Room TV", link: .up, app: "YouTube", playerState: "PLAYING", title: "A song"),
            "Living Room TV            YouTube, playing \"A song\""
        ),
        (LiveLine(name: "Living Room TV", link: .up), "Living Room TV            idle"),
        (LiveLine(name: "Kitchen", link: .opening), "Kitchen                   connecting"),
        (
            LiveLine(name: "Kitchen", link: .down(nextAttemptSeconds: 14.6)),
            "Kitchen                   not reached, next attempt in 14.6 s"
        ),
        (LiveLine(name: "Kitchen", link: .down(nextAttemptSeconds: nil)), "Kitchen                   not reached"),
        (LiveLine(name: "\u{1b}c", link: .up, app: "\u{1b}c"), "\u{FFFD}c                        \u{FFFD}c"),
    ])
    func `says where its device stands`(line: LiveLine, text: String) {
        #expect(line.text(widthColumns: 80) == text)
    }

    @Test func `never is wider than the terminal`() {
        let line = LiveLine(name: "居間のテレビ", link: .up, app: "YouTube", playerState: "PLAYING", title: "長い題名の動画です")
        for width in 10...90 { #expect(PlainText.columns(line.text(widthColumns: width)) <= width) }
    }
}
