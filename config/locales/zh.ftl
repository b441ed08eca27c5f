## Help and small talk
help =
    我会写歌。告诉我你想听什么，例如：
    • 一首悲伤的低保真抒情曲，A小调，每分钟75拍
    • 小提琴和钢琴的圆舞曲，十六小节
    • 第一班渡船之前的港口
    然后可以修改：“快一点”“再来一次，G小调”“换成长笛”“不要鼓”。
small-talk = 你好！告诉我你想听什么，比如“一首欢快的D大调吉格”，乐队马上开始。
question-later = 我还不能回答音乐问题，这个功能还在路上。我可以写个例子给你听：说出一个调、和弦、调式或风格就行。
files-later = 文件收到了，但我还不会听录音或读乐谱，这个功能还在路上。用文字告诉我你想要什么，我来写。
terminal-greeting = 告诉我写什么，比如“A小调的悲伤低保真抒情曲”。/help 查看更多，/quit 退出。
compose-what = 写什么呢？例如：/compose 一首平静的F大调圆舞曲
command-unknown = 我不认识 /{ $name }。/help 列出我会做的事。
new-begun = 翻开新的一页。你想听什么？
reply-no-card = 那条消息上没有歌。请回复一首歌的卡片，或者告诉我写什么。
nothing-to-change = 这里还没有可以修改的歌。先告诉我写什么，比如“E调慢布鲁斯”。
change-unclear = 我没听懂要改什么。可以说“快一点”“D小调”“换成大提琴”“不要鼓”或“再来一次”。
title-what = 叫什么名字？例如：/title 半座灯塔
nothing-to-undo = 这里还没有可以撤销的东西。
undo-first = 这已经是第一个版本了，前面没有别的。说“再来一次”会有新的一版。
open-which = 这里没有这个编号的歌。/library 列出所有歌。
library-empty = 还没有歌。告诉我写什么，比如“一首俏皮的C大调进行曲”。
library-head = 你的歌：
library-foot = /open 加编号可以打开一首。
button-gone = 这个按钮对应的歌已经找不到了。/library 列出你的歌。
reaction-kept = 谢谢，记下了。
reaction-taken-back = 已收回。
reaction-no-card = 那条消息上没有可以评价的歌。

## Commands
command-compose = 用一句话写一首歌
command-new = 开始新的对话
command-library = 列出你的歌
command-open = 打开一首歌
command-undo = 退回上一版
command-remake = 重做同一首歌
command-compare = 和另一个版本比较
command-title = 给歌取名
command-help = 我会做什么

## The card
card-tempo = 每分钟{ $tempo }拍
card-bars = { $bars }小节
card-seed = 种子 { $seed }
card-tail = { $rating }/10 · 种子 { $seed }
card-missing = 缺少{ $what }：{ $why }
list-joint = 、
note-joint = ；
part-drums = 鼓
key-name = { $tonic }{ $mode }
mode-major = 大调
mode-minor = 小调
mode-harmonic-minor = 和声小调
mode-melodic-minor = 旋律小调
mode-dorian = 多利亚调式
mode-phrygian = 弗里几亚调式
mode-lydian = 利底亚调式
mode-mixolydian = 混合利底亚调式
mode-locrian = 洛克里亚调式
mode-pentatonic = 五声大调
mode-minor-pentatonic = 五声小调
mode-blues = 布鲁斯调式
section-intro = 前奏
section-verse = 主歌
section-chorus = 副歌
section-bridge = 桥段
section-build = 铺垫
section-drop = 高潮
section-theme = 主题
section-variation = 变奏
section-outro = 尾奏
button-vary = 变奏
button-slower = 慢一点
button-faster = 快一点
button-down = 降调
button-up = 升调
button-again = 再来一版
button-longer = 长一点
button-shorter = 短一点
button-fewer = 音少一些
button-busier = 音多一些
button-simpler = 和弦简单些
button-richer = 和弦丰富些
button-undo = 撤销
format-midi = MIDI
format-mp3 = MP3
format-wav = WAV
format-stems = 分轨
format-musicxml = MusicXML
format-abc = ABC
format-score = 乐谱图片
format-card = 卡片图片
format-tags = MP3 标签和封面

## The band at work
stage-harmony = 和声
stage-theory = 乐理
stage-melody = 旋律
stage-bass = 贝斯
stage-drums = 鼓
stage-review = 审听
stage-rendering = 渲染
note-chords = { $chords }
note-sound = 每个和弦都检查过，无需修改
note-padded = 第{ $bar }小节：{ $before }个和弦要填{ $after }处，已重复
note-cut = 第{ $bar }小节：{ $before }个和弦只有{ $after }处，已截短
note-unreadable = 第{ $bar }小节：“{ $before }”不是和弦，改用{ $after }
note-respelled = 第{ $bar }小节：{ $before }改写为{ $after }
note-retrogression = 第{ $bar }小节：属和弦之后的{ $before }改为{ $after }
note-cadence = 第{ $bar }小节：结尾{ $before }改为{ $after }
note-melody = { $count }个音，{ $range }
note-no-melody = 按要求没有旋律
note-bass = { $range }
note-drums = { $groove }
note-left-out = 按要求省略
note-part-missing = 没能写出来，歌曲会缺少这一声部
note-rating = { $rating }/10
note-files = { $files }

## What the listener should know
field-key = 调
field-tempo = 速度
field-meter = 拍号
field-grouping = 分组
field-bars = 小节数
field-seconds = 长度
remark-only-first = 你说了不止一个{ $what }，我用了第一个。
remark-read-as = 你没有说风格，我把它听成{ $genre }。
remark-read-as-mood = 你没有说风格，我把它听成{ $moods }的{ $genre }。
remark-respelled = { $asked }写成{ $used }更好读，声音一样。
remark-grouping = 这个分组填不满{ $meter }，我用了常见的分组。
remark-meter = 我奏不了{ $meter }，换了适合风格的拍号。从2/4到13/8都可以。
remark-bars-over-seconds = 你同时给了小节数和时长，我按{ $bars }小节来写。
remark-limit-tempo = 每分钟{ $asked }拍做不到，我用了{ $used }。
remark-limit-bars = { $asked }小节做不到，我写了{ $used }小节。
remark-limit-seconds = { $asked }秒做不到，我用了{ $used }秒。
remark-cannot-vocals = 我不会唱词，旋律由乐器演奏。
remark-cannot-microtones = 我只能奏钢琴上的十二个音。
remark-cannot-modulation = 我还不能在一首歌里转调，这首保持一个调。
remark-cannot-tempo-change = 我还不能在一首歌里变速，这首保持稳定的速度。
remark-cannot-samples = 我不能使用录音，每个声音都由乐器奏出。
remark-cannot-instrument = 你说的乐器里有我没有的，由另一件代替。
remark-cannot-imitation = 我不会照搬别人的歌，我朝那个方向写了一首自己的。
remark-genre-meter = { $genre }通常是{ $usual }；你要{ $used }，就用{ $used }。
remark-nobody-left = 全都去掉就没有人演奏了，我留下了一个声部。
remark-missing-bass = 这次没能写出贝斯，这首歌没有贝斯。
remark-missing-drums = 这次没能写出鼓，这首歌没有鼓。

## Changes that cannot be made
edit-same-tempo = 已经是每分钟{ $tempo }拍了，不能再改。
edit-same-key = 已经是这个调了。
edit-same-instrument = 这个声部已经是这件乐器了。
edit-no-part = 这首歌没有这个声部。
edit-last-part = 这是最后一个声部，去掉就没有声音了。

edit-tempo-as-is = 已经是每分钟{ $tempo }拍了。
edit-nothing-new = 这首歌已经是这样了。
edit-same-bars = 已经是{ $bars }小节了，或者已到极限。
edit-same-meter = 已经是{ $meter }了。
edit-same-ending = 结尾已经是这样了。
edit-same-feel = 已经是这样演奏了。
edit-same-effects = 音效已经是这样了。
edit-already-plays = 这个声部已经在演奏了。
edit-too-many-parts = 没有位置再加声部了：最多十五个。
edit-out-of-range = 这件乐器奏不了那么高或那么低。
edit-no-section = 这首歌没有这个段落。
edit-last-section = 这是唯一的段落，去掉就什么都没有了。
edit-too-long = 这样会超过256小节。
edit-no-bars = 没有这些小节：这首歌有{ $bars }小节。
edit-no-more-notes = 那里放不下更多的音了。
edit-no-fewer-notes = 已经没有什么音可以去掉了。
edit-no-simpler = 和弦已经最简单了。
edit-no-richer = 旋律没有给更丰富的和弦留出空间。
edit-no-tenser = 这段旋律下放不下更多张力了。

## What changed between two versions
compare-head = 从第{ $before }版到第{ $after }版：
compare-same = 听上去没有变化。
compare-which = 和哪一版比较？例如：/compare 1
diff-tempo = 每分钟{ $before } → { $after }拍
diff-key = { $before } → { $after }，旋律的形状保持不变
diff-meter = { $before } → { $after }，每个音都保留
diff-bars = { $before } → { $after }小节
diff-feel = 音符不变，演奏方式变了
diff-title = 现在叫{ $after }
diff-instrument = { $before } → { $after }
diff-removed = 去掉了{ $parts }
diff-added = 加上了{ $parts }
diff-louder = { $part }更响
diff-softer = { $part }更轻
diff-changed = { $part }：第{ $bars }小节有变化
diff-kept = 保持不变：{ $parts }

## Errors
error-unknown = 我这边出了问题。请再试一次；如果一直这样，请提供编号 { $reference }。
error-request = 这样做不到。
error-empty = 没有文字。告诉我写什么，例如：一首欢快的D大调吉格
error-json = 这一行读不懂：看起来像 JSON，但不是一条消息。请看 docs/console.md。
error-setting = 设置 { $name } 不能用：{ $reason }。请在设置它的地方修改：命令行、环境变量或 .env 文件。
error-folder = 无法写入 { $folder }（{ $reason }）。请换一个文件夹。
error-unavailable = 无法使用
error-no-sound = 没有声音，因为合成器或音色库缺失或损坏（{ $reason }）。./tunesmith setup 可以安装；TUNESMITH_SOUNDFONT 可以指定另一个。
error-no-encoder = ffmpeg 缺失或出错（{ $reason }）
error-no-picture = 无法绘制（{ $reason }）
error-data-in-use = { $folder } 正被另一个 Tunesmith 使用（进程 { $process }）。请先停掉它，或用 --data 换一个文件夹。
error-disk-full = 磁盘已满（{ $folder }）。腾出空间后再试；没有留下写了一半的文件。
