-- Names sort as people expect, whatever the locale of the database is: accents and case decide last, and numbers by their
-- value. Indexes of these columns are rebuilt, the tables are not.
-- The embedded database does not know the newer form, und-u-kn.
CREATE COLLATION names (provider = icu, locale = '@colNumeric=yes');

DROP TRIGGER events_record_content_change ON events;
DROP TRIGGER resources_record_content_change ON resources;
DROP TRIGGER locations_record_content_change ON locations;
DROP TRIGGER members_record_content_change ON members;

ALTER TABLE users ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE members ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE teams ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE plans ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE locations ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE resources ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE displays ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE api_tokens ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE day_pass_types ALTER COLUMN name TYPE text COLLATE names;
ALTER TABLE events ALTER COLUMN title TYPE text COLLATE names;
ALTER TABLE tickets ALTER COLUMN attendee_name TYPE text COLLATE names;

-- The triggers as before: PostgreSQL does not change the type of a column that a trigger names.
CREATE TRIGGER events_record_content_change
  AFTER INSERT OR DELETE OR UPDATE OF slug, title, summary, status, location_id, resource_id, starts_at, ends_at ON events
  FOR EACH ROW EXECUTE FUNCTION record_content_change();
CREATE TRIGGER resources_record_content_change AFTER UPDATE OF name ON resources
  FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION record_content_change();
CREATE TRIGGER locations_record_content_change AFTER UPDATE OF name, time_zone ON locations
  FOR EACH ROW EXECUTE FUNCTION record_content_change_of_location();
CREATE TRIGGER members_record_content_change AFTER UPDATE OF name ON members
  FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION record_content_change_of_member();
COMMENT ON TRIGGER events_record_content_change ON events IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
COMMENT ON TRIGGER resources_record_content_change ON resources IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
COMMENT ON TRIGGER locations_record_content_change ON locations IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
COMMENT ON TRIGGER members_record_content_change ON members IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';

-- A column of another type has lost its statistics, and plans of searches depend on them.
ANALYZE users, members, teams, plans, locations, resources, displays, api_tokens, day_pass_types, events, tickets;
