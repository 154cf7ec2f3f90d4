-- Attachments of emails. Tickets are rendered when the email is sent, so only their ids are stored.
ALTER TABLE mails ADD COLUMN attachments jsonb NOT NULL DEFAULT '[]';
-- The purge job removes calendar files, which can name people, from emails that are no longer sent.
CREATE INDEX mails_attachment_content_idx ON mails (created_at) WHERE attachments @? '$[*].content';
