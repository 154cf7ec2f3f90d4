-- The job that emails holders of bookings within closures finds what is left, however many bookings were announced before.
CREATE INDEX closure_bookings_not_emailed_idx ON closure_bookings (closure_id) WHERE NOT emailed;
