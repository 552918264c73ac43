"""Words of bounces that have no fields to go by, case-folded, in the languages met so far."""

STILL_TRYING = (
    *("not yet been delivered", "attempts will continue", "will continue to", "will keep trying"),
    *(
        "still trying",
        "still being retried",
        "will be retried",
        "will retry",
        "no action is required",
    ),
    *(
        "do not need to resend",
        "noch nicht zugestellt",
        "weitere zustellversuche",
        "wird weiter versucht",
    ),
    *(
        "nie została jeszcze dostarczona",
        "próby dostarczenia będą",
        "pas encore été",
        "nouvelles tentatives",
    ),
    *("todavía no se ha", "aún no se ha", "seguirá intentando", "non è ancora stato"),
)
"""What is said while a server has not given up."""

NOT_DELIVERED = (
    *("not be delivered", "not delivered", "undeliverable", "undelivered", "delivery failure"),
    *("could not deliver", "couldn't deliver", "delivery failed", "delivery has failed"),
    *(
        "unable to deliver",
        "failed delivery",
        "mail failure",
        "returned mail",
        "returned to sender",
    ),
    *("unzustellbar", "nicht zugestellt", "nicht zustellbar", "zustellung fehlgeschlagen"),
    *("nie została dostarczona", "nie mogła zostać dostarczona", "nie można dostarczyć"),
    *("nie dostarczono", "niedostarczon", "non remis", "non distribué", "pas pu être remis"),
    *("pas pu être distribué", "échec de la remise", "no se pudo entregar", "no se ha podido"),
    *("no entregado", "mancata consegna", "non è stato consegnato", "recapito non riuscito"),
    *("não pôde ser entregue", "kon niet worden bezorgd", "kunde inte levereras"),
)
"""What is said of a mail that has not arrived."""


def says(any_of: tuple[str, ...], text: str) -> bool:
    """Whether a text holds one of some words, wherever its lines end."""
    told = " ".join(text.casefold().split())
    return any(words in told for words in any_of)


def says_undelivered(subject: str, text: str) -> bool:
    """Whether a mail speaks of another one that has not arrived."""
    return says(NOT_DELIVERED, f"{subject} {text}")
