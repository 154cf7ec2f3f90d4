-- An order that is paid late keeps the price that it was promised, even if its discount code has been used up meanwhile. Such
-- uses are counted in `uses` and, as long as they exceed max_uses, also in `late_uses`. New orders still cannot exceed it.
ALTER TABLE discount_codes
  ADD COLUMN late_uses integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT discount_codes_never_overused,
  -- A code is never used more than max_uses times, except by orders that were paid late.
  ADD CONSTRAINT discount_codes_never_overused CHECK (uses >= 0 AND late_uses >= 0 AND uses <= max_uses + late_uses);
