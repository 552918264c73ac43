-- The schema on SQLite after all migrations; written by db/revise.py.

CREATE TABLE absences (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL,
    match_id INTEGER,
    at DATETIME NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    CONSTRAINT fk_absences_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_absences_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);

CREATE INDEX ix_absences_player_id_at ON absences (player_id, at);

CREATE TABLE actions (
    match_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    seat TEXT NOT NULL,
    text TEXT NOT NULL,
    passed JSON NOT NULL,
    at DATETIME NOT NULL,
    head TEXT DEFAULT '' NOT NULL,
    undone INTEGER DEFAULT 0 NOT NULL, account JSON, player_id INTEGER, spent INTEGER, late BOOLEAN,
    CONSTRAINT fk_actions_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT pk_actions PRIMARY KEY (match_id, number)
);

CREATE INDEX ix_actions_match_id_turn ON actions (match_id, turn);

CREATE INDEX ix_actions_timed ON actions (player_id, at, late, spent) WHERE player_id IS NOT NULL AND undone = 0;

CREATE TABLE addresses (
    player_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    address TEXT NOT NULL,
    address_key TEXT NOT NULL,
    failed_at DATETIME,
    failure TEXT DEFAULT '' NOT NULL,
    works_since DATETIME,
    added_at DATETIME,
    CONSTRAINT fk_addresses_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_addresses PRIMARY KEY (player_id, place),
    CONSTRAINT uq_addresses_address_key UNIQUE (address_key)
);

CREATE INDEX ix_addresses_failed ON addresses (failed_at) WHERE failed_at IS NOT NULL;

CREATE TABLE announced (
    match_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    over BOOLEAN NOT NULL,
    marks INTEGER NOT NULL,
    since DATETIME,
    CONSTRAINT fk_announced_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT pk_announced PRIMARY KEY (match_id)
);

CREATE INDEX ix_announced_waiting ON announced (match_id) WHERE since IS NOT NULL;

CREATE TABLE blocks (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL,
    blocked_id INTEGER NOT NULL,
    CONSTRAINT fk_blocks_blocked_id FOREIGN KEY(blocked_id) REFERENCES players (id),
    CONSTRAINT fk_blocks_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT uq_blocks_player_id_blocked_id UNIQUE (player_id, blocked_id)
);

CREATE INDEX ix_blocks_blocked_id ON blocks (blocked_id);

CREATE TABLE competition_players (
    competition_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    player_id INTEGER NOT NULL, waiting BOOLEAN DEFAULT 0 NOT NULL, always BOOLEAN DEFAULT 0 NOT NULL,
    CONSTRAINT fk_competition_players_competition_id FOREIGN KEY(competition_id) REFERENCES competitions (id),
    CONSTRAINT fk_competition_players_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_competition_players PRIMARY KEY (competition_id, place)
);

CREATE TABLE competitions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    numbering TEXT NOT NULL,
    number INTEGER NOT NULL,
    game_key TEXT NOT NULL,
    options JSON NOT NULL,
    terms JSON NOT NULL,
    created_at DATETIME NOT NULL, phase TEXT DEFAULT '' NOT NULL, announcement JSON,
    CONSTRAINT uq_competitions_numbering_number UNIQUE (numbering, number)
);

CREATE UNIQUE INDEX ix_competitions_announced ON competitions (number) WHERE phase <> '';

CREATE INDEX ix_competitions_phase ON competitions (phase) WHERE phase <> '';

CREATE TABLE deadlines (
    match_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_at DATETIME NOT NULL,
    CONSTRAINT fk_deadlines_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT pk_deadlines PRIMARY KEY (match_id, kind)
);

CREATE INDEX ix_deadlines_due_at ON deadlines (due_at);

CREATE TABLE decisions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    at DATETIME NOT NULL,
    by_id INTEGER,
    match_id INTEGER,
    line TEXT NOT NULL,
    reason TEXT NOT NULL,
    CONSTRAINT fk_decisions_by_id FOREIGN KEY(by_id) REFERENCES players (id),
    CONSTRAINT fk_decisions_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);

CREATE INDEX ix_decisions_by_id ON decisions (by_id);

CREATE INDEX ix_decisions_match_id ON decisions (match_id);

CREATE TABLE digests (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL,
    at DATETIME NOT NULL,
    turns JSON NOT NULL,
    CONSTRAINT fk_digests_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);

CREATE INDEX ix_digests_at ON digests (at);

CREATE INDEX ix_digests_player_id ON digests (player_id);

CREATE TABLE erased_mails (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    folder TEXT NOT NULL,
    uidvalidity BIGINT NOT NULL,
    uid BIGINT NOT NULL,
    message_id TEXT NOT NULL
);

CREATE TABLE exposures (
    topic TEXT NOT NULL,
    holder_key TEXT NOT NULL,
    mail INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    CONSTRAINT pk_exposures PRIMARY KEY (topic, holder_key)
);

CREATE TABLE fingerprints (
    fingerprint BIGINT NOT NULL,
    CONSTRAINT pk_fingerprints PRIMARY KEY (fingerprint)
);

CREATE TABLE happenings (
    match_id INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    seat TEXT NOT NULL,
    kind TEXT NOT NULL,
    at DATETIME NOT NULL,
    head TEXT NOT NULL,
    text TEXT DEFAULT '' NOT NULL,
    CONSTRAINT fk_happenings_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT pk_happenings PRIMARY KEY (match_id, entry)
);

CREATE INDEX ix_happenings_departure ON happenings (match_id) WHERE kind IN ('lost_on_time', 'forfeited', 'resigned');

CREATE INDEX ix_happenings_succession ON happenings (match_id) WHERE kind IN ('replaced', 'kept', 'given_back');

CREATE TABLE imported_matches (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    club TEXT NOT NULL,
    match_id INTEGER NOT NULL,
    record BLOB NOT NULL,
    written BOOLEAN NOT NULL,
    CONSTRAINT uq_imported_matches_club_match_id UNIQUE (club, match_id)
);

CREATE INDEX ix_imported_matches_written ON imported_matches (written);

CREATE TABLE inbound (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    folder TEXT NOT NULL,
    uidvalidity BIGINT NOT NULL,
    uid BIGINT NOT NULL,
    received_at DATETIME NOT NULL,
    recorded_at DATETIME NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    sender TEXT NOT NULL,
    sender_key TEXT NOT NULL,
    message_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    raw BLOB NOT NULL,
    player_id INTEGER,
    proven BOOLEAN DEFAULT 0 NOT NULL,
    topic TEXT,
    CONSTRAINT fk_inbound_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT uq_inbound_folder_uidvalidity_uid UNIQUE (folder, uidvalidity, uid)
);

CREATE INDEX ix_inbound_digest ON inbound (digest);

CREATE INDEX ix_inbound_sender_key_proven_recorded_at ON inbound (sender_key, proven, recorded_at);

CREATE INDEX ix_inbound_state_id ON inbound (state, id);

CREATE INDEX ix_inbound_topic_proven_recorded_at ON inbound (topic, proven, recorded_at);

CREATE TABLE invited_mailboxes (
    mailbox_key TEXT NOT NULL,
    never BOOLEAN NOT NULL,
    CONSTRAINT pk_invited_mailboxes PRIMARY KEY (mailbox_key)
);

CREATE TABLE leaves (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL,
    first_day DATE NOT NULL,
    last_day DATE NOT NULL,
    start_at DATETIME NOT NULL,
    end_at DATETIME NOT NULL,
    auto BOOLEAN NOT NULL,
    CONSTRAINT fk_leaves_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);

CREATE INDEX ix_leaves_player_id_end_at ON leaves (player_id, end_at);

CREATE TABLE matches (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    game_key TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    options JSON NOT NULL,
    started_at DATETIME NOT NULL,
    actions INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    to_act TEXT,
    turn_started_at DATETIME,
    offer JSON,
    resigned JSON NOT NULL,
    result JSON,
    ended_at DATETIME,
    archived_at DATETIME,
    club TEXT DEFAULT '' NOT NULL,
    entries INTEGER DEFAULT 0 NOT NULL,
    head TEXT DEFAULT '' NOT NULL,
    clock JSON DEFAULT '{}' NOT NULL,
    competition_id INTEGER,
    competition_round INTEGER,
    competition_index INTEGER,
    public TEXT DEFAULT '' NOT NULL,
    lead INTEGER DEFAULT 0 NOT NULL,
    began_with INTEGER DEFAULT 0 NOT NULL,
    hands JSON DEFAULT '{}' NOT NULL,
    pause_offer JSON,
    breaks JSON DEFAULT '[]' NOT NULL, offers JSON DEFAULT '{}' NOT NULL, provider TEXT DEFAULT '' NOT NULL,
    CONSTRAINT fk_matches_competition_id FOREIGN KEY(competition_id) REFERENCES competitions (id),
    CONSTRAINT uq_matches_competition_id_competition_index UNIQUE (competition_id, competition_index)
);

CREATE INDEX ix_matches_asked ON matches (turn_started_at) WHERE ended_at IS NULL;

CREATE INDEX ix_matches_ended_at ON matches (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX ix_matches_playing ON matches (id) WHERE ended_at IS NULL;

CREATE INDEX ix_matches_unarchived ON matches (id) WHERE ended_at IS NOT NULL AND archived_at IS NULL;

CREATE TABLE mutes (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL,
    muted_id INTEGER NOT NULL,
    match_id INTEGER,
    CONSTRAINT fk_mutes_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_mutes_muted_id FOREIGN KEY(muted_id) REFERENCES players (id),
    CONSTRAINT fk_mutes_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT uq_mutes_player_id_muted_id_match_id UNIQUE (player_id, muted_id, match_id)
);

CREATE INDEX ix_mutes_muted_id ON mutes (muted_id);

CREATE TABLE notes (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    text TEXT NOT NULL,
    at DATETIME NOT NULL, kind TEXT DEFAULT 'note' NOT NULL, public BOOLEAN DEFAULT 1 NOT NULL,
    CONSTRAINT fk_notes_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_notes_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);

CREATE INDEX ix_notes_match_id ON notes (match_id);

CREATE INDEX ix_notes_player_id ON notes (player_id);

CREATE TABLE offer_players (
    offer_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    accepted BOOLEAN NOT NULL,
    wish INTEGER,
    CONSTRAINT fk_offer_players_offer_id FOREIGN KEY(offer_id) REFERENCES offers (id),
    CONSTRAINT fk_offer_players_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_offer_players PRIMARY KEY (offer_id, place),
    CONSTRAINT uq_offer_players_offer_id_player_id UNIQUE (offer_id, player_id)
);

CREATE INDEX ix_offer_players_player_id ON offer_players (player_id);

CREATE TABLE offers (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL,
    open BOOLEAN NOT NULL,
    revision INTEGER NOT NULL,
    terms JSON NOT NULL,
    conditions JSON NOT NULL,
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    begun TEXT NOT NULL
, waited INTEGER);

CREATE INDEX ix_offers_standing ON offers (id) WHERE state = 'stands';

CREATE INDEX ix_offers_waited ON offers (id) WHERE waited IS NOT NULL;

CREATE TABLE outbox (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    recipient_key TEXT NOT NULL,
    player_id INTEGER,
    turn INTEGER,
    queued_at DATETIME NOT NULL,
    next_attempt_at DATETIME NOT NULL,
    claimed_until DATETIME,
    attempts INTEGER NOT NULL,
    closed_at DATETIME,
    failed BOOLEAN NOT NULL,
    reply TEXT NOT NULL,
    bounce_key TEXT,
    bounces INTEGER DEFAULT 0 NOT NULL,
    claimed_by TEXT DEFAULT '' NOT NULL,
    from_name TEXT NOT NULL,
    from_address TEXT NOT NULL,
    to_name TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    written_at DATETIME NOT NULL,
    thread JSON NOT NULL,
    answers BOOLEAN NOT NULL,
    topic TEXT,
    html BLOB,
    picture BLOB,
    reply_to TEXT DEFAULT '' NOT NULL,
    list_id TEXT DEFAULT '' NOT NULL,
    unsubscribe TEXT DEFAULT '' NOT NULL,
    attachments BLOB,
    urgency SMALLINT DEFAULT 1 NOT NULL,
    domain TEXT DEFAULT '' NOT NULL,
    line BIGINT DEFAULT 0 NOT NULL,
    tried_at DATETIME,
    received_at DATETIME,
    allowance TEXT, writer_id INTEGER,
    CONSTRAINT fk_outbox_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT uq_outbox_bounce_key UNIQUE (bounce_key),
    CONSTRAINT uq_outbox_message_id UNIQUE (message_id)
);

CREATE INDEX ix_outbox_allowance ON outbox (allowance, queued_at) WHERE allowance IS NOT NULL;

CREATE INDEX ix_outbox_recipient_key_kind_queued_at ON outbox (recipient_key, kind, queued_at);

CREATE INDEX ix_outbox_topic_player_id_id ON outbox (topic, player_id, id);

CREATE INDEX ix_outbox_tried_at ON outbox (tried_at);

CREATE INDEX ix_outbox_unrequested ON outbox (queued_at) WHERE allowance IS NOT NULL;

CREATE INDEX ix_outbox_waiting ON outbox (urgency, line, id) WHERE closed_at IS NULL;

CREATE INDEX ix_outbox_waiting_about ON outbox (topic, urgency, line) WHERE closed_at IS NULL;

CREATE INDEX ix_outbox_waiting_for ON outbox (recipient_key, urgency, line) WHERE closed_at IS NULL;

CREATE TABLE pauses (
    competition INTEGER NOT NULL,
    start DATETIME NOT NULL,
    "end" DATETIME,
    CONSTRAINT pk_pauses PRIMARY KEY (competition)
);

CREATE TABLE plans (
    match_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    lines JSON NOT NULL,
    turn INTEGER NOT NULL,
    since INTEGER NOT NULL,
    ended TEXT DEFAULT '' NOT NULL,
    told BOOLEAN DEFAULT 0 NOT NULL,
    CONSTRAINT fk_plans_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_plans_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_plans PRIMARY KEY (match_id, player_id, number)
);

CREATE INDEX ix_plans_player_id ON plans (player_id);

CREATE TABLE players (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    bot TEXT DEFAULT '' NOT NULL,
    settings JSON DEFAULT '{}' NOT NULL,
    skeleton TEXT DEFAULT '' NOT NULL,
    former BOOLEAN DEFAULT 0 NOT NULL, joined_at DATETIME, unbanned_at DATETIME,
    CONSTRAINT uq_players_name_key UNIQUE (name_key)
);

CREATE INDEX ix_players_bots ON players (id) WHERE bot <> '';

CREATE UNIQUE INDEX ix_players_skeleton ON players (skeleton);

CREATE TABLE questions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    player_id INTEGER,
    address TEXT,
    address_key TEXT,
    about TEXT,
    expires_at DATETIME NOT NULL,
    asked_by TEXT NOT NULL,
    inbound_id INTEGER,
    data JSON NOT NULL,
    CONSTRAINT ck_questions_one_asked CHECK ((player_id IS NULL) <> (address IS NULL)),
    CONSTRAINT fk_questions_inbound_id FOREIGN KEY(inbound_id) REFERENCES inbound (id),
    CONSTRAINT fk_questions_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT uq_questions_inbound_id UNIQUE (inbound_id)
);

CREATE INDEX ix_questions_address_key ON questions (address_key);

CREATE INDEX ix_questions_asked_by ON questions (asked_by);

CREATE INDEX ix_questions_kind_id ON questions (kind, id);

CREATE INDEX ix_questions_player_id_about ON questions (player_id, about);

CREATE TABLE "rated_matches" (
    match_id INTEGER NOT NULL,
    ended_at DATETIME NOT NULL,
    game_key TEXT NOT NULL,
    computers BOOLEAN NOT NULL,
    sides JSON NOT NULL,
    method TEXT NOT NULL,
    CONSTRAINT pk_rated_matches PRIMARY KEY (match_id)
);

CREATE INDEX ix_rated_matches_ended_at_match_id ON rated_matches (ended_at, match_id);

CREATE TABLE rated_names (
    club TEXT NOT NULL,
    name TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    CONSTRAINT fk_rated_names_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_rated_names PRIMARY KEY (club, name)
);

CREATE INDEX ix_rated_names_player_id ON rated_names (player_id);

CREATE TABLE "rating_steps" (
    match_id INTEGER NOT NULL,
    game_key TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    computers BOOLEAN NOT NULL,
    ended_at DATETIME NOT NULL,
    mean FLOAT NOT NULL,
    deviation FLOAT NOT NULL,
    matches INTEGER NOT NULL,
    CONSTRAINT fk_rating_steps_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_rating_steps PRIMARY KEY (match_id, game_key, player_id)
);

CREATE INDEX ix_rating_steps_course ON rating_steps (player_id, game_key, computers, ended_at, match_id);

CREATE TABLE read_until (
    folder TEXT NOT NULL,
    uidvalidity BIGINT NOT NULL,
    uid BIGINT NOT NULL,
    CONSTRAINT pk_read_until PRIMARY KEY (folder, uidvalidity)
);

CREATE TABLE seats (
    match_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    seat TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    playing BOOLEAN NOT NULL,
    CONSTRAINT fk_seats_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_seats_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_seats PRIMARY KEY (match_id, place),
    CONSTRAINT uq_seats_match_id_seat UNIQUE (match_id, seat)
);

CREATE INDEX ix_seats_player_id_playing_match_id ON seats (player_id, playing, match_id);

CREATE TABLE service (
    name TEXT NOT NULL,
    at DATETIME NOT NULL,
    CONSTRAINT pk_service PRIMARY KEY (name)
);

CREATE TABLE snapshots (
    match_id INTEGER NOT NULL,
    actions INTEGER NOT NULL,
    head TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    text BLOB NOT NULL,
    CONSTRAINT fk_snapshots_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT pk_snapshots PRIMARY KEY (match_id)
);

CREATE TABLE stale_pages (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    "key" TEXT NOT NULL
);

CREATE INDEX ix_stale_pages_kind_key ON stale_pages (kind, "key");

CREATE TABLE "unrated_matches" (
    match_id INTEGER NOT NULL,
    aside BOOLEAN DEFAULT 0 NOT NULL,
    CONSTRAINT pk_unrated_matches PRIMARY KEY (match_id)
);

CREATE TABLE waiting_news (
    match_id INTEGER NOT NULL,
    reader_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    due_at DATETIME NOT NULL,
    safe_until DATETIME NOT NULL,
    said JSON NOT NULL,
    CONSTRAINT fk_waiting_news_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_waiting_news_reader_id FOREIGN KEY(reader_id) REFERENCES players (id),
    CONSTRAINT pk_waiting_news PRIMARY KEY (match_id, reader_id)
);

CREATE INDEX ix_waiting_news_due_at ON waiting_news (due_at);

CREATE INDEX ix_waiting_news_reader_id ON waiting_news (reader_id);

CREATE TABLE waiting_notes (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    match_id INTEGER NOT NULL,
    reader_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    text TEXT NOT NULL,
    at DATETIME NOT NULL, kind TEXT DEFAULT 'note' NOT NULL,
    CONSTRAINT fk_waiting_notes_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_waiting_notes_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_waiting_notes_reader_id FOREIGN KEY(reader_id) REFERENCES players (id)
);

CREATE INDEX ix_waiting_notes_match_id_reader_id ON waiting_notes (match_id, reader_id);

CREATE INDEX ix_waiting_notes_reader_id ON waiting_notes (reader_id);

CREATE TABLE watched (
    match_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    over BOOLEAN NOT NULL,
    news_at DATETIME,
    CONSTRAINT fk_watched_match_id FOREIGN KEY(match_id) REFERENCES matches (id),
    CONSTRAINT fk_watched_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_watched PRIMARY KEY (match_id, player_id)
);

CREATE INDEX ix_watched_news ON watched (match_id, player_id) WHERE news_at IS NOT NULL;

CREATE INDEX ix_watched_player_id ON watched (player_id);

CREATE TABLE watches (
    player_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    what TEXT NOT NULL,
    since DATETIME NOT NULL,
    CONSTRAINT fk_watches_player_id FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT pk_watches PRIMARY KEY (player_id, kind, what)
);

CREATE INDEX ix_watches_kind_what ON watches (kind, what);
