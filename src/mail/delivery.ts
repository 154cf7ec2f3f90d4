import { setTimeout } from 'node:timers/promises';
import { redact } from '../auth/secrets.ts';
import type { Ctx } from '../context.ts';
import type { Mail } from '../db/generated/client.ts';
import { statement } from '../db/sql.ts';
import { consumeClientBudget, consumeMailBudget, holdBack, suppressFromClient } from './budget.ts';
import { MAX_CONCURRENT_DELIVERIES, type Transport, verdictOn } from './transport.ts';

/** Minutes from one attempt to the next, a good day in all; the first outlasts any attempt that is still under way. */
const PAUSES_MINUTES = [2, 5, 15, 60, 120, 240, 480, 720];
export const MOST_ATTEMPTS = PAUSES_MINUTES.length + 1;

/** What could not leave in that time is of no use any more, such as all that was kept while there was no server. */
export const LONGEST_WAIT_MS = 3 * 24 * 3_600_000;

/** So many failed attempts keep later mails to the same recipient waiting: a quarter of an hour, then they pass. */
const MAX_ATTEMPTS_IN_ORDER = 4;
const MAX_MAILS_PER_RUN = 1_000;
/** How often new mails are looked for while a slow one is under way. */
const POLL_INTERVAL_MS = 500;

/** One call of `deliver`. */
interface Run {
  ctx: Ctx;
  transport: Transport;
  sent: number;
  /** Whether the server took or refused any mail. */
  hasAnswer: boolean;
  unanswered: string[];
  timedOut: number;
  error?: unknown;
}

/**
 * Sends what waits, a bounded number of mails, and returns how many were sent: links to sign in first, then what is
 * essential, then the rest, oldest first; several at once, but one after the other to each recipient. Any number of
 * instances may do so at once: each mail is taken by one. A kill between the server's yes and ours sends that mail a
 * second time, never none.
 */
export async function deliver(
  ctx: Ctx,
  transport: Transport | undefined,
  signal?: AbortSignal,
): Promise<number> {
  if (transport === undefined) return 0;
  const run: Run = { ctx, transport, sent: 0, hasAnswer: false, unanswered: [], timedOut: 0 };
  const underway = new Set<Promise<void>>();
  try {
    for (let taken = 0; taken < MAX_MAILS_PER_RUN && !signal?.aborted && !isOver(run); ) {
      if (underway.size === MAX_CONCURRENT_DELIVERIES) {
        await Promise.race(underway);
        continue;
      }
      const mail = await take(ctx);
      if (mail) {
        taken += 1;
        const delivery = deliverOne(run, mail).finally(() => underway.delete(delivery));
        underway.add(delivery);
      } else if (underway.size > 0) await Promise.race([...underway, pause(signal)]);
      else break;
    }
  } finally {
    await Promise.all(underway);
  }
  await giveBackAttempts(run);
  if (run.error) throw run.error;
  return run.sent;
}

/** Whether nobody else's mail would fare better: the rest keeps its attempts. */
const isOver = ({ unanswered, timedOut, hasAnswer, error }: Run) =>
  error !== undefined ||
  unanswered.length > 0 ||
  (timedOut >= MAX_CONCURRENT_DELIVERIES && !hasAnswer);

const pause = (signal: AbortSignal | undefined) =>
  setTimeout(POLL_INTERVAL_MS, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(
    () => {},
  );

// The next attempt is put off before this one begins, and in one statement: that keeps everybody else from the same mail,
// however the attempt ends. What waits for an earlier mail to the same recipient is not considered.
const TAKE = statement(`
  WITH due AS (
    SELECT m.id FROM mails m
    WHERE m.status = 'waiting' AND m.next_attempt_at <= $1::timestamptz AND m.created_at > $3::timestamptz
      AND m.attempts <= cardinality($2::int[])
      AND NOT EXISTS (
        SELECT FROM mails earlier
        WHERE earlier.status = 'waiting' AND mail_recipient_key(earlier.recipient) = mail_recipient_key(m.recipient)
          AND earlier.priority = m.priority AND earlier.id < m.id
          AND earlier.attempts < ${MAX_ATTEMPTS_IN_ORDER} AND earlier.created_at > $3::timestamptz)
    ORDER BY m.priority, m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
  UPDATE mails SET attempts = attempts + 1,
    next_attempt_at = $1::timestamptz + ($2::int[])[least(attempts + 1, cardinality($2::int[]))] * interval '1 minute'
  FROM due WHERE mails.id = due.id
  RETURNING mails.id, recipient, priority, client_key AS "clientKey", subject, text, html, attempts`);

async function take({ sql, now }: Ctx): Promise<Mail | undefined> {
  const oldest = new Date(now().getTime() - LONGEST_WAIT_MS);
  const [mail] = await sql<Mail>(TAKE, [now(), PAUSES_MINUTES, oldest]);
  return mail;
}

/** Never throws: what went wrong besides the sending stands in the run. */
async function deliverOne(run: Run, mail: Mail): Promise<void> {
  const { ctx, transport } = run;
  try {
    // Counted once, however many attempts it takes.
    if (mail.attempts === 1) {
      if (!(await consumeClientBudget(ctx, mail))) return await suppressFromClient(ctx, mail);
      if (!(await consumeMailBudget(ctx, mail))) return await holdBack(ctx, mail);
    }
    const problem = await attempt(transport, mail);
    countAnswer(run, mail, problem);
    await note(ctx, mail, problem);
    if (problem) {
      // Without the message: it names the recipient. The panel shows it.
      const { code, responseCode } = problem as { code?: string; responseCode?: number };
      const { id, attempts } = mail;
      ctx.log.warn({ mail: id, attempts, code, responseCode }, 'a mail was not sent');
    }
  } catch (error) {
    run.error ??= error;
  }
}

async function attempt(transport: Transport, mail: Mail): Promise<Error | undefined> {
  try {
    await transport.send(mail);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function countAnswer(run: Run, { id }: Mail, problem: Error | undefined): void {
  const verdict = problem && verdictOn(problem);
  if (verdict === 'unreachable') run.unanswered.push(id);
  else if (verdict === 'timed out') run.timedOut += 1;
  else run.hasAnswer = true;
  if (verdict === undefined) run.sent += 1;
}

async function note({ db, now }: Ctx, mail: Mail, problem: Error | undefined): Promise<void> {
  const { id, text, html } = mail;
  if (problem === undefined) {
    // Who has the mail has the secrets in it; nobody else needs them.
    const kept = { text: redact(text), html: html === null ? null : redact(html) };
    await db.mail.update({
      where: { id },
      data: { ...kept, status: 'sent', sentAt: now(), lastError: null },
    });
  } else {
    const refused = verdictOn(problem) === 'refused';
    await db.mail.update({
      where: { id },
      data: {
        lastError: problem.message.slice(0, 500),
        ...(refused || mail.attempts >= MOST_ATTEMPTS
          ? { status: 'failed', attempts: MOST_ATTEMPTS }
          : {}),
      },
    });
  }
}

// One attempt stays counted: it says that the recipient's budget was consumed.
const GIVE_BACK = statement(`
  UPDATE mails SET status = 'waiting', attempts = greatest(attempts - 1, 1), next_attempt_at = $2::timestamptz
  WHERE id = ANY($1::uuid[]) AND status IN ('waiting', 'failed')`);

/** A server that answered nobody is down: that costs the mails time and no attempts. */
async function giveBackAttempts({ ctx, unanswered, hasAnswer }: Run): Promise<void> {
  if (hasAnswer || unanswered.length === 0) return;
  await ctx.write(GIVE_BACK, [unanswered, ctx.now()]);
}
