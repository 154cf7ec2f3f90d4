-- Runs beside: 0.2.0

-- Long periods of changes in the order of the journal are read week by week. See toWeekSql.
CREATE INDEX IF NOT EXISTS changes_week_position_idx ON changes (date_bin('7 days', at, '2001-01-01T00:00:00Z'::timestamptz), position)
  WHERE position IS NOT NULL;
