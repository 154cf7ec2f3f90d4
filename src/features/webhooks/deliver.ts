import { setTimeout } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';
import type { Answer, WebhookTransport } from '../../webhooks/transport.ts';
import { isOwnerActive } from './ownership.ts';
import { LEASE_SECONDS, MOST_ATTEMPTS, PAUSES_SECONDS } from './pauses.ts';
import { bodyOf, signed } from './signing.ts';

const MOST_AT_ONCE = 40;
/** However much waits for one that answers slowly, the others have their turn. */
const MOST_AT_ONCE_EACH = 2;
/** While something is under way, others may come. */
const LOOK_AGAIN_MS = 500;
/** What is left then is for the next run. */
const LONGEST_RUN_MS = 120_000;

/**
 * Delivers what is due; gives how much arrived. Any number of instances may do so at once: each delivery is taken by
 * one. A kill between the receiver's yes and ours sends that message a second time, with the same id, never none.
 */
export async function deliver(
  ctx: Ctx,
  transport: WebhookTransport | undefined,
  stopping?: AbortSignal,
): Promise<number> {
  if (transport === undefined) return 0;
  const underWay = new Map<Promise<void>, string>();
  const end = performance.now() + LONGEST_RUN_MS;
  const goesOn = () => !stopping?.aborted && performance.now() < end;
  let delivered = 0;
  const begin = (one: Due) => {
    const work = attempt(ctx, transport, one, stopping)
      .then((arrived) => {
        if (arrived) delivered += 1;
      })
      .catch((error) => ctx.log.warn({ err: error, delivery: one.id }, 'a webhook was not noted'))
      .finally(() => underWay.delete(work));
    underWay.set(work, one.endpointId);
  };
  for (;;) {
    while (goesOn() && underWay.size < MOST_AT_ONCE) {
      const one = await take(ctx, busy([...underWay.values()]));
      if (one === undefined) break;
      begin(one);
    }
    if (underWay.size === 0) return delivered;
    const look = new AbortController();
    const pause = setTimeout(LOOK_AGAIN_MS, undefined, { signal: look.signal }).catch(() => {});
    await Promise.race([...underWay.keys(), ...(goesOn() ? [pause] : [])]);
    look.abort();
  }
}

/** Those that have as much to do as they may. */
const busy = (endpoints: string[]) =>
  [...new Set(endpoints)].filter(
    (id) => endpoints.filter((other) => other === id).length >= MOST_AT_ONCE_EACH,
  );

interface Due {
  id: string;
  endpointId: string;
  messageId: string;
  attempts: number;
  url: string;
  secret: string;
  /** Signs too. */
  previousSecret: string | null;
  type: string;
  payload: unknown;
  createdAt: Date;
  /** Until when this instance has it. */
  lease: Date;
}

// The next attempt is put off before this one begins, and in one statement: that keeps everybody else from the same
// delivery, however the attempt ends.
const TAKE = statement(`
  WITH due AS (
    SELECT d.id, e.url, e.secret, CASE WHEN e.previous_secret_until > $1::timestamptz THEN e.previous_secret END AS previous
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.next_attempt_at <= $1::timestamptz AND e.disabled_at IS NULL AND ${isOwnerActive('e', '$1::timestamptz')}
      AND d.endpoint_id <> ALL ($3::uuid[])
    ORDER BY d.next_attempt_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
  UPDATE webhook_deliveries d SET attempts = d.attempts + 1, next_attempt_at = $2::timestamptz
  FROM due, webhook_messages m WHERE d.id = due.id AND m.id = d.message_id
  RETURNING d.id, d.endpoint_id AS "endpointId", d.message_id AS "messageId", d.attempts,
    due.url, due.secret, due.previous AS "previousSecret", m.type, m.payload, m.created_at AS "createdAt"`);

async function take({ sql, now }: Ctx, busy: string[]): Promise<Due | undefined> {
  const lease = secondsAfter(now(), LEASE_SECONDS);
  const [due] = await sql<Omit<Due, 'lease'>>(TAKE, [now(), lease, busy]);
  return due && { ...due, lease };
}

async function attempt(
  ctx: Ctx,
  transport: WebhookTransport,
  due: Due,
  stopping?: AbortSignal,
): Promise<boolean> {
  const at = ctx.now();
  const body = bodyOf(due);
  const secrets = [due.secret, ...(due.previousSecret === null ? [] : [due.previousSecret])];
  const headers = signed({ id: due.messageId, at, body }, secrets);
  const began = performance.now();
  const answer = await transport.post({ url: due.url, headers, body }, stopping);
  const durationMs = Math.round(performance.now() - began);
  if ('problem' in answer && stopping?.aborted) {
    await putBack(ctx, due);
    return false;
  }
  const { status, problem } = verdictOn(answer);
  await note(ctx, due, { at, status, problem, durationMs });
  if (status === 410) await disableGone(ctx, due);
  if (problem === null) return true;
  const { id, endpointId: webhook, attempts } = due;
  ctx.log.warn({ delivery: id, webhook, attempts, problem }, 'a webhook was not delivered');
  return false;
}

function verdictOn(answer: Answer): { status: number | null; problem: string | null } {
  if ('problem' in answer) return { status: null, problem: answer.problem };
  const { status } = answer;
  if (status >= 200 && status < 300) return { status, problem: null };
  if (status >= 300 && status < 400) {
    const problem = `It answered ${status}, a redirect, and those are not followed. Give the address it leads to.`;
    return { status, problem };
  }
  if (status === 410) return { status, problem: 'It answered 410: it wants no more of this.' };
  return { status, problem: `It answered ${status}.` };
}

// Whoever has replayed or taken it over meanwhile decides what becomes of it; the attempt is in the log anyhow.
const NOTE = statement(`
  WITH noted AS (
    UPDATE webhook_deliveries SET next_attempt_at = $3::timestamptz, delivered_at = $4::timestamptz
    WHERE id = $1::uuid AND next_attempt_at = $2::timestamptz)
  INSERT INTO webhook_attempts (id, delivery_id, at, status, error, duration_ms)
  SELECT $5::uuid, id, $6::timestamptz, $7::int, $8::text, $9::int
  FROM webhook_deliveries WHERE id = $1::uuid FOR KEY SHARE`);

interface Attempt {
  at: Date;
  status: number | null;
  problem: string | null;
  durationMs: number;
}

async function note(ctx: Ctx, { id, lease, attempts }: Due, done: Attempt): Promise<void> {
  const { at, status, problem, durationMs } = done;
  const now = ctx.now();
  const pause = PAUSES_SECONDS[attempts - 1];
  const isOver = problem === null || status === 410 || attempts >= MOST_ATTEMPTS;
  const next = isOver || pause === undefined ? null : secondsAfter(now, pause);
  const delivered = problem === null ? now : null;
  await ctx.write(NOTE, [id, lease, next, delivered, v7(), at, status, problem, durationMs]);
}

const PUT_BACK = statement(`
  UPDATE webhook_deliveries SET next_attempt_at = $3::timestamptz, attempts = attempts - 1
  WHERE id = $1::uuid AND next_attempt_at = $2::timestamptz`);

/** The service stops: that was no attempt. */
const putBack = (ctx: Ctx, { id, lease }: Due) => ctx.write(PUT_BACK, [id, lease, ctx.now()]);

/** Unless it was told another address meanwhile. */
const disableGone = ({ db, now }: Ctx, { endpointId: id, url }: Due) =>
  db.webhookEndpoint.updateMany({
    where: { id, url, disabledAt: null },
    data: {
      disabledAt: now(),
      disabledReason: 'It answered 410, which means that it wants no more messages.',
      updatedAt: now(),
    },
  });

const secondsAfter = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1_000);
