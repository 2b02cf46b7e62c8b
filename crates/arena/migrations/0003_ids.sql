-- Reasons are stored by ids that never change, no longer by the words people read. Players are who
-- they are by their identity: the canonical form of their name and options, and a build that is a
-- hash.
--
-- Words nobody knows stay as they are: reading them is an error that names them.
-- The JSON functions are SQLite's; a new store on PostgreSQL has nothing to change here.

CREATE TABLE reason_words (id TEXT NOT NULL, words TEXT NOT NULL PRIMARY KEY);
INSERT INTO reason_words (id, words) VALUES
    ('board', 'on the board'),
    ('checkmate', 'by checkmate'),
    ('stalemate', 'by stalemate'),
    ('three-in-a-row', 'with three in a row'),
    ('four-in-a-row', 'with four in a row'),
    ('full-board', 'on a full board'),
    ('no-pieces', 'as the other side has no pieces left'),
    ('no-moves', 'as the other side has no moves left'),
    ('neither-moves', 'as neither side can move'),
    ('passes', 'after two passes'),
    ('repetition', 'by repetition'),
    ('no-progress', 'without progress'),
    ('material', 'by insufficient material'),
    ('time', 'on time'),
    ('resignation', 'by resignation'),
    ('agreement', 'by agreement'),
    ('forfeit', 'by forfeit'),
    ('adjudication', 'by adjudication'),
    ('length', 'by length');

UPDATE games SET reason = (SELECT id FROM reason_words WHERE words = games.reason)
    WHERE reason IN (SELECT words FROM reason_words);

-- A game of the app that was decided off the board.
UPDATE documents SET document = json_set(document, '$.decided.reason',
        (SELECT id FROM reason_words WHERE words = json_extract(document, '$.decided.reason')))
    WHERE kind = 'table' AND CASE WHEN json_valid(document)
        THEN json_extract(document, '$.decided.reason') IN (SELECT words FROM reason_words)
        END;

-- What lists show of it: the words for people stay.
UPDATE documents SET summary = json_set(summary, '$.ending.reason_id',
        (SELECT id FROM reason_words WHERE words = json_extract(summary, '$.ending.reason')))
    WHERE kind = 'table' AND CASE WHEN json_valid(summary)
        THEN json_extract(summary, '$.ending.reason') IN (SELECT words FROM reason_words)
        END;

DROP TABLE reason_words;

-- The build was the version of the program, the same for every commit.
UPDATE players SET build = 'unknown build' WHERE build = '0.1.0';
UPDATE contests SET build = 'unknown build' WHERE build = '0.1.0';

-- Who the players of a contest are, known before its first game. The identity is the player whose
-- spec is in canonical form, which depends on the game: ratings go by it.
CREATE TABLE contest_players (
    contest  BIGINT NOT NULL REFERENCES contests (id),
    player   BIGINT NOT NULL REFERENCES players (id), -- as it was called
    identity BIGINT NOT NULL REFERENCES players (id),
    PRIMARY KEY (contest, player)
);
