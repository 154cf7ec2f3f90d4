-- Lists of one owner read the rows of the owner in the order of the list. Without these indexes, each page of a location or a room
-- with a long history would sort all of its rows.
CREATE INDEX bookings_location_id_created_at_id_idx ON bookings (location_id, created_at, id);
CREATE INDEX bookings_resource_id_created_at_id_idx ON bookings (resource_id, created_at, id);
CREATE INDEX check_ins_location_id_occurred_at_id_idx ON check_ins (location_id, occurred_at, id);
CREATE INDEX displays_location_id_created_at_id_idx ON displays (location_id, created_at, id);
