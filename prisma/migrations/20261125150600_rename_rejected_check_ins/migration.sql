-- The event gets the word that everything else uses: check-ins are rejected.
UPDATE changes SET type = 'check_in.rejected' WHERE type = 'check_in.refused';
UPDATE webhook_endpoints SET events = array_replace(events, 'check_in.refused', 'check_in.rejected')
  WHERE 'check_in.refused' = ANY (events);
UPDATE webhook_messages SET type = 'check_in.rejected' WHERE type = 'check_in.refused';
