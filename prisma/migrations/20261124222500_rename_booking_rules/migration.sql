-- The columns get the names that both APIs use.
ALTER TABLE resources RENAME COLUMN slot_interval_minutes TO grid_minutes;
ALTER TABLE resources RENAME COLUMN min_notice_minutes TO notice_minutes;
ALTER TABLE resources RENAME COLUMN max_advance_days TO days_ahead;
ALTER TABLE day_pass_types RENAME COLUMN max_advance_days TO days_ahead;
