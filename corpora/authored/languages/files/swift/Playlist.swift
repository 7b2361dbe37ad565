import Foundation

protocol Playable {
    var seconds: Int { get }
    func play()
}

struct Song: Playable {
    let title: String
    let seconds: Int

    func play() {
        print(title)
    }
}

class Playlist {
    private var songs: [Playable] = []

    init() {}

    func add(_ song: Playable) {
        songs.append(song)
    }

    func totalSeconds() -> Int {
        songs.map { $0.seconds }.reduce(0, +)
    }
}

enum Genre { case jazz, folk }
