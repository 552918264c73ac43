"""Words of refusals by their causes, case-folded, in the languages seen so far.

They are searched in a server's text. Stems cover all endings.
"""

from __future__ import annotations

WHO = (
    *("user", "mailbox", "mail box", "account", "recipient", "addressee", "address", "inbox"),
    *("customer", "domain", "alias", "local part", "local-part", "person"),
    *("empfänger", "benutzer", "postfach", "adresse", "konto", "teilnehmer", "domäne", "domaene"),
    *("odbiorc", "użytkownik", "skrzynk", "adres", "kont", "domen"),
    *("destinataire", "utilisateur", "boîte", "boite", "compte", "domaine"),
    *("destinatari", "usuari", "buzón", "buzon", "cuenta", "dirección", "direccion", "dominio"),
    *("utente", "casella", "indirizzo", "ontvanger", "gebruiker", "postvak", "postbus", "domein"),
    *("usuári", "destinatári", "endereço", "caixa", "conta", "domínio"),
    *("mottagare", "användare", "brevlåd", "adressaten", "konto", "modtager", "mottaker", "bruker"),
    *("příjemc", "uživatel", "schránk", "doména", "vastaanottaja", "käyttäjä", "osoite"),
    *("пользовател", "получател", "адрес", "ящик", "домен", "користувач", "скринь", "одержувач"),
    *("kullanıcı", "alıcı", "adres", "posta kutusu", "παραλήπτ", "χρήστη", "διεύθυνσ", "címzett"),
    *("felhasználó", "postafiók", "utilizator", "destinatar", "adresa", "宛先", "アドレス"),
    *("メールボックス", "ユーザ", "受信者", "アカウント", "ドメイン", "收件人", "地址", "邮箱"),
    *("用户", "帐号", "账号", "域名", "收件者", "信箱", "使用者", "帳號", "수신자", "받는 사람"),
    *("사용자", "주소", "계정", "메일함", "도메인"),
)
"""Recipients and their mailboxes."""

GONE = (
    *("unknown", "does not exist", "doesn't exist", "doesn’t exist", "don't exist", "not exist"),
    *("didn't exist", "nonexistent", "non-existent", "nonexisting", "non existent", "not found"),
    *("couldn't be found", "couldn’t be found", "could not be found", "cannot be found"),
    *("wasn't found", "wasn’t found", "isn't found", "can't be found", "cannot find", "no such"),
    *("no longer", "invalid", "not valid", "isn't valid", "not a valid", "not known", "not listed"),
    *("disabled", "deactivated", "inactive", "not active", "discontinued", "terminated"),
    *("has been closed", "is closed", "been removed", "has moved", "not local"),
    *("not recognized", "not recognised", "not have a", "doesn't have a", "doesn’t have a"),
    *("no mailbox", "not have an", "not hosted", "unrouteable", "unroutable", "not registered"),
    *("does not accept mail", "undeliverable address", "not our", "never existed", "bad address"),
    *("recipnotfound", "not present", "unknown to", "nobody", "no account", "no user", "no email"),
    *("unbekannt", "existiert nicht", "nicht existier", "nicht mehr", "nicht gefunden", "ungültig"),
    *("nicht vorhanden", "nicht bekannt", "gibt es nicht", "deaktiviert", "gelöscht", "kein konto"),
    *("existieren nicht", "kein postfach", "geschlossen", "abgeschaltet", "aufgelöst", "gekündigt"),
    *("nie istnieje", "nie istnieją", "nieistniej", "nieznan", "nie znaleziono"),
    *("nie została znal",),
    *("nie został znal", "nieprawidłow", "niepoprawn", "nieaktywn", "usunięt", "nie ma takie"),
    *("brak takie", "zamknięt", "dezaktywowan", "wyłączon", "zlikwidowan", "zablokowane na stałe"),
    *("n'existe", "n’existe", "n existe", "inexistant", "inconnu", "introuvable", "invalide"),
    *("désactivé", "pas été trouvé", "pas trouvé", "non valide", "pas valide", "supprimé", "fermé"),
    *("clôturé", "plus valide", "plus actif", "plus active", "aucun utilisateur", "aucune boîte"),
    *("no existe", "no existen", "inexistente", "desconocid", "no se encontr", "no se ha encontr"),
    *("no encontrad", "no encontr", "no pudo encontrar", "inválid", "no válid", "no es válid"),
    *("deshabilitad", "desactivad", "eliminad", "dado de baja", "dada de baja", "ya no", "cerrad"),
    *("non esiste", "non esist", "inesistent", "sconosciut", "non trovat", "non è stato trovat"),
    *("non è stata trovat", "non valid", "non è valid", "disattivat", "disabilitat", "non è più"),
    *("chius", "cessat", "bestaat niet", "niet bestaa", "onbekend", "niet gevonden", "ongeldig"),
    *("uitgeschakeld", "opgeheven", "niet meer", "não existe", "nao existe", "desconhecid"),
    *("não encontrad", "não foi encontrad", "desativad", "encerrad", "não é válid", "excluíd"),
    *("finns inte", "existerar inte", "hittades inte", "okänd", "ogiltig", "avslutat"),
    *("findes ikke", "eksisterer ikke", "finnes ikke", "ukendt", "ukjent", "ugyldig"),
    *("neexistuje", "neznám", "nenalezen", "neplatn", "zrušen", "ei ole olemassa", "tuntematon"),
    *("не существует", "не найден", "неизвест", "недействител", "удал", "отключ", "не існує"),
    *("не знайдено", "bulunamadı", "mevcut değil", "bilinmeyen", "geçersiz", "δεν υπάρχει"),
    *("δεν βρέθηκε", "άγνωστ", "nem létez", "nem található", "ismeretlen", "érvénytelen"),
    *("nu există", "nu a fost găsit", "necunoscut", "invalid", "存在しません", "存在しない"),
    *("見つかりません", "見つからない", "不明", "無効", "使われて", "不存在", "无效", "未找到"),
    *(
        "已停用",
        "已注销",
        "被禁用",
        "已禁用",
        "無效",
        "找不到",
        "존재하지 않",
        "찾을 수 없",
        "없는",
    ),
    *("유효하지 않", "알 수 없는"),
)
"""Phrases about a recipient who does not exist. They count near WHO."""

NOBODY_THERE = (
    *("address rejected: access denied", "unrouteable address", "unroutable address"),
    *("resolver.adr", "host not found", "host unknown", "unknown host", "no such host"),
    *("couldn't find any host", "non-existent host", "nonexistent host", "hosts do not exist"),
    *("nxdomain", "null mx", "nullmx", "unknown local", "no such person", "name not known"),
    *("account deleted", "account has been deleted", "account was deleted", "deleted account"),
    *("mailbox deleted", "mailbox has been deleted", "mailbox was deleted", "deleted mailbox"),
    *("user deleted", "user has been deleted", "address has been deleted", "deleted user"),
    *("550 unknown", "not our customer", "nobody by that name", "no one by that name"),
    *("rechner nicht gefunden", "unbekannter host", "hôte inconnu", "hôte introuvable"),
    *("nieznany host", "host desconocido", "host sconosciuto", "onbekende host"),
)
"""Phrases about a missing recipient that need no such word."""

PERHAPS_GONE = ("mailbox unavailable", "mailbox is unavailable", "mailbox not available")
"""The text of RFC 5321 section 4.2.3 for 550, and so of many servers for an unknown user."""

REJECTED_ADDRESS = ("address rejected", "recipient rejected", "rejected recipient")
"""Refusals without a reason. With a code about addresses they mean the address."""

NO_REASON = (
    *("unknown address error", "unknown reason", "unknown error", "reason unknown"),
    *("reason is unknown", "reason: unknown", "reason not known", "reason is not known"),
    *("unknown cause", "unknown problem", "cause unknown"),
    *("unknown status", "unknown failure", "unbekanntem grund", "unbekannten gr", "unbekannter fe"),
    *("unbekannte ursache", "unbekannter grund", "grund unbekannt", "nieznanego powodu"),
    *("nieznany błąd", "nieznanej przyczyny", "raison inconnue", "erreur inconnue"),
    *("motivo desconocido", "error desconocido", "razón desconocida", "motivo sconosciuto"),
    *("errore sconosciuto", "ragione sconosciuta", "onbekende reden", "onbekende fout"),
    *("motivo desconhecido", "erro desconhecido", "okänt fel", "okänd anledning"),
)
"""Phrases that give no reason. IronPort puts the first one before any other."""

MAILBOX = (
    *("mailbox", "mail box", "inbox", "mailfolder", "mail folder", "maildir", "account", "user"),
    *("postfach", "posteingang", "skrzynk", "boîte", "boite", "buzón", "buzon", "bandeja"),
    *("casella", "postvak", "postbus", "mailbus", "caixa", "brevlåd", "inkorg", "indbakke"),
    *("postkasse", "innboks", "schránk", "postilaatikko", "ящик", "empfänger", "odbiorc"),
    *("destinat", "recipient", "postafiók", "posta kutusu", "căsuț", "メールボックス", "受信箱"),
    *("邮箱", "信箱", "邮件箱", "收件人", "메일함", "편지함", "사서함"),
)
"""Things that can be full."""

FULL = (
    *("exceeds", "exceeded", "over its", "over limit", "over the limit", "reached its", "excedid"),
    *("superat", "überschritten", "przekroczon", "dépass", "overschreden", "excedeu"),
    *(" full", "is-full", "overfull", "overflow", "exceeded its", "exceeded the limit"),
    *(" voll", "überfüllt", "übervoll", "pełn", "przepełnion", "zapełnion", " plein", " saturé"),
    *(" llen", " pien", "is vol", " vol.", "cheia", "lotad", "full.", "fuld", "plná", "přeplněn"),
    *("täynnä", "переполнен", "exceeded storage", "no space", "out of space", "megtelt", "dolu"),
    *("γεμάτ", "いっぱい", "満杯", "容量", "已满", "已滿", "满了", "空间不足", "가득", "초과"),
)
"""Phrases about something full. They count near MAILBOX."""

NO_ROOM = (
    *("quota", "kontingent", "storage", "mailfull", "mailbox_full", "speicherplatz"),
    *("speicherlimit",),
    *("speicherbegrenzung", "przekroczono limit", "limit pojemności", "brak miejsca"),
    *("no space left", "disk full", "disk is full", "not enough space", "insufficient space"),
    *("espacio insuficiente", "sin espacio", "spazio esaurito", "spazio insufficiente"),
    *("espace insuffisant", "espace de stockage", "capacité", "capacidad"),
    *("size limit of the mailbox",),
    *("almacenamiento", "sem espaço", "onvoldoende ruimte", "utrymme", "квот"),
)
"""Phrases about a mailbox that accepts email again once it is cleared."""

POLICY = (
    *("spam", "junk mail", "unsolicited", "bulk mail", "dmarc", "dkim", "spf ", "spf:", "(spf"),
    *("spf-", "spf_", " spf", "blacklist", "black list", "blocklist", "block list", "denylist"),
    *("blocked", "blocking", "block-list", "listed at", "listed in", "listed by", "listed on"),
    *("rbl", "dnsbl", "reputation", "poor rep", "policy", "policies", "prohibit", "content"),
    *("virus", "malware", "phish", "infected", "banned", "forbidden", "suspicious", "unauthenti"),
    *("authenticat", "unauthoriz", "not authorized", "not authorised", "not permitted to send"),
    *("too many", "too much", "too big", "too large", "size limit", "message size", "maximum size"),
    *("exceeds size", "size exceed", "exceeds the max", "rate limit", "ratelimit", "rate of"),
    *("at a rate", "rate that", "throttl", "daily limit", "hourly limit", "sending limit"),
    *("limit exceeded", "greylist", "graylist", "grey-list", "grey list", "starttls", "tls "),
    *("encryption required", "certificate", "reverse dns", "rdns", "ptr record", "reverse host"),
    *("reverse lookup", "helo", "ehlo", "client host", "your ip", "ip address", "your host"),
    *("sender address", "sender verify", "sender rejected", "sender domain", "sender denied"),
    *("sender not", "sender is", "bad sender", "invalid sender", "unknown sender"),
    *("sender unknown",),
    *("sender's", "sender does", "domain of sender", "from address", "mail from", "from: header"),
    *("envelope from", "envelope sender", "return path", "send as", "bad outbound sender"),
    *("spoof", "relay access", "relaying", "to relay", "relay not", "not relay", "cannot relay"),
    *("relay denied", "rcpthosts", "allowed rcpt", "not accepted for", "blacklisted", "refused by"),
    *("rejected by recipient", "rejected by the recipient", "filter", "complain", "abus"),
    *("volume", "suspended your", "attachment", "header based", "non-ascii", "smtputf8"),
    *("loop", "hops", "only accepts", "restricted", "permission", "not allowed to send"),
    *("richtlinie", "unerwünscht", "verdächtig", "schwarze liste", "sperrliste", "gesperrte ip"),
    *("zu groß", "zu gross", "zu viele", "nicht berechtigt", "inhalt", "anhang", "absenderadresse"),
    *("absender nicht", "absender abgelehnt", "absender gesperrt", "zasad", "czarnej liście"),
    *("czarna lista", "niechcian", "zbyt duż", "zbyt wiele"),
    *("rozmiar", "treść", "zbyt dużo", "wirus", "załącznik", "adres nadawcy", "politique"),
    *("indésirable", "nadawca odrzuc", "adresse de l'expéditeur", "expéditeur refus"),
    *("pourriel", "liste noire", "trop volumineux", "trop gros", "trop de", "contenu"),
    *("pièce jointe", "taille", "política", "politica", "no deseado", "lista negra", "demasiado"),
    *("demasiados", "contenido", "tamaño", "remitente rechaz", "adjunto", "lista nera"),
    *("indesiderat",),
    *("troppo grande", "troppi", "contenuto", "dimension", "mittente rifiut", "allegato", "beleid"),
    *("ongewenst", "zwarte lijst", "te groot", "te veel", "inhoud", "afzender geweigerd"),
    *("bijlage",),
    *("conteúdo", "indesejad", "muito grande", "limite de envio", "skräppost", "för stor"),
    *("спам", "политик", "слишком", "nevyžádan", "roskaposti", "dirección del remitente"),
    *("迷惑メール", "スパム", "ポリシー", "拒否リスト", "サイズ", "垃圾邮件", "垃圾郵件", "策略"),
    *("政策", "频率", "黑名单", "黑名單", "大小", "스팸", "정책", "차단"),
)
"""Phrases about the email, its way or its sender, and not about the recipient."""

TROUBLE = (
    *("timed out", "time out", "time-out", "timeout", "connection refused", "connection reset"),
    *("connection lost", "connection closed", "connection dropped", "lost connection"),
    *("connection was", "unreachable", "no route to", "could not connect", "unable to connect"),
    *("cannot connect", "can't connect", "couldn't connect", "failed to connect", "not responding"),
    *("did not respond", "no response", "no answer from", "again later", "try later", "temporar"),
    *("deferred", "too busy", "is busy", "shutting down", "out of memory", "insufficient system"),
    *("resources", "delivery expired", "message expired", "retry time", "too old"),
    *("queue too long", "in queue", "servfail", "host not found, try again", "name server timeout"),
    *("soft error", "lookup failure", "maintenance", "overload", "unverified address"),
    *("in progress", "internal error", "internal server", "local error", "system problem"),
    *("zeitüberschreitung", "vorübergehend", "nicht erreichbar", "später erneut", "überlastet"),
    *("verbindung ", "abgelaufen", "przekroczono czas", "przekroczono limit czasu", "tymczasow"),
    *("chwilowo", "nieosiągaln", "spróbuj później", "połączeni", "délai", "temporaire"),
    *("injoignable", "réessayer plus tard", "connexion", "tiempo de espera", "temporal"),
    *("inalcanzable", "más tarde", "conexión", "tempo scaduto", "temporanea", "irraggiungibile"),
    *("più tardi", "connessione", "tijdelijk", "onbereikbaar", "verbinding", "temporár", "conexão"),
    *("mais tarde", "tillfällig", "midlertidig", "dočasn", "tilapäi", "времен", "一時的"),
    *("タイムアウト", "接続", "しばらく", "暂时", "稍后", "超时", "连接", "일시적", "연결"),
)
"""Phrases about servers and networks that are out of order for a while."""
