-- The job that emails people about closures finds what is left, however much was announced before.
CREATE INDEX closure_bookings_not_emailed_idx ON closure_bookings (closure_id) WHERE NOT emailed;
CREATE INDEX closure_recipients_not_emailed_idx ON closure_recipients (closure_id) WHERE NOT emailed;
