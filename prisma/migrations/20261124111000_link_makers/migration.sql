-- A link to set a staff password works only while the owner who made it is an owner. Null: made on the command line.
ALTER TABLE staff_links
  ADD COLUMN created_by_id uuid,
  ADD CONSTRAINT staff_links_created_by_id_fkey
    FOREIGN KEY (created_by_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE;
-- Finds the links of a person who is erased.
CREATE INDEX staff_links_created_by_id_idx ON staff_links (created_by_id);
-- The journal says who made the links that are open.
UPDATE staff_links link SET created_by_id = (
  SELECT maker.id FROM changes change JOIN users maker ON maker.id = change.actor_id
  WHERE change.subject_id = link.user_id AND change.actor_kind = 'staff'
    AND change.type IN ('staff.invited', 'staff.invitation_sent', 'staff.password_reset')
  ORDER BY change.sequence DESC LIMIT 1);

-- A new address that staff requested or approved counts as approved only while that person can change members. Null: the
-- current address approved it, or the command line.
ALTER TABLE member_email_changes
  ADD COLUMN approved_by_id uuid,
  ADD CONSTRAINT member_email_changes_approved_by_id_fkey
    FOREIGN KEY (approved_by_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE;
-- Finds the changes that an erased person approved.
CREATE INDEX member_email_changes_approved_by_id_idx ON member_email_changes (approved_by_id);
-- The journal says who requested or approved the changes that are open.
UPDATE member_email_changes pending SET approved_by_id = (
  SELECT maker.id FROM changes change JOIN users maker ON maker.id = change.actor_id
  WHERE change.subject_id = pending.member_id AND change.actor_kind = 'staff'
    AND change.type IN ('member.email_change_requested', 'member.email_change_approved')
  ORDER BY change.sequence DESC LIMIT 1)
WHERE approved_at IS NOT NULL;
