"""Words in subjects that show a person, case-folded, in the languages seen so far."""

from __future__ import annotations

REPLY_PREFIXES = (
    *("re", "aw", "antw", "antwort", "odp", "sv", "vs", "rif", "res", "ref", "ris", "resp", "vb"),
    *("fw", "fwd", "wg", "tr", "rv", "i", "pd", "doorst", "enc", "vl", "ynt", "на", "отв"),
)
"""Prefixes of clients before the subject of an answered or forwarded email."""

SPEAKS = frozenset(
    {
        *(
            "sorry",
            "please",
            "my",
            "me",
            "could",
            "would",
            "can",
            "should",
            "why",
            "how",
            "question",
        ),
        *("tomorrow", "yesterday", "next", "entschuldigung", "bitte", "mein", "meine", "meinen"),
        *("meinem", "meiner", "mich", "mir", "könnt", "können", "kann", "warum", "wieso", "frage"),
        *("morgen", "gestern", "nächste", "nächsten", "nächster", "przepraszam", "proszę", "mój"),
        *("moja", "moje", "mnie", "czy", "dlaczego", "pytanie", "jutro", "wczoraj", "désolé"),
        *("désolée", "pardon", "svp", "mon", "mes", "moi", "pourquoi", "demain", "hier", "perdón"),
        *("perdon", "disculpa", "favor", "pregunta", "mañana", "ayer", "scusa", "scusate"),
        *("perché", "domani", "ieri", "mijn", "graag", "alsjeblieft", "waarom", "gisteren"),
        *("volgende", "desculpe", "desculpa", "meu", "minha", "amanhã", "ontem", "próxima"),
        *("ursäkta", "undskyld", "beklager", "varför", "hvorfor", "prosím", "anteeksi"),
        *("извините", "пожалуйста", "почему", "завтра", "вчера"),
    }
)
"""Words of people who mention machines in a subject."""

FIRST_PERSON = frozenset(
    {
        *("i", "my", "me", "ich", "mir", "mich", "mein", "meine", "meinen", "ja", "mnie", "mój"),
        *("moja", "moje", "jestem", "je", "j", "moi", "mon", "mes", "yo", "mis", "estoy", "io"),
        *("mijn", "ik", "eu", "meu", "minha", "jag", "jeg", "я", "мой", "меня", "já"),
    }
)
"""Words of somebody who speaks for themself. Only mailboxes do so for their owners."""

FORMERLY = ("(was: ", "(was:", "(was ", "(war:", "(war ", "(było:", "(était", "(era:", "(era ")
"""Marks of an old subject that follows a new one."""

I_AM = (
    *("i am ", "i'm ", "i will be ", "i'll be ", "ich bin ", "wir sind ", "je suis ", "jestem "),
    *("estoy ", "sono ", "ik ben ", "estou ", "jag är ", "jeg er ", "olen ", "jsem ", "я "),
)
"""First words of responders that speak for their owners."""
