import CastModel

/// What there is to watch and to hear in the simulated house; all of it made up.
enum MediaLibrary {
    /// Films with three text tracks: ids 1 (English), 2 (German), 3 (Japanese).
    static let films: [JSONObject] = [
        film("The Lighthouse Keeper", minutes: 94, studio: "Nordlys"),
        film("Seven Bridges", minutes: 112, studio: "Pont Films"),
        film("A Quiet Harbour", minutes: 101, studio: "Nordlys"),
        film("夜の電車", minutes: 88, studio: "Kawa"),
    ]

    /// Clips of the YouTube-like app: a content id, and little else.
    static let clips: [JSONObject] = [
        clip("k3Wq9sPz1aE", "How bread rises", seconds: 412), clip("Zr7T0mLx4Vc", "Tide pools in winter", seconds: 655),
        clip("9bHn2QyD8so", "Restoring a 1962 radio", seconds: 1284),
    ]

    /// Short songs, so that a queue moves on by itself.
    static let songs: [JSONObject] = [
        song("First Snow", by: "Halvard Trio", seconds: 9), song("Cobblestones", by: "Ines Vale", seconds: 12),
        song("Slow Train", by: "Halvard Trio", seconds: 15), song("Paper Boats", by: "The Quays", seconds: 11),
    ]

    /// The same film with two ads after four seconds, of which the second may be skipped.
    static func withAds(_ film: JSONObject) -> JSONObject {
        var film = film
        film["breaks"] = [["id": "break-1", "breakClipIds": ["ad-soap", "ad-bread"], "position": 4, "duration": 5]]
        film["breakClips"] = [
            ["id": "ad-soap", "title": "Soap", "contentType": "video/mp4", "duration": 2],
            ["id": "ad-bread", "title": "Bread", "contentType": "video/mp4", "duration": 3, "whenSkippable": 1],
        ]
        return film
    }

    /// Text track styles that people choose; the first two differ in nothing but their colour.
    static let styles: [JSONObject] = [
        style(foreground: "#FFFFFFFF", edge: "OUTLINE", scale: 1),
        style(foreground: "#FFFF00FF", edge: "OUTLINE", scale: 1),
        style(foreground: "#FFFFFFFF", edge: "DROP_SHADOW", scale: 1.5),
    ]

    static func film(_ title: String, minutes: Int, studio: String) -> JSONObject {
        let name = String(title.unicodeScalars.filter { $0.isASCII && $0 != " " })
        let path = "https://media.example/films/\(name.isEmpty ? "film" : name)-\(minutes)"
        let languages = [("en", "English"), ("de", "Deutsch"), ("ja", "日本語")]
        let tracks: [JSONValue] = languages.enumerated().map { index, language in
            [
                "trackId": .count(index + 1), "type": "TEXT", "subtype": "SUBTITLES",
                "trackContentId": .string("\(path)/\(language.0).vtt"), "trackContentType": "text/vtt",
                "name": .string(language.1), "language": .string(language.0),
            ]
        }
        return JSONObject([
            ("contentId", .string("\(path)/film.mp4")), ("contentType", "video/mp4"), ("streamType", "BUFFERED"),
            ("duration", .count(minutes * 60)),
            ("metadata", ["metadataType": 1, "title": .string(title), "studio": .string(studio)]),
            ("tracks", .array(tracks)),
        ])
    }

    static func clip(_ contentID: String, _ title: String, seconds: Int) -> JSONObject {
        JSONObject([
            ("contentId", .string(contentID)), ("contentType", "x-youtube/video"), ("streamType", "BUFFERED"),
            ("duration", .count(seconds)), ("metadata", ["metadataType": 0, "title": .string(title)]),
        ])
    }

    static func song(_ title: String, by artist: String, seconds: Int) -> JSONObject {
        JSONObject([
            ("contentId", .string("track:\(title)")), ("contentType", "audio/mpeg"), ("streamType", "BUFFERED"),
            ("duration", .count(seconds)),
            ("metadata", ["metadataType": 3, "title": .string(title), "artist": .string(artist)]),
        ])
    }

    private static func style(foreground: String, edge: String, scale: Double) -> JSONObject {
        JSONObject([
            ("foregroundColor", .string(foreground)), ("backgroundColor", "#00000000"), ("edgeType", .string(edge)),
            ("edgeColor", "#000000FF"), ("fontScale", .javaScript(scale)), ("fontGenericFamily", "SANS_SERIF"),
        ])
    }
}
