## Help and small talk
help =
    I write songs. Say what you would like to hear, for example:
    • a sad lo-fi ballad in A minor at 75 bpm
    • a waltz for violin and piano, sixteen bars
    • the harbour before the first ferry
    Then change it: “make it faster”, “again, in G minor”, “with a flute instead”, “no drums”.
small-talk = Hello! Tell me what you would like to hear – “a happy jig in D”, say – and the band starts playing.
question-later = I can't answer questions about music yet; that is still to come. I can write you an example instead: name a key, a chord, a mode or a style, and you will hear it.
files-later = I've got your file, but I can't listen to recordings or read scores yet; that is still to come. Tell me in words what you would like, and I'll write it.
terminal-greeting = Tell me what to compose – “a sad lo-fi ballad in A minor”. /help shows more, /quit ends.
compose-what = What shall I compose? For example: /compose a calm waltz in F
command-unknown = I don't know /{ $name }. /help shows what I can do.
new-begun = A new page. What would you like to hear?
reply-no-card = There is no song on that message. Reply to a song's card, or tell me what to write.
nothing-to-change = There is no song here to change yet. Tell me what to write first – “a slow blues in E”, say.
change-unclear = I didn't catch what to change. You could say “faster”, “in D minor”, “with a cello”, “no drums” or “again”.
title-what = What shall it be called? For example: /title Half a Lighthouse
nothing-to-undo = There is nothing to undo here yet.
undo-first = This is the first version; there is nothing before it. “Again” makes another one.
open-which = I have no song with that number here. /library shows them.
library-empty = No songs yet. Tell me what to write – “a playful march in C”, say.
library-head = Your songs:
library-foot = /open and a number brings one back.
button-gone = That button no longer belongs to a song I have. /library shows your songs.
reaction-kept = Thank you, noted.
reaction-taken-back = Taken back.
reaction-no-card = There is no song on that message to react to.

## Commands
command-compose = Compose a song from your words
command-new = Start a new conversation
command-library = Show your songs
command-open = Bring a song back
command-undo = Back to the version before
command-remake = Make the same song again
command-compare = Tell what differs from another version
command-title = Give the song a name
command-help = What I can do

## The card
card-tempo = { $tempo } bpm
card-bars = { $bars } bars
card-seed = seed { $seed }
card-tail = { $rating }/10 · seed { $seed }
card-missing = Without { $what }: { $why }
list-joint = , { "" }
note-joint = ; { "" }
part-drums = drums
key-name = { $tonic } { $mode }
mode-major = major
mode-minor = minor
mode-harmonic-minor = harmonic minor
mode-melodic-minor = melodic minor
mode-dorian = dorian
mode-phrygian = phrygian
mode-lydian = lydian
mode-mixolydian = mixolydian
mode-locrian = locrian
mode-pentatonic = pentatonic
mode-minor-pentatonic = minor pentatonic
mode-blues = blues
section-intro = Intro
section-verse = Verse
section-chorus = Chorus
section-bridge = Bridge
section-build = Build
section-drop = Drop
section-theme = Theme
section-variation = Variation
section-outro = Outro
button-vary = Variation
button-slower = Slower
button-faster = Faster
button-down = Key down
button-up = Key up
button-again = Another take
button-longer = Longer
button-shorter = Shorter
button-fewer = Fewer notes
button-busier = More notes
button-simpler = Simpler chords
button-richer = Richer chords
button-undo = Undo
format-midi = MIDI
format-mp3 = MP3
format-wav = WAV
format-stems = stems
format-musicxml = MusicXML
format-abc = ABC
format-score = the engraved score
format-card = the picture
format-tags = tags and cover in the MP3

## The band at work
stage-harmony = Harmony
stage-theory = Theory
stage-melody = Melody
stage-bass = Bass
stage-drums = Drums
stage-review = Review
stage-rendering = Rendering
note-chords = { $chords }
note-sound = every chord checked, nothing to correct
note-padded = bar { $bar }: { $before } chords for { $after } places, repeated
note-cut = bar { $bar }: { $before } chords for { $after } places, cut
note-unreadable = bar { $bar }: “{ $before }” is no chord, { $after } instead
note-respelled = bar { $bar }: { $before } written as { $after }
note-retrogression = bar { $bar }: { $before } after the dominant became { $after }
note-cadence = bar { $bar }: the ending { $before } became { $after }
note-melody = { $count } notes, { $range }
note-no-melody = no melody, as asked
note-bass = { $range }
note-drums = { $groove }
note-left-out = left out, as asked
note-part-missing = could not be written; the song goes on without it
note-rating = { $rating }/10
note-files = { $files }

## What the listener should know
field-key = key
field-tempo = tempo
field-meter = meter
field-grouping = grouping
field-bars = number of bars
field-seconds = length
remark-only-first = You named more than one { $what }; I took the first.
remark-read-as = You named no style, so I heard it as { $genre }.
remark-read-as-mood = You named no style, so I heard it as { $genre }, { $moods }.
remark-respelled = { $asked } is easier to read as { $used }; it sounds the same.
remark-grouping = That grouping does not fill { $meter }; I used the usual one.
remark-meter = I can't play { $meter }; I chose a meter that suits the style. Anything from 2/4 to 13/8 works.
remark-bars-over-seconds = You gave bars and a length; I kept the { $bars } bars.
remark-limit-tempo = { $asked } bpm is out of reach; I took { $used }.
remark-limit-bars = { $asked } bars is out of reach; I wrote { $used }.
remark-limit-seconds = { $asked } seconds is out of reach; I took { $used }.
remark-cannot-vocals = I can't sing words; an instrument carries the tune.
remark-cannot-microtones = I only play the twelve notes of the piano.
remark-cannot-modulation = I can't change key within a song yet; it stays in one.
remark-cannot-tempo-change = I can't change tempo within a song yet; it stays steady.
remark-cannot-samples = I can't use recordings; every sound is played by an instrument.
remark-cannot-instrument = I don't have one of the instruments you named; another takes its place.
remark-cannot-imitation = I don't copy songs or artists; I wrote something of its own in that direction.
remark-genre-meter = A { $genre } is usually in { $usual }; you asked for { $used }, so { $used } it is.
remark-nobody-left = With all of that left out nobody would play; one voice stayed.
remark-missing-bass = The bass could not be written this time; the song has none.
remark-missing-drums = The drums could not be written this time; the song has none.

## Changes that cannot be made
edit-same-tempo = It is already at { $tempo } bpm, which is as far as it goes.
edit-same-key = It is already in that key.
edit-same-instrument = That instrument already plays this part.
edit-no-part = The song has no such part.
edit-last-part = That is the last part that plays; without it there would be silence.

edit-tempo-as-is = It is already at { $tempo } bpm.
edit-nothing-new = The song is so already.
edit-same-bars = It already has { $bars } bars, or as many as it can.
edit-same-meter = It is already in { $meter }.
edit-same-ending = It already ends that way.
edit-same-feel = It is already played that way.
edit-same-effects = The sound effects are already that way.
edit-already-plays = That part already plays.
edit-too-many-parts = There is no room for another part: fifteen is as many as I can give channels to.
edit-out-of-range = The instrument can't play that high or that low.
edit-no-section = The song has no such section.
edit-last-section = That is the only section; without it nothing would be left.
edit-too-long = The song would be longer than 256 bars.
edit-no-bars = There are no such bars: the song has { $bars }.
edit-no-more-notes = There is no room for more notes there.
edit-no-fewer-notes = There is hardly a note left to take away.
edit-no-simpler = The chords are as plain as they get.
edit-no-richer = The melody leaves no room for richer chords.
edit-no-tenser = There is no room for more tension under this melody.

## What changed between two versions
compare-head = From version { $before } to { $after }:
compare-same = Nothing that is heard.
compare-which = Compare with which version? For example: /compare 1
diff-tempo = { $before } → { $after } bpm
diff-key = { $before } → { $after }, the melody's shape kept
diff-meter = { $before } → { $after }, every note kept
diff-bars = { $before } → { $after } bars
diff-feel = the same notes, played another way
diff-title = now called { $after }
diff-instrument = { $before } → { $after }
diff-removed = without { $parts }
diff-added = with { $parts }
diff-louder = { $part }: louder
diff-softer = { $part }: softer
diff-changed = { $part }: bars { $bars } changed
diff-kept = kept as they were: { $parts }

## Errors
error-unknown = Something went wrong on my side. Please try again; if it keeps happening, mention { $reference }.
error-request = I can't do that as asked.
error-empty = There were no words. Tell me what to compose, for example: a happy jig in D
error-json = I couldn't read that line: it looks like JSON but is not a message. See docs/console.md.
error-setting = The setting { $name } can't be used: { $reason }. Mend it where you set it: the command line, the environment or the file .env.
error-folder = I can't write to { $folder } ({ $reason }). Choose another folder.
error-unavailable = not available
error-no-sound = no sound, because the synthesiser or its soundfont is missing or broken ({ $reason }). ./tunesmith setup installs it; TUNESMITH_SOUNDFONT names another.
error-no-encoder = ffmpeg is missing or failed ({ $reason })
error-no-picture = it could not be drawn ({ $reason })
error-data-in-use = { $folder } is in use by another Tunesmith (process { $process }). Stop that one, or choose another folder with --data.
error-disk-full = The disk is full ({ $folder }). Make room and ask again; nothing half-written was left behind.
