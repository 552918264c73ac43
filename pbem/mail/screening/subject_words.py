"""Words in subjects that show that a machine wrote the email, case-folded."""

from __future__ import annotations

AUTO_REPLIES = (
    *("automatic reply", "automatic response", "automated reply", "automated response"),
    *("auto reply", "auto-reply", "autoreply", "auto response", "auto-response", "autoresponse"),
    *("autoresponder", "vacation reply", "vacation notice", "away notice", "ooo"),
    *("vacation auto-reply", "out of office autoreply", "automatische antwort"),
    *("automatische rückmeldung", "urlaubsbenachrichtigung", "urlaubsmeldung"),
    *("urlaubsnotiz", "abwesenheitsnotiz", "abwesenheitsmeldung", "abwesenheitsassistent"),
    *("abwesenheitsbenachrichtigung", "automatyczna odpowiedź", "odpowiedź automatyczna"),
    *("autoodpowiedź", "réponse automatique", "message d'absence", "notification d'absence"),
    *("respuesta automática", "respuesta automatica", "risposta automatica"),
    *("automatisch antwoord", "resposta automática", "resposta automàtica", "automatiskt svar"),
    *("automatisk svar", "autosvar", "sjálfvirkt svar", "automaattinen vastaus"),
    *("automaattivastaus", "automaatvastus", "automātiskā atbilde", "automātiska atbilde"),
    *("automatinis atsakymas", "automatická odpověď", "automatická odpoveď"),
    *("automatikus válasz", "automatski odgovor", "automatičan odgovor", "samodejni odgovor"),
    *("răspuns automat", "raspuns automat", "автоответ", "автоматический ответ"),
    *("автоматична відповідь", "автоматичен отговор", "автоматски одговор"),
    *("αυτόματη απάντηση", "otomatik yanıt", "otomatik cevap", "תשובה אוטומטית", "מענה אוטומטי"),
    *("رد تلقائي", "الرد التلقائي", "پاسخ خودکار", "स्वचालित उत्तर", "ตอบกลับอัตโนมัติ"),
    *("การตอบกลับอัตโนมัติ", "trả lời tự động", "thư trả lời tự động", "balasan otomatis"),
    *("jawapan automatik", "自動返信", "自動応答", "不在通知", "自动回复", "自动答复", "自動回覆"),
    *(
        "自動回复",
        "假期自动回复",
        "자동 회신",
        "자동회신",
        "자동 응답",
        "자동응답",
        "부재중 자동 회신",
    ),
)
"""Labels that a mailbox's responder puts before a subject, with a colon or in brackets."""

AWAY = (
    *("out of the office", "out of office", "out-of-office", "away from the office"),
    *("away from my", "away until", "on vacation", "on annual leave", "on holiday", "on leave"),
    *("nicht im büro", "nicht im buero", "außer haus", "ausser haus", "abwesend", "abwesenheit"),
    *("im urlaub", "poza biurem", "nieobecn", "na urlopie", "absent du bureau"),
    *("absence du bureau", "absent jusqu", "absente jusqu", "en vacances", "en congé"),
    *("fuera de la oficina", "fuera de oficina", "ausente de la oficina", "de vacaciones"),
    *("fuori ufficio", "fuori sede", "in ferie", "niet op kantoor", "afwezig", "op vakantie"),
    *("fora do escritório", "ausência temporária", "de férias", "frånvaro", "på semester"),
    *("fraværende", "ikke på kontoret", "på ferie", "mimo kancelář", "na dovolené"),
    *("poissa toimistosta", "lomalla", "házon kívül", "irodán kívül", "szabadságon"),
    *("нет на месте", "в отпуске", "у відпустці", "ofis dışında", "izinde", "εκτός γραφείου"),
    *("不在", "休暇中", "休假中", "外出中", "부재중"),
)
"""Phrases of a responder about its owner's absence."""

IS_AWAY = ("is away", "ist abwesend", "ist verreist", "jest nieobecn", "est absent", "è assente")
"""Phrases after the owner's name, in a form that people do not use."""

LABELS = ("auto", "automatic", "automated", "auto-generated", "autom")
"""Words that show a machine only as a label on their own, as in `[auto]`."""

AUTOMATIC = (
    *("automatic message", "automated message", "automated notification", "automatische nachricht"),
    *("automatische e-mail", "wiadomość automatyczna", "automatyczna wiadomość"),
    *("message automatique", "mensaje automático", "messaggio automatico"),
    *("automatisch bericht", "mensagem automática", "too many hops", "confirmation of receipt"),
    *("acknowledgement of receipt", "acknowledgment of receipt", "eingangsbestätigung"),
    *("empfangsbestätigung", "lesebestätigung", "return receipt", "read receipt"),
    *("delivery receipt", "disposition notification", "accusé de réception"),
    *("accusé de lecture", "confirmation de lecture", "potwierdzenie przeczytania"),
    *("potwierdzenie odczytu", "potwierdzenie odbioru", "confirmación de lectura"),
    *("acuse de recibo", "conferma di lettura", "ricevuta di ritorno", "leesbevestiging"),
    *("開封確認", "已读回执", "cron <"),
)
"""Labels and beginnings of subjects of receipts and the like."""

ALARMS = (
    *("mail loop", "loop alert", "loop detected", "loop warning", "virus alert", "virus found"),
    *("virus detected", "virus warning", "virus in mail", "viruses detected", "virus ("),
    *("virenwarnung", "banned contents", "infected message", "message quarantined"),
    *("quarantine notification",),
)
"""Subjects of mail servers that are not about a delivery."""

CHALLENGES = (
    *("confirm your message", "confirm your mail", "confirm your e-mail", "confirm your email"),
    *("verify your message", "verify your mail", "verify your e-mail", "verify your email"),
    *("verify your address", "verify your identity", "verify yourself", "sender verification"),
    *("sender validation", "sender authentication", "sender confirmation", "please authenticate"),
    *("message verification", "email verification", "e-mail verification", "mail verification"),
    *("verification required", "verification needed", "confirmation required", "confirm#"),
    *("requires confirmation", "requires verification", "requires your confirmation"),
    *("requires approval", "awaiting approval", "awaiting confirmation", "awaiting verification"),
    *("awaiting your confirmation", "message is being held", "mail is being held"),
    *("message has been held", "message held", "mail held"),
    *("your message is waiting", "your mail is waiting", "your email is waiting"),
    *("challenge-response",),
    *("challenge/response", "please confirm you", "prove that you", "prove you are"),
    *("you are human",),
    *("action required: your m", "action required to deliver"),
    *("moderator approval", "approval needed", "suspect e-mail", "suspect email"),
    *("bestätigen sie ihre nachricht", "bestätigen sie ihre e-mail"),
    *("bestätigung erforderlich", "absenderbestätigung", "bitte bestätigen sie ihre"),
    *("potwierdź swoją wiadomość", "potwierdź wysłanie", "wymagane potwierdzenie"),
    *("confirmez votre message", "confirmer votre message", "confirmez votre e-mail"),
    *("confirme su mensaje", "confirme su correo", "confirma tu mensaje", "confirmación requerida"),
    *("conferma il tuo messaggio", "confermare il messaggio", "bevestig uw bericht"),
    *("confirme sua mensagem", "confirme o envio"),
)
"""Phrases of filters that let only proven people pass."""

BIDS = (
    *("please confirm your m", "please verify your m", "please confirm your e", "please authentic"),
    *("please verify your e", "bitte bestätigen sie ihre", "action required: your m"),
)
"""Beginnings of such subjects that sound like a person."""

CHALLENGERS = (
    "spamarrest",
    "spam arrest",
    "boxbe",
    "spamlion",
    "spam blocker",
    "spamblocker",
    "(verification)",
    "[verification]",
)
"""Names of such filters, which count in every subject."""

UNDELIVERED = (
    *("undeliver", "mail delivery failed", "delivery status notification", "delivery failure"),
    *("delivery failed", "delivery has failed", "delivery notification", "returned mail"),
    *("failure notice", "mail failure", "mail system error", "message failed", "failed delivery"),
    *("delivery error", "delivery problem", "could not be delivered", "couldn't be delivered"),
    *("cannot be delivered", "not delivered", "unable to deliver", "delivery incomplete"),
    *("delivery delayed", "delayed mail", "warning: could not send"),
    *("message status - undel", "nondeliverable", "non-deliverable", "non delivery", "ndn:"),
    *("ndr:",),
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
    *(
        "配信不能",
        "配信エラー",
        "配達不能",
        "送信エラー",
        "系统退信",
        "退信",
        "邮件退回",
        "無法傳遞",
    ),
    *("배달 실패", "배달되지 않음", "반송", "kézbesíthetetlen", "teslim edilemedi", "iletilemedi"),
)
"""Phrases about another email that was not delivered."""

RESPONSES = (
    *("accepted:", "declined:", "tentative:", "tentatively accepted:", "new time proposed:"),
    *("invitation:", "updated invitation:", "canceled event", "cancelled event", "zugesagt:"),
    *("abgesagt:", "mit vorbehalt:", "abgelehnt:", "zaakceptowano:", "odrzucono:"),
    *("wstępn", "accepté :", "accepté:", "refusé :", "refusé:", "provisoire :", "aceptad"),
    *("rechazad", "accettato:", "rifiutato:", "geaccepteerd:", "geweigerd:", "aceito:"),
    *("recusado:", "read:", "not read:", "gelesen:", "nicht gelesen:", "ungelesen gelöscht:"),
    *("przeczytano:", "nie przeczytano:", "lu :", "lu:", "non lu :", "non lu:", "leído:"),
    *("no leído:", "letto:", "non letto:", "gelezen:", "lida:", "lido:", "não lida:"),
    *("delivered:", "relayed:", "recall:", "message recall", "zugestellt:"),
)
"""Beginnings of subjects of calendars, receipts and cron."""

ACKNOWLEDGED = (
    *("ticket", "case number", "reference number", "your request", "request received"),
    *("your inquiry", "your enquiry"),
    *("thank you for contacting", "thanks for contacting", "we received your", "we've received"),
    *("we have received your", "ihre anfrage", "ihre nachricht ist eingegangen", "vorgangsnummer"),
    *("zgłoszeni", "twoje zapytanie", "votre demande", "su solicitud", "su consulta", "caso #"),
    *("la tua richiesta", "sua richiesta", "uw aanvraag", "sua solicitação", "ditt ärende"),
)
"""Phrases of ticket systems: the email has reached a machine."""

RECEIVED = (
    *("request received", "your request has", "your request was", "your ticket", "your inquiry"),
    *("your enquiry", "your case has", "thank you for contacting", "thanks for contacting"),
    *("we received your", "we've received", "we have received your", "ihre anfrage"),
    *("ihre nachricht ist eingegangen", "twoje zgłoszenie", "twoje zapytanie", "votre demande a"),
    *("su solicitud ha", "su consulta ha", "la tua richiesta è", "uw aanvraag is"),
    *("sua solicitação foi", "ditt ärende", "henvendelse modtaget"),
)
"""Labels and beginnings of ticket systems that nobody else uses."""

MOVED = (
    *("new address", "new e-mail address", "new email address", "new mail address"),
    *("address has changed", "address change", "change of address", "changed address"),
    *("neue adresse", "neue e-mail", "neue email", "neue mailadresse", "adressänderung"),
    *("adresse hat sich geändert", "nowy adres", "zmiana adresu", "zmieniłem adres"),
    *("nouvelle adresse", "changement d'adresse", "changé d'adresse", "nueva dirección"),
    *("cambio de dirección", "cambio de correo", "nuovo indirizzo", "cambio di indirizzo"),
    *("cambio indirizzo", "nieuw adres", "nieuw e-mailadres", "novo endereço"),
    *("mudança de endereço", "ny adress", "ny adresse", "nová adresa", "új címem", "новый адрес"),
)
"""Phrases that announce a new address. The owner of the mailbox is not away."""
