"""Words of people in distress are recognised however they are put; words that only look like them are not."""

from __future__ import annotations

import time

import pytest

from config.data import read_files, read_helplines_table
from core.routing.sensitive import Sensitive, helplines, read_helplines

SELF_HARM = (
    "I want to end my life", "i wanna die", "I don't want to live anymore", "i dont wanna be here anymore",
    "kms", "I'm going to kill myself tonight", "gonna unalive myself", "I just want to disappear forever",
    "everyone would be better off without me", "nobody would miss me if I was gone", "what's the point of living",
    "there's no reason to go on", "I can't go on like this anymore", "I wish I was never born", "i wish i was dead",
    "make it sadder, I'm going to kill myself anyway", "a slow piano piece for after I'm gone",
    "I took all my pills, play me something calm", "thinking about suicide again", "i feel suicidal",
    "I've been cutting myself again", "a ballad in A minor called I Want To End My Life",
    "lyrics: I wanna fall asleep and never wake up", "tired of living", "i hate being alive",
    "my best friend says she wants to die", "my little brother is suicidal and I don't know what to do",
    "I am such a burden to my family", "please write one last song before I jump off the bridge",
    "I don't deserve to live", "k1ll myself", "I want to d i e? no. I want to kill my self", "i want the pain to stop",
    "this is my suicide note, put music under it", "sometimes I think about ending it all",
    "can you make a lofi beat? I won't be here tomorrow", "goodbye cruel world",
    "我不想活了", "活着真没意思", "想自杀", "我真的好想死", "活不下去了", "想从楼上跳下去", "写首歌当我的遗书",
    "没有我他们会过得更好", "我撑不下去了", "不如死了算了", "想结束自己的生命", "想一觉睡过去不再醒来",
    "我又割腕了", "自鲨", "我想噶了自己", "紫砂算了", "再悲伤一点，反正我今晚就要离开这个世界了", "我想消失",
    "生不如死", "我死了会有人难过吗", "我吃了一瓶安眠药", "活够了", "想解脱", "我不想再醒来", "我自残了",
    "我只是家里的累赘", "我真的不想活下去了，写一首钢琴曲", "我不想活了，給我寫首歌", "我朋友說他想自殺",
)  # fmt: skip
DANGER = (
    "my husband hits me", "he beats me every night", "my dad is going to kill me when he gets home",
    "I'm scared to go home", "someone is following me", "he has a knife and he won't let me leave",
    "my boyfriend choked me yesterday, write a song about it", "I was raped", "I don't feel safe at home",
    "my ex keeps threatening to kill me", "my uncle touches me at night", "I'm in an abusive relationship",
    "please call the police", "he locked me in", "I want to kill my boss", "she threatened to share my nudes",
    "他打我", "我老公家暴我", "我被性侵了", "我不敢回家",
    "有人跟踪我", "我爸喝醉了就打我", "他说要杀了我", "前男友威胁我",
    "我被同学霸凌", "他不让我出门", "我想杀了他", "救救我", "继父摸我", "他拿着刀", "被家暴了怎么办",
)  # fmt: skip
INNOCENT = (
    "a funeral march about dying of love", "kill the drums", "this beat is murder", "I'd die for this groove",
    "dying to hear it", "killing me softly but as bossa nova", "a murder ballad in E minor", "death metal, 180 bpm",
    "I'm dead 😂", "this bass is killing me, turn it down", "end it with a bang", "let it end on a C chord",
    "end it all on the tonic",
    "a song for the funeral of my grandmother", "a requiem for my father who died last year",
    "a ballad about a man who killed his wife", "suicide squad style soundtrack", "slay queen anthem",
    "cut the bass", "cut the last four bars",
    "shoot me a demo", "it hits me right in the feels", "this drop hits me hard",
    "drop dead gorgeous, disco", "live or let die vibes", "a song about a soldier who dies in battle",
    "make the strings die away slowly", "the melody should disappear slowly at the end", "bury the vocals in the mix",
    "my phone is dying, quick: a jingle", "bored to death, surprise me", "I'm tired of this song, another one",
    "I can't take this snare", "no more drums please", "don't end it so suddenly", "I want it to end softly",
    "the killer whale song", "knock me out with a heavy drop", "a war song with gunshots on the drums",
    "I hate this melody", "a lullaby to sleep to", "wake me up when september ends, but slower", "make it hurt less",
    "a sad song about losing my dog", "I got dumped, make me something to cry to", "my life in twelve bars",
    "I want to live forever, synthwave", "stayin alive but in minor", "it beats me how you do that",
    "he hit me up for a beat", "blow my mind with a solo", "a piece about depression and recovery",
    "a song for suicide prevention day", "no one cares about the bridge, drop it", "end of the world party track",
    "a goodbye song for my colleague who retires", "jump up drum and bass", "rope skipping song for kids",
    "the harbour before the first ferry", "a battle theme where the hero falls", "overdose of reverb please",
    "想死你了", "笑死我了", "累死了，来首放松的", "这个鼓吵死了",
    "死亡金属", "把鼓砍掉", "自杀小队那种配乐", "杀手进行曲",
    "爱死这个旋律了", "难听死了，换一个", "葬礼进行曲",
    "给外婆的安魂曲", "跳楼机那种刺激的感觉", "活泼一点", "更活跃的鼓",
    "结束得柔和一点", "结尾慢慢消失", "被这首歌打动了", "打败恶龙的音乐", "热死了，来首夏天的歌", "一首关于离别的歌",
    "我失恋了，写首伤心的歌", "想不起来那首歌了", "杀青宴用的曲子", "打死也不要鼓", "打我电话的铃声", "死循环的节奏",
    "秒杀全场的副歌", "一首关于战争和死亡的史诗", "我想要死板一点的机器节奏",
)  # fmt: skip
PERSON = (
    "Can I talk to a real person?",
    "are you a bot?",
    "is there a human here?",
    "转人工",
    "你是真人吗",
    "有真人吗",
)


@pytest.fixture(scope="module")
def sensitive() -> Sensitive:
    return Sensitive(read_files()["sensitive"])


def test_there_are_sixty_of_each() -> None:
    assert len(SELF_HARM) + len(DANGER) >= 60
    assert len(INNOCENT) >= 60


@pytest.mark.parametrize("text", SELF_HARM)
def test_self_harm_is_heard(text: str, sensitive: Sensitive) -> None:
    assert sensitive.matter(text) == "self-harm"


@pytest.mark.parametrize("text", DANGER)
def test_danger_is_heard(text: str, sensitive: Sensitive) -> None:
    assert sensitive.matter(text) == "danger"


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_it_stays_a_song(text: str, sensitive: Sensitive) -> None:
    assert sensitive.matter(text) is None


@pytest.mark.parametrize("text", PERSON)
def test_who_asks_for_a_person_is_heard(text: str, sensitive: Sensitive) -> None:
    assert sensitive.matter(text) == "person"


@pytest.mark.parametrize("text", SELF_HARM[:8] + DANGER[:4] + SELF_HARM[37:45])
def test_it_is_heard_inside_of_a_longer_message(text: str, sensitive: Sensitive) -> None:
    assert sensitive.matter(f"Hi! Please write a waltz in G with piano, 16 bars. {text}. Then a flute, thanks!")


@pytest.mark.parametrize("unit", ["i want ", "me to ", "我想", "他 ", "a", "9", "kill ", "想死", "i wish ", "no one "])
def test_reading_takes_time_in_proportion_to_length(unit: str, sensitive: Sensitive) -> None:
    def steps(length: int) -> float:
        text = (unit * length)[:length]
        begun = time.process_time()
        sensitive.matter(text)
        return time.process_time() - begun

    assert min(steps(16_000) for _ in range(3)) < 8 * max(0.002, min(steps(4_000) for _ in range(3)))


def test_help_is_that_of_the_country_or_of_those_who_speak_the_language() -> None:
    known = read_helplines(read_helplines_table())
    assert {line.country for line in helplines(known, "self-harm", "en", "GB")} == {"GB"}
    for locale in ("en", "zh"):
        for matter in ("self-harm", "danger"):
            found = helplines(known, matter, locale, None)
            assert 1 <= len(found) <= 8
    assert all(line.source.startswith("http") and line.seen for line in known)
