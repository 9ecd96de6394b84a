import CastModel

/// More than anybody can watch: films, clips, songs and programmes by number, all of them made up.
///
/// Equal numbers give equal media, so that the same title comes again.
enum MediaCatalog {
    static let films = 400
    static let clips = 3000
    static let songs = 5000

    private static let firstWords = [
        "Silent", "Broken", "Northern", "Golden", "Last", "Hidden", "Slow", "Paper", "Winter", "Second", "Distant",
        "Burning", "Little", "Glass", "Red", "Quiet", "Long", "Wild", "Early", "Salt",
    ]
    private static let secondWords = [
        "Harbour", "Bridges", "Garden", "Road", "Letters", "Mountain", "River", "Station", "Orchard", "Lantern", "Sea",
        "Clocks", "Kitchen", "Islands", "Summer", "Machines", "Voices", "Window", "Train", "Wolves",
    ]
    private static let makers = ["Nordlys", "Pont Films", "Kawa", "Quay House", "Ines Vale", "Halvard Trio", "Öland"]
    private static let topics = [
        "How to mend", "The history of", "Walking to", "A year with", "Cooking by", "Building a model of",
        "Ten facts about",
    ]

    /// Two words, of four hundred pairs, and a number from the second round on.
    private static func title(_ number: Int) -> String {
        let round = number / 400
        let words = "\(firstWords[number / 20 % 20]) \(secondWords[number % 20])"
        return round == 0 ? words : "\(words) \(round + 1)"
    }

    /// 70 to 149 minutes, three text tracks.
    static func film(_ number: Int) -> JSONObject {
        MediaLibrary.film(title(number % films), minutes: 70 + number * 37 % 80, studio: makers[number % makers.count])
    }

    /// 2 to 30 minutes.
    static func clip(_ number: Int) -> JSONObject {
        let name = String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
        let topic = topics[number % topics.count]
        return MediaLibrary.clip(
            String(name.prefix(11)), "\(topic) \(title(number / topics.count % 400).lowercased())",
            seconds: 120 + number * 97 % 1680)
    }

    /// 2 to 5 minutes.
    static func song(_ number: Int) -> JSONObject {
        MediaLibrary.song(title(number), by: makers[number / 7 % makers.count], seconds: 120 + number * 53 % 180)
    }
}
