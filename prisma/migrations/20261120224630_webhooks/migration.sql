-- AlterTable
ALTER TABLE "display_status_changes" ADD COLUMN     "told_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[],
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_messages" (
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "problem" TEXT,
    "took_ms" INTEGER NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_news" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "noted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "webhook_news_pkey" PRIMARY KEY ("noted_at","id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_created_at_id_idx" ON "webhook_endpoints"("created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_messages_created_at_idx" ON "webhook_messages"("created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_message_id_idx" ON "webhook_deliveries"("message_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_message_id_key" ON "webhook_deliveries"("endpoint_id", "message_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_delivery_id_at_idx" ON "webhook_attempts"("delivery_id", "at");

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "webhook_messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma's schema language cannot say.

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_disabled" CHECK (("disabled_at" IS NULL) = ("disabled_reason" IS NULL));
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_previous_secret" CHECK (("previous_secret" IS NULL) = ("previous_secret_until" IS NULL));
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_delivered" CHECK ("delivered_at" IS NULL OR "due_at" IS NULL);

-- What timed work looks for.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "display_status_changes_untold_idx" ON "display_status_changes" ("noted_at") WHERE "told_at" IS NULL;

-- What happens to orders, tickets and day passes is noted in the transaction in which it happens, so that none of the
-- statements that write them has to know of webhooks; timed work tells it. Where nobody awaits it, nothing is noted. The
-- first argument of a trigger is what happened, and all of them are the names under which somebody may await it.
CREATE FUNCTION note_news() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE happened_at timestamptz;
BEGIN
  IF EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL AND events && TG_ARGV) THEN
    IF TG_TABLE_NAME = 'refunds' THEN happened_at := NEW.done_at; ELSE happened_at := NEW.updated_at; END IF;
    INSERT INTO webhook_news (type, subject_id, at) VALUES (TG_ARGV[0], NEW.id, happened_at);
  END IF;
  RETURN NULL;
END $$;

-- An offer from the waiting list is an order too; whoever tells it knows which of the two it is.
CREATE TRIGGER orders_placed AFTER INSERT ON "orders"
  FOR EACH ROW WHEN (NEW."status" = 'pending') EXECUTE FUNCTION note_news('order.placed', 'order.offered', 'order.*', '*');
CREATE TRIGGER orders_confirmed_at_once AFTER INSERT ON "orders"
  FOR EACH ROW WHEN (NEW."status" = 'paid') EXECUTE FUNCTION note_news('order.confirmed', 'order.*', '*');
CREATE TRIGGER orders_confirmed AFTER UPDATE OF "status" ON "orders"
  FOR EACH ROW WHEN (OLD."status" <> 'paid' AND NEW."status" = 'paid') EXECUTE FUNCTION note_news('order.confirmed', 'order.*', '*');
CREATE TRIGGER orders_cancelled AFTER UPDATE OF "status" ON "orders"
  FOR EACH ROW WHEN (OLD."status" <> 'cancelled' AND NEW."status" = 'cancelled') EXECUTE FUNCTION note_news('order.cancelled', 'order.*', '*');
CREATE TRIGGER orders_expired AFTER UPDATE OF "status" ON "orders"
  FOR EACH ROW WHEN (OLD."status" <> 'expired' AND NEW."status" = 'expired') EXECUTE FUNCTION note_news('order.expired', 'order.*', '*');

-- A refund is told once the money has gone back.
CREATE TRIGGER refunds_made_elsewhere AFTER INSERT ON "refunds"
  FOR EACH ROW WHEN (NEW."status" = 'done') EXECUTE FUNCTION note_news('order.refunded', 'order.*', '*');
CREATE TRIGGER refunds_done AFTER UPDATE OF "status" ON "refunds"
  FOR EACH ROW WHEN (OLD."status" <> 'done' AND NEW."status" = 'done') EXECUTE FUNCTION note_news('order.refunded', 'order.*', '*');

-- What is held is not issued yet; who gets one from somebody else gets it with a new code.
CREATE TRIGGER tickets_issued_at_once AFTER INSERT ON "tickets"
  FOR EACH ROW WHEN (NEW."status" = 'valid') EXECUTE FUNCTION note_news('ticket.issued', 'ticket.*', '*');
CREATE TRIGGER tickets_issued AFTER UPDATE OF "status" ON "tickets"
  FOR EACH ROW WHEN (OLD."status" <> 'valid' AND NEW."status" = 'valid') EXECUTE FUNCTION note_news('ticket.issued', 'ticket.*', '*');
CREATE TRIGGER tickets_cancelled AFTER UPDATE OF "status" ON "tickets"
  FOR EACH ROW WHEN (OLD."status" <> 'cancelled' AND NEW."status" = 'cancelled') EXECUTE FUNCTION note_news('ticket.cancelled', 'ticket.*', '*');
CREATE TRIGGER tickets_transferred AFTER UPDATE OF "code" ON "tickets"
  FOR EACH ROW WHEN (OLD."code" <> NEW."code") EXECUTE FUNCTION note_news('ticket.transferred', 'ticket.*', '*');
CREATE TRIGGER tickets_updated AFTER UPDATE OF "attendee_name", "attendee_email" ON "tickets"
  FOR EACH ROW WHEN (OLD."code" = NEW."code"
    AND (OLD."attendee_name", OLD."attendee_email") IS DISTINCT FROM (NEW."attendee_name", NEW."attendee_email"))
  EXECUTE FUNCTION note_news('ticket.updated', 'ticket.*', '*');

CREATE TRIGGER day_passes_issued_at_once AFTER INSERT ON "day_passes"
  FOR EACH ROW WHEN (NEW."status" = 'valid') EXECUTE FUNCTION note_news('day_pass.issued', 'day_pass.*', '*');
CREATE TRIGGER day_passes_issued AFTER UPDATE OF "status" ON "day_passes"
  FOR EACH ROW WHEN (OLD."status" <> 'valid' AND NEW."status" = 'valid') EXECUTE FUNCTION note_news('day_pass.issued', 'day_pass.*', '*');
CREATE TRIGGER day_passes_cancelled AFTER UPDATE OF "status" ON "day_passes"
  FOR EACH ROW WHEN (OLD."status" <> 'cancelled' AND NEW."status" = 'cancelled') EXECUTE FUNCTION note_news('day_pass.cancelled', 'day_pass.*', '*');
CREATE TRIGGER day_passes_transferred AFTER UPDATE OF "code" ON "day_passes"
  FOR EACH ROW WHEN (OLD."code" <> NEW."code") EXECUTE FUNCTION note_news('day_pass.transferred', 'day_pass.*', '*');
CREATE TRIGGER day_passes_updated AFTER UPDATE OF "holder_name", "holder_email" ON "day_passes"
  FOR EACH ROW WHEN (OLD."code" = NEW."code"
    AND (OLD."holder_name", OLD."holder_email") IS DISTINCT FROM (NEW."holder_name", NEW."holder_email"))
  EXECUTE FUNCTION note_news('day_pass.updated', 'day_pass.*', '*');
