-- Partial like the other indexes of lists, so that recording a change does not write to it.
DROP INDEX changes_at_idx;
CREATE INDEX changes_at_idx ON changes (at) WHERE position IS NOT NULL;
