"""Words of bounces that have no fields for programs, case-folded, in the languages seen so far."""

STILL_TRYING = (
    *("not yet been delivered", "attempts will continue", "will continue to", "will keep trying"),
    *("still trying", "still being retried", "will be retried", "will retry"),
    *("no action is required",),
    *("do not need to resend", "noch nicht zugestellt", "weitere zustellversuche"),
    *("wird weiter versucht",),
    *("nie została jeszcze dostarczona", "próby dostarczenia będą", "pas encore été"),
    *("nouvelles tentatives",),
    *("todavía no se ha", "aún no se ha", "seguirá intentando", "non è ancora stato"),
    *("再送を試み", "再試行します", "引き続き配信", "将继续尝试", "繼續嘗試", "다시 시도합니다"),
)
"""Phrases of servers that are still trying."""

NOT_DELIVERED = (
    *("not be delivered", "not delivered", "undeliverable", "undelivered", "delivery failure"),
    *("could not deliver", "couldn't deliver", "delivery failed", "delivery has failed"),
    *("unable to deliver", "failed delivery", "mail failure", "returned mail"),
    *("returned to sender",),
    *("unzustellbar", "nicht zugestellt", "nicht zustellbar", "zustellung fehlgeschlagen"),
    *("nie została dostarczona", "nie mogła zostać dostarczona", "nie można dostarczyć"),
    *("nie dostarczono", "niedostarczon", "non remis", "non distribué", "pas pu être remis"),
    *("pas pu être distribué", "échec de la remise", "no se pudo entregar", "no se ha podido"),
    *("no entregado", "mancata consegna", "non è stato consegnato", "recapito non riuscito"),
    *("could not be reached", "could not reach", "wasn't delivered", "wasn’t delivered"),
    *("couldn't be delivered", "couldn’t be delivered", "failed to deliver", "was rejected"),
    *("were rejected", "been rejected", "message rejected", "mail rejected", "was refused"),
    *("been refused", "failure notice", "permanent fatal error", "permanent error", "bounced back"),
    *("has been bounced", "wurde abgelehnt", "nicht ausgeliefert", "nicht erreicht werden"),
    *("zurückgewiesen", "została odrzucona", "odrzucił", "zwrócona do nadawcy", "a été rejeté"),
    *("a été refusé", "n'a pas été remis", "n'a pas pu être", "n’a pas pu être", "fue rechazado"),
    *("ha sido rechazado", "no pudo ser entregado", "no ha sido entregado", "è stato rifiutato"),
    *("è stato respinto", "impossibile consegnare", "niet afgeleverd", "niet bezorgd", "geweigerd"),
    *("não foi entregue", "foi rejeitad", "não foi possível entregar", "не доставлен"),
    *("levererades inte", "ikke leveret", "ikke leveres", "nebyla doručena", "nelze doručit"),
    *("não pôde ser entregue", "kon niet worden bezorgd", "kunde inte levereras"),
    *("не доставлено", "не удалось доставить", "не може бути доставлено", "teslim edilemedi"),
    *("iletilemedi", "δεν παραδόθηκε", "δεν ήταν δυνατή η παράδοση", "nem kézbesíthető"),
    *("kézbesítése sikertelen", "nem sikerült kézbesíteni", "nu a putut fi livrat"),
    *("ei voitu toimittaa", "配信できません", "配信不能", "配信されません", "送信できません"),
    *("届けできません", "配達できません", "退信", "退回", "无法送达", "无法投递", "未能送达"),
    *("投递失败", "发送失败", "無法傳送", "無法投遞", "無法寄達", "배달되지", "배달할 수 없"),
    *("전송되지", "전송 실패", "발송 실패", "전달할 수 없", "반송"),
)
"""Phrases about an email that was not delivered."""


def says(any_of: tuple[str, ...], text: str) -> bool:
    """Return whether a text contains one of several phrases, ignoring line ends."""
    said = " ".join(text.casefold().split())
    return any(words in said for words in any_of)


def says_undelivered(subject: str, text: str) -> bool:
    """Return whether an email says that another one was not delivered."""
    return says(NOT_DELIVERED, f"{subject} {text}")
