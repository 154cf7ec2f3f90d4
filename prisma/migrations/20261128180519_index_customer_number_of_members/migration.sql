-- Runs beside: 0.2.0

-- Two members never have one customer number. Reads go on beside this migration, as they could not while the table is altered.
CREATE UNIQUE INDEX IF NOT EXISTS "members_customer_number_key" ON "members"("customer_number");
