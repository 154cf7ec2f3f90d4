-- CreateTable
CREATE TABLE "erasures" (
    "id" UUID NOT NULL,
    "user_id" UUID,
    "reason" TEXT,
    "counts" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "retention_settings" (
    "policy" TEXT NOT NULL,
    "days" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retention_settings_pkey" PRIMARY KEY ("policy")
);

-- CreateIndex
CREATE INDEX "erasures_created_at_id_idx" ON "erasures"("created_at", "id");

-- AddForeignKey
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma's language cannot say.
ALTER TABLE "retention_settings" ADD CONSTRAINT "retention_settings_days" CHECK ("days" BETWEEN 1 AND 36500);

-- No mail goes to the placeholder that stands for the address of an erased person, whatever statement writes it.
CREATE FUNCTION discard_mail_to_deleted_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
CREATE TRIGGER mails_reject_deleted_persons BEFORE INSERT ON "mails"
  FOR EACH ROW WHEN (NEW."recipient" LIKE '%@deleted.invalid') EXECUTE FUNCTION discard_mail_to_deleted_person();

-- The nightly purge finds what is due without reading what stays.
CREATE INDEX "provider_events_processed_idx" ON "provider_events" ("processed_at") WHERE "processed_at" IS NOT NULL;
CREATE INDEX "order_links_created_at_idx" ON "order_links" ("created_at");
CREATE INDEX "waitlist_entries_updated_at_idx" ON "waitlist_entries" ("updated_at");
CREATE INDEX "check_ins_named_idx" ON "check_ins" ("checked_out_at") WHERE "label" <> 'Deleted person' AND "checked_out_at" IS NOT NULL;
CREATE INDEX "bookings_with_texts_idx" ON "bookings" ("ends_at")
  WHERE "guest_name" <> 'Deleted person' OR num_nonnulls("guest_email", "title", "notes", "cancel_reason") > 0;

-- A person is found by the address on a ticket, a day pass or a booking.
CREATE INDEX "tickets_attendee_email_idx" ON "tickets" (lower("attendee_email")) WHERE "attendee_email" IS NOT NULL;
CREATE INDEX "day_passes_holder_email_idx" ON "day_passes" (lower("holder_email")) WHERE "holder_email" IS NOT NULL;
CREATE INDEX "bookings_guest_email_idx" ON "bookings" (lower("guest_email")) WHERE "guest_email" IS NOT NULL;
