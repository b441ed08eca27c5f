## Help and small talk
help =
    I write songs. Say what you would like to hear, for example:
    • a sad lo-fi ballad in A minor at 75 bpm
    • a waltz for violin and piano, sixteen bars
    • the harbour before the first ferry
    Then change it: “make it faster”, “again, in G minor”, “with a flute instead”, “no drums”.
small-talk = Hello! Tell me what you would like to hear – “a happy jig in D”, say – and the band starts playing.
question-later = I can't answer questions about music yet; that is still to come. I can write you an example instead: name a key, a chord, a mode or a style, and you will hear it.
later-files = I've got your file, but it is no written music that I know: I read ABC, MIDI, MusicXML and MXL. Recordings and pictures are still to come; tell me in words what you would like, and I'll write it.
terminal-greeting = Tell me what to compose – “a sad lo-fi ballad in A minor”. /help shows more, /quit ends.
compose-what = What shall I compose? For example: /compose a calm waltz in F
command-unknown = I don't know /{ $name }. /help shows what I can do.
new-begun = A new page. What would you like to hear?
reply-no-card = There is no song on that message. Reply to a song's card, or tell me what to write.
nothing-to-change = There is no song here to change yet. Tell me what to write first – “a slow blues in E”, say.
remark-players-left-out = There is room for { $most } players: { $count } more were left out.
remark-words-cut = I read the first { $count } characters of your words; the rest was too long for me.
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
section-strain = { $label }
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
diff-chords = other chords: { $before } → { $after }
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
error-database-newer = The database was written by a later release (revision { $found }; this one knows { $known }). Install that release again, or restore a back-up made before.
error-database-away = The database can't be reached just now. What you asked for is not lost: it goes on when the database is back.
error-data-in-use = { $folder } is in use by another Tunesmith (process { $process }). Stop that one, or choose another folder with --data.
error-disk-full = The disk is full ({ $folder }). Make room and ask again; nothing half-written was left behind.

# Written music that people bring
source-abc = from your ABC
source-midi = from your MIDI file
source-musicxml = from your MusicXML
format-notation = the written music
notation-place-voice = voice { $voice }
notation-place-bar = bar { $bar }
notation-place-line = line { $line }
notation-place-column = line { $line }, column { $column }
notation-told = { $place }: { $what }
notation-unreadable = I can't read that music:
notation-more = … and { $count ->
    [one] one more place
   *[other] { $count } more places
  }.
notation-mend = Mend that and send it again, whole or only the tune.
notation-took-first = I took the first of your { $count } files of written music; send the others one by one.
notation-failed = That file was too much for me: reading it took longer than { $expected } s or more memory than there is. A smaller excerpt may work.
edit-uneven = This song changes its meter, key or tempo on the way, and that change would need the same bars throughout. Key, tempo, instruments, volume and the like do work.
edit-imported = That would be a new song, and your tune would be lost. Ask for a change of this one (key, tempo, instruments, another part …), or begin anew with /new.
chord-unreadable = { $symbol } is no chord symbol that I know. Write, for example, Bbmaj7, F#m7b5 or C7(b9)/E.
abc-empty = there is no music here. A tune needs a header (X:, T:, M:, L:, K:) and notes after the K: line
abc-fenced = code fences don't belong to ABC: write the tune alone, without ``` lines
abc-many = this is { $found } tunes: write one, with one X: line
abc-several = The file holds { $found } tunes: this is the first, “{ $expected }”. Send the others one by one.
abc-header-missing = the header has no { $found }: line; it needs X:, T:, M:, L: and K:, in this order
abc-header-order = the header's lines stand in the order { $found }; X: must come first, T: second and K: last
abc-header-line = “{ $found }” stands in the header and is no field; notes begin after the K: line
abc-no-key = there is no K: line, so that nobody knows the key; write for example K:G just before the notes
abc-key = K:{ $found } is no key; write for example K:Am, K:Bb or K:Ddor
abc-meter = M:{ $found } is no meter; write for example M:4/4, M:6/8, M:C or M:none
abc-unit = L:{ $found } is no unit length; write for example L:1/8
abc-tempo = Q:{ $found } is no tempo; write for example Q:1/4=120
abc-program = “{ $found }” is no MIDI program (0–127) or channel (1–16)
abc-token = “{ $found }” means nothing in ABC here: take it out
abc-length = { $found } has a length that cannot be written; use halves and multiples, such as 2, /2 or 3/2
abc-overfull = { $found } stand in a bar of { $expected }: take { $difference } out, or move it behind the bar line
abc-underfull = only { $found } stand in a bar of { $expected }: add { $difference } of notes or rests
abc-empty-bar = there is nothing between these two bar lines: write a rest (z) that fills the bar, or take one line away
abc-halves = the strain ends with { $found } in a bar of { $expected }, and what follows does not complete it: { $difference } are missing
abc-pickup = the last bar has { $found }; with the pickup it must make one whole bar, so it needs { $expected }
abc-tuplet = the tuplet is not complete in its bar: give it all of its notes, for example three after (3
abc-broken = a broken rhythm (> or <) stands between two notes of one bar, and here one of them is missing
abc-tie = the tie (-) leads to no note of the same pitch: repeat the pitch after it, or write a slur with ( )
abc-chord-open = the chord that begins with [ has no ]
abc-chord-empty = “{ $found }” holds no notes
abc-chord-unequal = the notes of { $found } have different lengths: write one length after the ], for example [CEG]2
abc-chord-symbol = “{ $found }” is no chord symbol that I know; a remark begins with ^ or _, as in "^slowly"
abc-quote-open = a quotation mark has no partner on this line
abc-grace-open = the grace notes that begin with a brace have no closing one
abc-voice-undeclared = voice { $found } is not declared in the header: add a line V:{ $found } before the K: line
abc-voice-length = this voice lasts { $found }, the first one { $expected }: the difference is { $difference }
abc-overlay = the voices on both sides of & are not equally long
abc-rest-meter = { $found } rests for whole bars, but there is no meter (M:)
abc-range = the pitch { $found } lies outside of what the instrument can play ({ $expected }); check the octave marks (, and ')
abc-syllables = the w: line has { $found } syllables for { $expected } notes; use * to skip a note and _ to hold one
abc-too-long = that is more than I read at once ({ $expected })
notation-empty = there are no notes in it
notation-no-bytes = the file is empty
notation-gone = the file is no longer there
notation-unknown = I don't know what this is. I read ABC, MIDI, MusicXML and MXL
notation-too-big = the file is larger than { $expected }
notation-too-long = the piece is longer than { $expected } bars
notation-many-parts = It has { $found } parts; I kept the first { $expected }.
notation-two-voices = { $found } voices on one staff, kept as { $found } parts
notation-filled = the strain ends with { $found } in a bar of { $expected }: filled with a rest
notation-short-bar = { $found } long where { $expected } are usual: kept as it is
notation-voice-short = this voice has { $found } bars, the others { $expected }: it rests at the end
notation-chord = “{ $found }” is no chord symbol that I know: left out
notation-jumps = D.C., D.S., Coda and Fine are not followed: it plays on as written
midi-none = this is no MIDI file, or its head is missing
midi-short = the MIDI file is cut short (in track { $found }): send it once more
midi-delta = the MIDI file is damaged: a time in track { $found } is longer than the format allows
midi-tracks = the MIDI file has { $found } tracks; I read at most { $expected }
midi-events = the MIDI file has more than { $expected } events
midi-too-big = the MIDI file is larger than { $expected }
midi-long = the MIDI file plays for more than { $expected } minutes
midi-division = The file does not say how long a quarter is: I took { $expected } ticks.
midi-smpte = The file counts seconds, not beats: I read it at 120 bpm.
midi-byte = Some bytes in track { $found } were out of range and were read as the nearest value.
midi-meta = A tempo, meter or key in track { $found } made no sense and was passed over.
midi-hanging = Some notes in track { $found } never ended; they end with the track.
midi-first-song = The file holds several songs: this is the first.
midi-straightened = It was played, not written: I put the notes on the nearest sensible grid.
xml-none = there is no MusicXML score in it
xml-broken = the XML breaks off or is malformed
xml-packed = the archive is damaged or locked
xml-too-big = it is larger, unpacked, than { $expected }
xml-entities = it defines entities of its own, which I don't open for safety's sake: export it again from a notation program
xml-parts = it has more than { $expected } parts
xml-notes = it has more than { $expected } notes
xml-meter = a time signature made no sense and was passed over
xml-note = a note without a pitch, or beyond all instruments, was left out

# Jobs
command-cancel = Stop what is being composed
command-delete = Delete a song with all its versions: /delete 3
cancelled = Stopped. Nothing of it was kept.
cancel-done = Stopped.
cancel-nothing = Nothing of yours is being worked on just now.
delete-which = Which song? /library shows their numbers; for example /delete 3
delete-done = “{ $title }” is deleted, with all its versions.
error-stuck = This took longer than { $seconds } s, which no song should, so I stopped. Ask for something a little different.
job-given-up = I tried this three times and fell over it each time, so I stopped. Please ask for something a little different; the reference is { $reference }.
job-too-long = This took longer than { $minutes } minutes, so I stopped. A shorter song should work.
bubble-place = { $place ->
    [one] One song is before yours.
   *[other] { $place } songs are before yours.
  }
bubble-estimate = About { $usual } s, at most { $most } s.
bubble-unknown = I can't say yet how long it will take.
bubble-paused = Back in a moment: I'm being restarted, and your song goes on by itself.
bubble-wait = One moment …
bubble-change = Changing …
bubble-begin = Composing …
serve-ready = Ready.
serve-stopping = Stopping; what was accepted goes on at the next start.

# Chats with buttons
start =
    I'm Tunesmith: tell me what you would like to hear, and a band writes it while you watch.
    For example: a sad lo-fi ballad in A minor at 75 bpm
    You get the song to play, its score and its MIDI, and you can change it: “faster”, “with a flute”, “again”.
first-song = a calm lo-fi tune in A minor at 80 bpm, 8 bars
button-first = ♪ A first song
command-start = Begin here
command-settings = Choose the language
settings = In which language shall I answer?
settings-auto = As you write
library-none = No song with “{ $words }”. /library shows them all.
library-found = Your songs with “{ $words }”:
button-newer = ◂ Newer
button-older = Older ▸
button-cancel = Cancel
button-change = Change …
button-more = More …
button-back = ◂ Back
button-players = Instruments …
button-endings = Ending …
button-versions = Versions …
button-files = Files
button-stems = Stems
button-link = Link
button-like = 👍
button-dislike = 👎
button-unlock = Let others change it
button-lock = Only I change it
button-copy = Make a copy of mine
button-mute = Silence it
button-unmute = Let it play
button-play = Instrument:
button-end = Ending:
role-melody = Melody
role-counter = Second voice
role-harmony = Harmony
role-chords = Chords
role-pad = Pad
role-bass = Bass
role-drums = Drums
part-silent = (silent)
ending-authentic = Full close
ending-plagal = Amen
ending-half = Open
ending-deceptive = Surprise
ending-cold = Sudden stop
ending-fade = Fade out
change-what = What shall I change in “{ $title }”? Reply with a few words: “faster”, “in D minor”, “a cello instead”, “no drums”.
files-of = The files of “{ $title }”.
files-none = There are no files of it.
link = Whoever opens this link gets a copy of “{ $title }”: { $link }
link-token = Whoever writes “/open { $link }” gets a copy of “{ $title }”.
opened-up = Everybody here may change this song now.
closed = Only you change this song now.
not-yours = “{ $title }” is somebody else's song, and they have not opened it to others. You can have a copy of your own.
later-recording = I've got your recording and kept it, but I can't listen to recordings yet; that is still to come. Tell me in words what you would like – “a slow waltz in F”, say – and I'll write it.
later-picture = I've got your picture, but I can't read pictures yet. Send the music as MusicXML, MIDI or ABC, or tell me in words what you would like.
file-too-big = That file is larger than I can fetch here. Send a smaller one, or an excerpt.
message-unreadable = I can't read that kind of message. Write what you would like to hear, or send ABC, MIDI or MusicXML.
error-not-fetched = I couldn't get your file “{ $name }”. Please send it once more.
error-refused = { $platform } does not let me in: “{ $said }”.
serve-no-platform = No platform is set up yet, so nobody can write to me. Set a token, in the environment or in the file .env:
telegram-missing = Telegram is off: TUNESMITH_TELEGRAM_TOKEN is not set. Write to @BotFather on Telegram, send /newbot, and put the token it gives you there. See docs/telegram.md.
mend-telegram = Check TUNESMITH_TELEGRAM_TOKEN; @BotFather on Telegram shows it under /mybots.
platform-ready = { $platform }: I am { $name }.
platform-fell = { $platform } is down for now ({ $reason }). I try again; everything else goes on.
answer-empty = I have no answer to that. Ask me in other words, or tell me what you would like to hear.
button-voice = Voice note
button-session = Open a session
card-turn = “{ $change }” – { $name }
card-begun = for { $name }

# Discord
command-revise = Change your last song: faster, in D minor, with a flute
modal-title = What shall I change?
modal-label = In a few words
modal-example = faster · in D minor · with a flute · no drums
slash-start = start
slash-compose = compose
slash-new = new
slash-library = library
slash-open = open
slash-undo = undo
slash-cancel = cancel
slash-delete = delete
slash-remake = remake
slash-compare = compare
slash-title = title
slash-settings = settings
slash-help = help
slash-revise = revise
option-words = In your own words: a sad ballad about the sea
option-style = A style: lo-fi, jig, bossa nova …
option-key = A key: A minor, D dorian …
option-tempo = Quarters a minute
option-bars = How many bars
option-instrument = An instrument that plays
option-file = ABC, MIDI or MusicXML to begin from
option-number = The song's number; /library shows it
menu-remix = Remix this
menu-render = Render this ABC
not-sent = { $what } can't be sent here: too large for this chat, or files are not allowed.
discord-missing = Discord is off: TUNESMITH_DISCORD_TOKEN is not set. Make an application at discord.com/developers, open its page “Bot”, and put the token there. See docs/discord.md.
mend-discord = Check TUNESMITH_DISCORD_TOKEN; discord.com/developers gives a new one on your application's page “Bot”.
discord-no-content = Discord: the message content intent is off, so in servers I hear commands, mentions and replies only.
delete-not-yours = “{ $title }” is somebody else's song: only they can delete it.
press-again = I'm already at it.
link-gone = That link opens nothing: it may be cut short, or the song was deleted. Tell me what you would like to hear instead.
aside-recording = (I can't listen to your recording yet; I went by your words.)
aside-picture = (I can't read your picture yet; I went by your words.)
aside-files = (I can't read your file; I went by your words.)
mend-webhook = Check TUNESMITH_TELEGRAM_WEBHOOK: an https:// address that leads here; without it I ask Telegram myself.
session-open = Everybody can steer it in <#{ $place }>.
session-refused = I may not open a thread here. Somebody who runs this server can give me “Create Public Threads”.
format-voice = the voice note
discord-unheard = Your reply came without its words: in servers I only read replies that ping me. Turn the ping on, name me, or use /revise.
remix-no-song = There is no song on that message to remix.
render-no-abc = There is no ABC in that message. ABC is written music such as: CDEF|GABc|
option-song = The song's number, or what a link gave you
option-library-words = Words of a title, or of what you asked for
option-title-words = The name
option-revise-words = What to change: faster, in D minor, with a flute

# Care: somebody may be in distress
care-self-harm =
    I'm really glad you wrote this down, and I'm not going to turn it into a song. It sounds as if you are carrying something very heavy.
    May I ask you plainly: are you thinking about ending your life, or hurting yourself? If you might act on it now, please call your emergency number, or go to somebody near you and say it to them.
    People who listen, day and night:
care-danger =
    I'm not going to turn this into a song: what you describe is serious, and it matters more than music.
    May I ask you plainly: are you, or is somebody else, in danger right now? If so, please get to where other people are, and call the police or your emergency number.
    People who help, and believe you:
care-again-self-harm =
    Thank you for answering. I'm a program, so I can't be the person you deserve to have at your side; please tell one of these, or somebody you trust, just what you told me.
care-again-danger =
    Thank you for answering. I'm a program and can't come to help; please tell one of these, or somebody you trust, just what you told me.
care-line = • { $country }: { $number } ({ $name })
care-anywhere =
    • Anywhere else: your emergency number (112 in Europe and many other countries), or findahelpline.com, which lists free lines by country.
care-program = I'm only a program, and nobody else reads this. When you want music, I'm here.
care-person = I'm a program: no human reads along here or can take over this chat yet. Is it something about the music? Then tell me, and I'll try. If it is about you and it is serious, findahelpline.com knows people to talk to in your country.
care-group = I've read that, and I'd rather answer you alone. If I could not reach you, write to me in a private message.
care-group-link = I've read that, and I'd rather answer you alone: { $link }

telegram-two-pollers = Telegram: another program asks for this bot's messages, too, so each of you gets only some. Stop the other one (a second ./tunesmith serve, an older deployment, a test), or give it a bot of its own.
telegram-webhook-removed = Telegram: another program had set a webhook for this bot; I removed it, as I ask for messages myself. Stop the other one, or it will be set again.
telegram-privacy = Telegram: in groups I see only commands (/compose@me), and replies to me, as privacy mode is on. To be called by my name: /setprivacy at @BotFather → Disable, then add me to the group again.
later-video = I've got your video and kept it, but I can't listen to videos yet; that is still to come. Tell me in words what you would like – “a slow waltz in F”, say – and I'll write it.
aside-video = (I can't listen to your video yet; I went by your words.)

quota-queue = So many people are asking just now that I can't take on more. Please ask again in a few minutes.
quota-person-now = I'm still at work on { $most } of your requests. Ask again when one is done, or /cancel one.
quota-chat-now = I'm still at work on { $most } requests from here. Please ask again when one is done.
quota-person-hour = That is { $most } requests of yours within an hour, which is as many as I can take. In { $minutes } min we go on.
quota-chat-hour = That is { $most } requests from here within an hour, which is as many as I can take. In { $minutes } min we go on.
quota-music = I've made { $most } minutes of music for you within an hour, which is as much as I can. In { $minutes } min we go on.

edited-offer = You changed your request to “{ $words }”. The song from before stays. Shall I?
button-reword = Change the song so
button-rewrite = Write a new one

# Running it
data-gone = The data folder { $folder } has gone, or is another one now: what I wrote would be lost, so I stop. Bring it back (is its disk mounted?) and start me again, or restore a back-up.
backup-done = Written: { $file } ({ $size } MB).
restore-done = Restored into { $folder }. ./tunesmith doctor looks whether all is there.
error-no-data = There is nothing to back up in { $folder }: no tunesmith.db. Name the folder with --data.
error-bad-backup = { $file } is no back-up of mine, or it is cut short.
error-database-broken = The database can't be opened: { $reason }. Restore a back-up (./tunesmith restore), or move the file away to begin anew; look at TUNESMITH_DATABASE_URL where you set one.
doctor-packages = Python packages
doctor-soundfont = Synthesiser and soundfont
doctor-ffmpeg = ffmpeg
doctor-fonts = Fonts
doctor-folder = Data folder
doctor-database = Database
doctor-telegram = Telegram
doctor-discord = Discord
doctor-clock = Clock
doctor-slow = No answer within { $seconds } s.
doctor-failed = Looking at it failed: { $reason }
doctor-mend-packages = Not as in requirements/base.txt: { $names }. Run ./tunesmith setup.
doctor-mend-soundfont = No sound: { $reason }. Run ./tunesmith setup, or name a soundfont in TUNESMITH_SOUNDFONT. Until then songs come as MIDI and pictures.
doctor-mend-ffmpeg = Missing: MP3s come without tags and cover, and there are no voice messages. Run ./tunesmith setup, or install ffmpeg.
doctor-mend-fonts = Missing: { $names }. Pictures come without some words. Run ./tunesmith setup.
doctor-mend-folder = I may not write to { $folder }. Give me the right to, or choose another folder with --data or TUNESMITH_DATA.
doctor-mend-rights = Others on this machine may read it. The next start closes it; or: chmod 700 { $folder }
doctor-mend-space = Only { $free } GB are free. Make room: when the disk is full, songs wait.
doctor-mend-database = It does not answer, or is damaged: { $reason }. Check TUNESMITH_DATABASE_URL and the server; of a damaged file restore a back-up.
doctor-mend-network = It does not answer ({ $reason }). Check the network, and whether a proxy or firewall lets me out.
doctor-mend-clock = The clock is { $seconds } s off. Turn on time synchronisation (timedatectl set-ntp true).
platform-elsewhere = { $platform }: another ./tunesmith serve talks there as this bot. I wait and take over when it has ended; to have it at once, stop that one.
