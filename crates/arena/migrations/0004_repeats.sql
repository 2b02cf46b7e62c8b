-- Games that repeated an earlier one of their contest move for move, with the same players on the
-- same sides: such a note takes the place of the game, so that it is counted once and not played again.

CREATE TABLE repeats (
    contest  BIGINT NOT NULL REFERENCES contests (id),
    number   BIGINT NOT NULL, -- of the game, within the contest
    repeated BIGINT NOT NULL, -- the number of the game it repeats
    PRIMARY KEY (contest, number)
);
