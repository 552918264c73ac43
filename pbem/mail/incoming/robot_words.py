"""Words by which machines give themselves away, case-folded, in the languages met so far."""

from __future__ import annotations

REPLY_PREFIXES = (
    *("re", "aw", "antw", "antwort", "odp", "sv", "vs", "rif", "res", "ref", "ris", "resp", "vb"),
    *("fw", "fwd", "wg", "tr", "rv", "i", "pd", "doorst", "enc", "vl", "ynt", "на", "отв"),
)
"""What a client puts before the subject of the mail that is answered or passed on."""

AWAY = (
    *("out of the office", "out of office", "out-of-office", "away from the office"),
    *("on vacation", "on annual leave", "on holiday until", "away from my mail", "ooo until"),
    *("nicht im büro", "nicht im buero", "außer haus", "ausser haus", "abwesenheit"),
    *("poza biurem", "nieobecność", "absent du bureau", "absence du bureau", "abwesend"),
    *("fuera de la oficina", "fuera de oficina", "fuori ufficio", "fuori sede"),
    *("niet op kantoor", "afwezig", "fora do escritório", "ausência temporária", "frånvaro"),
    *("fraværende", "ikke på kontoret", "mimo kancelář", "poissa toimistosta", "нет на месте"),
)
"""What stands anywhere in a subject that nobody wrote as an answer."""

AUTOMATIC = (
    *("automatic reply", "automatic response", "automated reply", "automated response"),
    *("automated message", "automatic message", "automated notification", "auto-response"),
    *("auto response", "auto reply", "auto-reply", "autoreply", "autoresponse", "autoresponder"),
    *("[auto]", "(auto)", "[automatic", "[automated", "[auto-", "[autom", "automatische antwort"),
    *("automatische rückmeldung", "automatische nachricht", "automatische e-mail"),
    *("automatyczna odpowiedź", "odpowiedź automatyczna", "autoodpowiedź"),
    *("wiadomość automatyczna", "automatyczna wiadomość", "réponse automatique"),
    *("message automatique", "respuesta automática", "mensaje automático"),
    *("respuesta automatica", "risposta automatica", "messaggio automatico"),
    *("automatisch antwoord", "automatisch bericht", "resposta automática", "mensagem automática"),
    *("automatiskt svar", "automatisk svar", "autosvar", "automatická odpověď", "автоответ"),
    *("automaattinen vastaus", "mail loop", "loop alert", "loop detected", "loop warning"),
    *("too many hops", "confirmation of receipt", "acknowledgement of receipt"),
    *("acknowledgment of receipt", "eingangsbestätigung", "empfangsbestätigung"),
    *("lesebestätigung", "return receipt", "read receipt", "delivery receipt"),
    *("disposition notification", "accusé de réception", "accusé de lecture"),
    *("confirmation de lecture", "potwierdzenie przeczytania", "potwierdzenie odczytu"),
    *("potwierdzenie odbioru", "confirmación de lectura", "acuse de recibo", "conferma di lettura"),
    *("ricevuta di ritorno", "leesbevestiging", "virus alert", "virus found", "virus detected"),
    *("virus warning", "virus in mail", "viruses detected", "virus (", "{virus", "virenwarnung"),
    *("banned contents", "infected message", "message quarantined", "quarantine notification"),
)
"""What stands anywhere in such a subject."""

CHALLENGES = (
    *("confirm your message", "confirm your mail", "confirm your e-mail", "confirm your email"),
    *("verify your message", "verify your mail", "verify your e-mail", "verify your email"),
    *("verify your address", "verify your identity", "verify yourself", "sender verification"),
    *("sender validation", "sender authentication", "sender confirmation", "please authenticate"),
    *("message verification", "email verification", "e-mail verification", "mail verification"),
    *("verification required", "verification needed", "confirmation required", "confirm#"),
    *("requires confirmation", "requires verification", "requires your confirmation"),
    *("requires approval", "awaiting approval", "awaiting confirmation", "awaiting verification"),
    *("awaiting your confirmation", "is being held", "has been held", "message held", "mail held"),
    *("your message is waiting", "your mail is waiting", "your email is waiting", "spamarrest"),
    *("spam arrest", "boxbe", "spamlion", "spam blocker", "spamblocker", "challenge-response"),
    *("challenge/response", "please confirm you", "prove that you", "prove you are", "are human"),
    *("(verification)", "[verification]", "action required: your m", "action required to deliver"),
    *(
        "guest list",
        "moderator approval",
        "approval needed",
        "suspect e-mail",
        "suspect email",
        "bestätigen sie ihre nachricht",
        "bestätigen sie ihre e-mail",
    ),
    *("bestätigung erforderlich", "absenderbestätigung", "bitte bestätigen sie ihre"),
    *("potwierdź swoją wiadomość", "potwierdź wysłanie", "wymagane potwierdzenie"),
    *("confirmez votre message", "confirmer votre message", "confirmez votre e-mail"),
    *("confirme su mensaje", "confirme su correo", "confirma tu mensaje", "confirmación requerida"),
    *("conferma il tuo messaggio", "confermare il messaggio", "bevestig uw bericht"),
    *("confirme sua mensagem", "confirme o envio"),
)
"""What systems write that let nobody pass who has not proven to be a person."""

UNDELIVERED = (
    *("undeliver", "mail delivery failed", "delivery status notification", "delivery failure"),
    *("delivery failed", "delivery has failed", "delivery notification", "returned mail"),
    *("failure notice", "mail failure", "mail system error", "message failed", "failed delivery"),
    *("delivery error", "delivery problem", "could not be delivered", "couldn't be delivered"),
    *("cannot be delivered", "not delivered", "unable to deliver", "delivery incomplete"),
    *("delivery delayed", "delayed mail", "warning: could not send", "warning: message"),
    *(
        "message status - undel",
        "nondeliverable",
        "non-deliverable",
        "non delivery",
        "ndn:",
        "ndr:",
    ),
    *("non-delivery", "nondelivery", "bounce notification", "message bounced", "rejected:"),
    *("rejected mail", "message rejected", "mail rejected", "message refused", "mail refused"),
    *("automatically rejected", "unzustellbar", "nicht zugestellt", "nicht zustellbar"),
    *("zustellung fehlgeschlagen", "zustellungsfehler", "fehler bei der zustellung"),
    *("zustellstatus", "zurückgewiesen", "niedostarczon", "nie dostarczono"),
    *("nie można dostarczyć", "zwrot wiadomości", "niepowodzenie dostarcz", "błąd dostarcz"),
    *("non remis", "non distribué", "échec de la remise", "échec de remise", "échec d'envoi"),
    *("échec de distribution", "notification d'état de remise", "no se pudo entregar"),
    *("no entregado", "no entregable", "error de entrega", "mensaje devuelto", "correo devuelto"),
    *("mancata consegna", "non recapitabile", "consegna fallita", "recapito non riuscito"),
    *("onbestelbaar", "niet bezorgd", "bezorging mislukt", "não entregue", "falha na entrega"),
    *("não foi possível entregar", "olevererbart", "kunde inte levereras", "ikke leveret"),
    *("kan ikke leveres", "nedoručiteln", "toimitus epäonnistui", "не доставлен", "недоставлен"),
)
"""Subjects of mails that say so of another one."""

RESPONSES = (
    *("accepted:", "declined:", "tentative:", "tentatively accepted:", "new time proposed:"),
    *("invitation:", "updated invitation:", "canceled event", "cancelled event", "zugesagt:"),
    *("abgesagt:", "mit vorbehalt:", "abgelehnt:", "zaakceptowano:", "odrzucono:"),
    *("wstępn", "accepté :", "accepté:", "refusé :", "refusé:", "provisoire :", "aceptad"),
    *("rechazad", "accettato:", "rifiutato:", "geaccepteerd:", "geweigerd:", "aceito:"),
    *("recusado:", "read:", "not read:", "gelesen:", "nicht gelesen:", "ungelesen gelöscht:"),
    *("przeczytano:", "nie przeczytano:", "lu :", "lu:", "non lu :", "non lu:", "leído:"),
    *("no leído:", "letto:", "non letto:", "gelezen:", "lida:", "lido:", "não lida:"),
    *("delivered:", "relayed:", "recall:", "message recall", "zugestellt:", "cron <"),
)
"""Beginnings of subjects of calendars, receipts and cron."""

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
    *(
        "dit is een automat",
        "automatisch gegenereerd",
        "niet op dit bericht",
        "niet te beantwoorden",
    ),
    *("esta é uma mensagem automát", "não responda a est", "detta är ett automat"),
)
"""What stands first in a text that nobody typed."""

UNREAD_MAILBOXES = (
    *("noreply", "donotreply", "dontreply", "notreply", "nepasrepondre", "noresponder"),
    *("nichtantworten", "keineantwort", "nieodpowiadac", "nieodpowiadaj", "nonrispondere"),
    *("naoresponda", "nietantwoorden", "svarainte", "neodpovidat", "autoresponder", "autoreply"),
    *("automailer", "autoresponse", "mailrobot"),
)
"""Names of mailboxes that nobody reads, without what stands between their words."""

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
"""Beginnings of the names under which mail servers write."""

REFUSED = (
    *("reject", "refused", "did not accept", "not accepted", "will not accept", "returned to you"),
    *("abgelehnt", "zurückgewiesen", "verweigert", "odrzuc", "rejeté", "refusé", "rechazad"),
    *("rifiutat", "respint", "geweigerd", "rejeitad", "recusad", "avvisa", "afvist", "odmítnut"),
)
"""What a receipt says where it returns a mail (RFC 5429 section 2.1.3)."""

ACKNOWLEDGED = (
    *(
        "ticket",
        "case number",
        "reference number",
        "your request",
        "request received",
        "your inquiry",
        "your enquiry",
    ),
    *("thank you for contacting", "thanks for contacting", "we received your", "we've received"),
    *("we have received your", "ihre anfrage", "ihre nachricht ist eingegangen", "vorgangsnummer"),
    *("zgłoszeni", "twoje zapytanie", "votre demande", "su solicitud", "su consulta", "caso #"),
    *("la tua richiesta", "sua richiesta", "uw aanvraag", "sua solicitação", "ditt ärende"),
)
"""What is said in subjects by those who keep count of mails: the mail has reached a machine."""
