"""Words that email clients put around a person's text, case-folded, in the clients' languages.

English, German, Polish, French and Spanish are complete. Others follow as far as known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

WROTE = frozenset(
    {
        *("wrote", "writes"),
        *("schrieb", "schreibt", "geschrieben"),
        *("napisał", "napisała", "napisał(a)", "napisana", "napisano", "pisze"),
        *("écrit", "écrivait", "escribió", "escribio"),
        *("scritto", "schreef", "geschreven", "escreveu", "skrev", "napsal", "napsal(a)"),
        *("kirjoitti", "пишет", "написал", "написал(а)", "написала"),
    }
)
"""Verbs of the line above a quote: "On ... Bob wrote:"."""

OPENINGS = (
    *("on ", "in message ", "am ", "w dniu ", "dnia ", "użytkownik ", "wiadomość napisana "),
    *("pon., ", "wt., ", "śr., ", "czw., ", "pt., ", "sob., ", "niedz., ", "le ", "el "),
    *("en ", "il giorno ", "il ", "op ", "em ", "den ", "dne "),
)
"""Beginnings of such a line if it is broken into several."""

SPEAKER = frozenset(
    {
        *("i", "i'm", "i'll", "i've", "i'd", "me", "my", "we", "you", "let's"),
        *("ich", "mir", "mich", "mein", "meine", "wir", "du"),
        *("ja", "mnie", "mój", "moja", "moje", "jestem", "będę", "gram", "proszę"),
        *("je", "j'ai", "j'étais", "moi", "mon", "mes", "nous", "vous"),
        *("yo", "mi", "mis", "nosotros", "estoy", "estaré", "usted"),
    }
)
"""Words of people who speak for themselves, which clients never use."""

MONTHS = (
    *("jan", "feb", "mar", "mär", "mrz", "apr", "may", "mai", "maj", "jun", "jul", "aug", "sep"),
    *("okt", "oct", "nov", "dec", "dez", "sty", "lut", "kwi", "cze", "lip", "sie", "wrz", "paź"),
    *("lis", "gru", "fév", "fev", "avr", "juin", "juil", "aoû", "déc", "ene", "abr"),
    *("dic", "giu", "lug", "ott", "mei", "mrt"),
)
"""Beginnings of the names of months."""

LABELS = {
    **dict.fromkeys(("from", "von", "od", "de", "da", "van", "från", "fra", "от"), "from"),
    **dict.fromkeys(("expéditeur", "absender", "nadawca", "remitente", "mittente"), "from"),
    **dict.fromkeys(("destinataire", "empfänger", "odbiorca", "adresat", "destinatario"), "to"),
    **dict.fromkeys(("sujet", "tytuł"), "subject"),
    **dict.fromkeys(("sent", "date", "gesendet", "gesendet am", "datum", "wysłano"), "date"),
    **dict.fromkeys(("wysłane", "data", "envoyé", "envoyé le", "date d'envoi"), "date"),
    **dict.fromkeys(("enviado", "enviado el", "enviado em", "fecha", "inviato"), "date"),
    **dict.fromkeys(("verzonden", "skickat", "sendt", "dato", "отправлено", "дата"), "date"),
    **dict.fromkeys(("to", "an", "do", "à", "para", "a", "aan", "till", "til", "кому"), "to"),
    **dict.fromkeys(("subject", "betreff", "temat", "objet", "asunto", "oggetto"), "subject"),
    **dict.fromkeys(("onderwerp", "assunto", "ämne", "emne", "тема"), "subject"),
}
"""Labels of fields that clients copy above an unmarked quote, with their meaning."""

DIVIDERS = (
    *("original", "ursprüngl", "oryginaln", "d'origine", "message initial", "originale"),
    *("forwarded message", "weitergeleitet", "przekazan", "transféré", "réexpédié", "reenviado"),
    *("inoltrato", "reply message", "oorspronkelijk", "doorgestuurd", "ursprungligt"),
    *("oprindelig", "vidarebefordrat", "encaminhada"),
)
"""Words between hyphens above an unmarked quote."""

MESSAGES = ("message", "mail", "e-mail", "nachricht", "wiadomo", "mensaje", "messag", "bericht")
"""Beginnings of words for the original message."""

FORWARDS = (
    *("begin forwarded message", "anfang der weitergeleiteten nachricht"),
    *("początek przekazywanej wiadomości", "początek przekazanej wiadomości"),
    *("début du message réexpédié", "début du message transféré"),
    *("inicio del mensaje reenviado", "inizio messaggio inoltrato"),
)
"""Lines above a forwarded email that end with a colon instead of being framed by hyphens."""

FORWARD_ENDS = (
    *("end forwarded message", "end of forwarded message", "ende der weitergeleiteten nachricht"),
    *("ende weitergeleitete nachricht", "koniec przekazanej wiadomości"),
    *("koniec przekazywanej wiadomości", "fin du message transféré", "fin du message réexpédié"),
    *("fin del mensaje reenviado", "fine messaggio inoltrato"),
)
"""Words between hyphens below a forwarded email."""

FOOTERS = (
    *("sent from ", "sent with ", "sent via ", "sent using ", "sent by my ", "secured with "),
    *("get outlook for ", "get bluemail for ", "download outlook "),
    *("gesendet von ", "gesendet mit ", "gesendet aus ", "gesendet über ", "gesendet vom "),
    *("outlook für ", "diese nachricht wurde von ", "holen sie sich outlook ", "mobil gesendet"),
    *("von unterwegs gesendet", "unterwegs gesendet"),
    *("wysłane z ", "wysłano z ", "wysłana z ", "wysłane ze ", "wysłano ze ", "wysłano przez "),
    *("wysłane za pomocą ", "wysłano za pomocą ", "wysłane przy użyciu ", "wysłano przy użyciu "),
    *("pobierz aplikację ", "pobierz outlook ", "pobierz program outlook "),
    *("tę wiadomość wysłano ", "envoyé de ", "envoyé depuis ", "envoyé à partir ", "envoyé avec "),
    *("envoyé par ", "envoyé via ", "envoyé du ", "provenance : ", "obtenir outlook "),
    *("télécharger outlook ", "téléchargez outlook ", "obtenez outlook "),
    *("enviado desde ", "enviado con ", "enviado a través ", "enviado de mi ", "enviado del "),
    *("enviado por mi ", "obtener outlook ", "descargar outlook ", "obtén outlook "),
    *("inviato da ", "verstuurd vanaf ", "verzonden vanaf ", "enviado do meu ", "skickat från "),
    *("sendt fra ", "lähetetty ", "odesláno z ", "отправлено с ", "отправлено из "),
    *("virus-free", "virenfrei", "wolny od wirusów", "sans virus", "garanti sans virus"),
    *("libre de virus", "this email has been checked for viruses", "diese e-mail wurde von avast"),
    *("ta wiadomość została sprawdzona", "l'absence de virus dans ce courrier"),
    *("este correo electrónico ha sido comprobado",),
)
"""Beginnings of lines that phones, webmail and virus scanners put below a text."""

FOOTER_PAIRS = (
    *(("von meinem ", " gesendet"), ("von meiner ", " gesendet"), ("von outlook ", " gesendet")),
    *(("mit ", " gesendet"), ("von ", " aus gesendet"), ("este correo ", " virus")),
)
"""Beginnings that are a footer only with this end."""

ADVERTS = (
    *("free", "gratis", "kostenlos", "darmow", "za darmo", "gratuit", "grátis", "gratuito"),
    *("ilmainen", "zdarma", "бесплатн", "do you yahoo", "incredimail", "msn", "hotmail", "yahoo"),
)
"""Words by which webmail and clients advertise themselves below a text."""

CLICKS = (
    *("click here", "klicken sie hier", "hier klicken", "klick hier", "kliknij tu", "cliquez ici"),
    *("haz clic", "haga clic", "clic aquí", "clicca qui", "klik hier", "clique aqui", "klicka här"),
    *("klik her", "klikněte zde", "нажмите здесь"),
)
"""Invitations to click in such lines."""

EXCUSES = (
    *("sorry", "excuse", "pardon", "forgive", "typo", "brevity", "apolog", "tippfehler", "kürze"),
    *("entschuldig", "verzeih", "literówk", "przepraszam", "wybacz", "désolé", "excus"),
    *("concision", "disculp", "perdón", "perdon", "errata", "errores"),
)
"""Excuses that phones add for short texts."""

DISCLAIMER_OPENINGS = (
    *("this e-mail ", "this email ", "this message ", "the information contained ", "disclaimer"),
    *("diese e-mail ", "diese nachricht ", "der inhalt dieser "),
    *("ta wiadomość ", "niniejsza wiadomość ", "wiadomość ta ", "treść tej "),
    *("ce message ", "ce courriel ", "cet e-mail ", "les informations contenues "),
    *("este mensaje ", "este correo ", "la información contenida ", "aviso legal"),
)
"""Beginnings of disclaimers."""

DISCLAIMER_WORDS = (
    *("confidential", "privileged", "intended", "recipient", "addressee", "unauthori"),
    *("attachments", "disclos", "notify the sender", "virus", "legally"),
    *("vertraulich", "empfänger", "adressat", "unbefugt", "rechtlich", "absender"),
    *("poufn", "odbiorc", "nadawc", "nieuprawnion"),
    *("confidentiel", "destinataire", "expéditeur", "non autorisé"),
    *("confidencial", "destinatari", "remitente", "no autorizad"),
)
"""Stems. A paragraph with two of them was not written by hand."""


_MONTHS = "|".join(MONTHS)
DAY = re.compile(
    r"\b\d{1,2}([./-]) ?\d{1,2}\1 ?\d{2,4}\b|\b(?:19|20)\d\d([./-]) ?\d{1,2}\2 ?\d{1,2}\b"
    rf"|(?:19|20)\d\d年|\b\d{{1,2}}(?:\.|º|st|nd|rd|th|er)? (?:de )?(?:{_MONTHS})"
    rf"|\b(?:{_MONTHS})[^\W\d]{{0,9}}\.?,? \d{{1,2}}\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d(?!\d)")
_TIME = re.compile(r"\b(?:[01]?\d|2[0-4])[:.h][0-5]\d\b(?!\.)|\b\d{1,2} ?(?:[ap]\.?m\b|uhr\b)")
"""A time of day. `26.12` and `20.12.` are days of a month."""
_ADDRESS = re.compile(r"[^\s@]@[^\s@]|mailto:")
WORD = re.compile(r"[\w()']+")
_REMEMBERED = 64


@dataclass(frozen=True)
class Evidence:
    """Evidence about an email's origin in one line or several joined lines."""

    words: list[str]
    address: bool
    day: bool
    year: bool
    time: bool
    wrote: bool
    colon: bool

    @classmethod
    @lru_cache(_REMEMBERED)
    def of(cls, text: str) -> Evidence:
        """Return the evidence in a case-folded text. Cached, as each line is checked repeatedly."""
        words, day = WORD.findall(text), DAY.search(text) is not None
        return cls(
            words=words,
            address=_ADDRESS.search(text) is not None,
            day=day,
            year=_YEAR.search(text) is not None,
            time=_TIME.search(DAY.sub(" ", text) if day else text) is not None,
            wrote=not WROTE.isdisjoint(words),
            colon=text.endswith((":", "：")),
        )

    @property
    def evident(self) -> bool:
        """Whether it shows when an email was sent or where it came from."""
        return self.address or self.day or self.year or self.time

    @property
    def kinds(self) -> set[str]:
        """The kinds of evidence found."""
        kinds = ("address", "day", "year", "time", "wrote")
        return {kind for kind in kinds if getattr(self, kind)}
