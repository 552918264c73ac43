"""Words that show a machine, case-folded, in the languages seen so far."""

from __future__ import annotations

SAYS_IT_IS_ONE = (
    *("this is an automat", "this is an auto-", "this is an auto ", "this message was automatic"),
    *("this email was automatic", "this e-mail was automatic", "automatically generated"),
    *("automatically-generated", "auto-generated", "do not reply to this", "don't reply to this"),
    *("please do not respond", "do not respond to this", "please do not reply"),
    *("i apologize for this automatic", "this automatic reply", "this automated"),
    *("dies ist eine automat", "diese nachricht wurde automat", "diese e-mail wurde automat"),
    *("automatisch erzeugt", "automatisch erstellt", "automatisch generiert"),
    *("bitte antworten sie nicht auf", "bitte nicht auf diese", "to jest automatyczn"),
    *("wiadomość została wygenerowana automat", "wygenerowana automatycznie"),
    *("prosimy nie odpowiadać", "proszę nie odpowiadać", "nie odpowiadaj na tę"),
    *("ceci est un message automat", "ceci est une réponse automat", "message généré automat"),
    *("envoyé automatiquement", "merci de ne pas répondre", "ne pas répondre à ce"),
    *("este es un mensaje automát", "esta es una respuesta automát", "generado automáticamente"),
    *("por favor no responda", "por favor, no responda", "no responda a este", "no conteste"),
    *("questo è un messaggio automat", "messaggio generato automat", "non rispondere a quest"),
    *("dit is een automat", "automatisch gegenereerd", "niet op dit bericht"),
    *("niet te beantwoorden",),
    *("esta é uma mensagem automát", "não responda a est", "detta är ett automat"),
)
"""First phrases of a text that nobody typed."""

UNREAD_MAILBOXES = (
    *("noreply", "donotreply", "dontreply", "notreply", "nepasrepondre", "noresponder"),
    *("nichtantworten", "keineantwort", "nieodpowiadac", "nieodpowiadaj", "nonrispondere"),
    *("naoresponda", "nietantwoorden", "svarainte", "neodpovidat", "autoresponder", "autoreply"),
    *("automailer", "autoresponse", "mailrobot"),
)
"""Names of mailboxes that nobody reads, without separators between words."""

SERVERS = (
    *("mail delivery subsystem", "mail delivery system", "mail delivery service", "mailer-daemon"),
    *("mailer daemon", "postmaster", "mail system", "mail administrator", "system administrator"),
    *("mail delivery", "mailzustellsystem", "mail-zustellsystem", "zustellsystem"),
    *("systemadministrator", "zustelldienst", "administrator systemu", "system pocztowy"),
    *("podsystem dostarczania", "système de distribution", "sous-système de remise"),
    *("administrateur système", "système de messagerie", "sistema de entrega de correo"),
    *("subsistema de entrega", "administrador del sistema", "sistema di consegna"),
    *("sistema di posta", "amministratore di sistema", "servizio di consegna", "mailsysteem"),
    *("systeembeheerder", "sistema de entrega de e-mail", "administrador do sistema"),
)
"""Beginnings of the names of mail servers as senders."""

REFUSED = (
    *("reject", "refused", "did not accept", "not accepted", "will not accept", "returned to you"),
    *("abgelehnt", "zurückgewiesen", "verweigert", "odrzuc", "rejeté", "refusé", "rechazad"),
    *("rifiutat", "respint", "geweigerd", "rejeitad", "recusad", "avvisa", "afvist", "odmítnut"),
)
"""Phrases in a receipt that returns an email (RFC 5429 section 2.1.3)."""

PROVE = (
    *("prove that you", "prove you are", "you are human", "you are a human", "not a robot"),
    *("type the characters", "enter the characters", "message delivered"),
    *("message to be delivered",),
    *("mail delivered", "mail to be delivered", "deliver your m", "deliver your email"),
    *("confirm your m", "verify your m", "add you to", "approved senders", "damit ihre nachricht"),
    *("damit ihre e-mail", "ihre nachricht freizu", "geben sie die zeichen", "kein roboter"),
    *("aby dostarczyć", "aby twoja wiadomość", "przepisz znaki", "nie jesteś robotem"),
    *("pour que votre message", "afin que votre message", "recopiez les caractères"),
    *("pas un robot", "para que su mensaje", "para que tu mensaje", "escriba los caracteres"),
    *("no es un robot", "perché il tuo messaggio", "affinché il messaggio", "digita i caratteri"),
    *("om uw bericht", "typ de tekens", "para que sua mensagem", "digite os caracteres"),
)
"""Phrases of filters that ask senders to prove they are a person."""

CLICK = (
    *("click", "visit the link", "follow the link", "following link", "klicken sie", "klick"),
    *("kliknij", "cliquez", "clic aquí", "haga clic", "haz clic", "clicca", "klik", "clique"),
)
"""Phrases that ask for a click."""
