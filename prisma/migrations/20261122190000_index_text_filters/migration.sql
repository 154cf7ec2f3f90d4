-- Filters that read every row of a list when few rows match. test/db/query-plans.test.ts checks each filter of each list.

-- Parts of names, addresses, subjects and codes
CREATE INDEX tickets_attendee_search_idx ON tickets USING gin (attendee_name gin_trgm_ops, attendee_email gin_trgm_ops);
CREATE INDEX day_passes_holder_search_idx ON day_passes USING gin (holder_name gin_trgm_ops, holder_email gin_trgm_ops);
CREATE INDEX mails_search_idx ON mails USING gin (recipient gin_trgm_ops, subject gin_trgm_ops);
CREATE INDEX displays_name_search_idx ON displays USING gin (name gin_trgm_ops);
CREATE INDEX teams_name_search_idx ON teams USING gin (name gin_trgm_ops);
CREATE INDEX discount_codes_code_search_idx ON discount_codes USING gin (code gin_trgm_ops);

-- Values of enums, in the usual order of the list
CREATE INDEX check_ins_subject_created_at_id_idx ON check_ins (subject, created_at, id);
CREATE INDEX displays_kind_name_id_idx ON displays (kind, name, id);
CREATE INDEX mails_priority_created_at_id_idx ON mails (priority, created_at, id);
