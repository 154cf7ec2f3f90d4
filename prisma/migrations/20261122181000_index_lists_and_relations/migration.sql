-- Each order in which a list can be sorted, with the id, so that every page costs the same.
CREATE INDEX events_created_at_id_idx ON events (created_at, id);
CREATE INDEX events_title_id_idx ON events (title, id);
CREATE INDEX tickets_created_at_id_idx ON tickets (created_at, id);
CREATE INDEX tickets_attendee_name_id_idx ON tickets (attendee_name, id);
CREATE INDEX day_passes_created_at_id_idx ON day_passes (created_at, id);
CREATE INDEX day_passes_valid_on_id_idx ON day_passes (valid_on, id);
CREATE INDEX payments_created_at_id_idx ON payments (created_at, id);
CREATE INDEX check_ins_occurred_at_id_idx ON check_ins (occurred_at, id);
CREATE INDEX displays_created_at_id_idx ON displays (created_at, id);
CREATE INDEX announcements_starts_at_id_idx ON announcements (starts_at, id);

-- The lists of a parent in their usual order. They replace indexes on the parent alone.
CREATE INDEX events_resource_id_starts_at_id_idx ON events (resource_id, starts_at, id);
CREATE INDEX orders_event_id_created_at_id_idx ON orders (event_id, created_at, id);
DROP INDEX orders_member_id_idx;
CREATE INDEX orders_member_id_created_at_id_idx ON orders (member_id, created_at, id);
CREATE INDEX orders_discount_code_id_idx ON orders (discount_code_id, created_at, id)
  WHERE discount_code_id IS NOT NULL;
DROP INDEX tickets_event_id_idx;
CREATE INDEX tickets_event_id_created_at_id_idx ON tickets (event_id, created_at, id);
DROP INDEX tickets_ticket_type_id_idx;
CREATE INDEX tickets_ticket_type_id_created_at_id_idx ON tickets (ticket_type_id, created_at, id);
DROP INDEX discount_codes_event_id_idx;
CREATE INDEX discount_codes_event_id_created_at_id_idx ON discount_codes (event_id, created_at, id);
CREATE INDEX waitlist_entries_member_id_idx ON waitlist_entries (member_id, created_at, id)
  WHERE member_id IS NOT NULL;
DROP INDEX displays_location_id_idx;
CREATE INDEX displays_location_id_name_id_idx ON displays (location_id, name, id);
CREATE INDEX displays_resource_id_name_id_idx ON displays (resource_id, name, id);
