-- Every order in which a list can be sorted has an index, and so have the lists that belong to another row.

-- Members and teams
CREATE INDEX teams_created_at_id_idx ON teams (created_at, id);
CREATE INDEX members_created_at_id_idx ON members (created_at, id);
-- The members of a team by name. Replaces the index of the team alone.
CREATE INDEX members_team_id_name_id_idx ON members (team_id, name, id);
DROP INDEX members_team_id_idx;

-- Plans and memberships
CREATE INDEX plans_created_at_id_idx ON plans (created_at, id);
CREATE INDEX memberships_created_at_id_idx ON memberships (created_at, id);
-- Memberships that end within some days.
CREATE INDEX memberships_ends_on_idx ON memberships (ends_on) WHERE ends_on IS NOT NULL;
-- The bookings of a membership by start.
CREATE INDEX bookings_membership_idx ON bookings (membership_id, starts_at, id) WHERE membership_id IS NOT NULL;

-- Locations and resources
CREATE INDEX locations_name_id_idx ON locations (name, id);
CREATE INDEX locations_created_at_id_idx ON locations (created_at, id);
CREATE INDEX resources_name_id_idx ON resources (name, id);
CREATE INDEX resources_capacity_id_idx ON resources (capacity, id);
CREATE INDEX resources_created_at_id_idx ON resources (created_at, id);

-- Staff: most users are members, which the list of staff leaves out
CREATE INDEX users_staff_name_idx ON users (name, id) WHERE role IS NOT NULL;
CREATE INDEX users_staff_created_at_idx ON users (created_at, id) WHERE role IS NOT NULL;

-- API tokens, erasures and calendar feeds. The index of tokens by creator replaces that of the creator alone.
CREATE INDEX api_tokens_name_id_idx ON api_tokens (name, id);
CREATE INDEX api_tokens_created_by_id_created_at_id_idx ON api_tokens (created_by_id, created_at, id);
DROP INDEX api_tokens_created_by_id_idx;
CREATE INDEX erasures_user_id_created_at_id_idx ON erasures (user_id, created_at, id);
CREATE INDEX calendar_feeds_created_at_id_idx ON calendar_feeds (created_at, id);

-- Deliveries of all webhooks, and those that have not arrived
CREATE INDEX webhook_deliveries_created_at_id_idx ON webhook_deliveries (created_at, id);
CREATE INDEX webhook_deliveries_undelivered_idx ON webhook_deliveries (created_at, id) WHERE delivered_at IS NULL;
CREATE INDEX webhook_deliveries_endpoint_undelivered_idx ON webhook_deliveries (endpoint_id, created_at, id)
  WHERE delivered_at IS NULL;

-- Emails that were not sent
CREATE INDEX mails_unsent_idx ON mails (created_at, id) WHERE sent_at IS NULL;
-- The emails to one address.
CREATE INDEX mails_recipient_idx ON mails (lower(recipient), created_at, id);
