-- Runs beside: 0.2.0

-- Check-outs and rejected attempts are deleted after weeks, so in lists of visits they come after years of others. Admissions do not pay for it.
CREATE INDEX IF NOT EXISTS check_ins_rare_occurred_at_idx ON check_ins (result, occurred_at, id) WHERE result <> 'admitted';
CREATE INDEX IF NOT EXISTS check_ins_location_rare_created_at_idx ON check_ins (location_id, result, created_at, id) WHERE result <> 'admitted';
CREATE INDEX IF NOT EXISTS check_ins_location_rare_occurred_at_idx ON check_ins (location_id, result, occurred_at, id) WHERE result <> 'admitted';
