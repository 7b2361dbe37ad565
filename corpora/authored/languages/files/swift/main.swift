let playlist = Playlist()
playlist.add(Song(title: "One", seconds: 100))

func describe(_ playlist: Playlist) -> String {
    "\(playlist.totalSeconds()) s"
}

extension Song {
    var isLong: Bool { seconds > 300 }
}

typealias Minutes = Int
print(describe(playlist))
