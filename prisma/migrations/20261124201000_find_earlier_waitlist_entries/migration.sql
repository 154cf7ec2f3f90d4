-- Finds when an address that joins a waiting list again got the last email, also if its entry has ended.
CREATE INDEX waitlist_entries_ticket_type_id_email_idx ON waitlist_entries (ticket_type_id, email);
