import { redact } from '../auth/secrets.ts';
import type { Ctx } from '../context.ts';
import type { Mail } from '../db/generated/client.ts';
import { statement } from '../db/sql.ts';
import { type Transport, verdictOn } from './transport.ts';

/** Minutes from one attempt to the next, a good day in all; the first outlasts any attempt that is still under way. */
const PAUSES_MINUTES = [2, 5, 15, 60, 120, 240, 480, 720];
export const MOST_ATTEMPTS = PAUSES_MINUTES.length + 1;

/** What could not leave in that time is of no use any more, such as all that was kept while there was no server. */
export const LONGEST_WAIT_MS = 3 * 24 * 3_600_000;

const MOST_AT_ONCE = 200;

/**
 * Sends what waits, oldest first, a bounded number of them; gives how many went out. Any number of instances may do so
 * at once: each mail is taken by one. A kill between the server's yes and ours sends that mail a second time, never none.
 */
export async function deliver(
  ctx: Ctx,
  transport: Transport | undefined,
  signal?: AbortSignal,
): Promise<number> {
  let sent = 0;
  if (transport === undefined) return sent;
  for (let taken = 0; taken < MOST_AT_ONCE && !signal?.aborted; taken += 1) {
    const mail = await take(ctx);
    if (mail === undefined) break;
    const problem = await attempt(transport, mail);
    await note(ctx, mail, problem);
    if (problem === undefined) sent += 1;
    else {
      ctx.log.warn({ mail: mail.id, attempts: mail.attempts, err: problem }, 'a mail was not sent');
      // Nobody else's mail would fare better: the rest keeps its attempts.
      if (verdictOn(problem) === 'unreachable') break;
    }
  }
  return sent;
}

// The next attempt is put off before this one begins, and in one statement: that keeps everybody else from the same mail,
// however the attempt ends.
const TAKE = statement(`
  WITH due AS (
    SELECT id FROM mails
    WHERE sent_at IS NULL AND due_at <= $1::timestamptz AND created_at > $3::timestamptz
      AND attempts <= cardinality($2::int[])
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE mails SET attempts = attempts + 1,
    due_at = $1::timestamptz + ($2::int[])[least(attempts + 1, cardinality($2::int[]))] * interval '1 minute'
  FROM due WHERE mails.id = due.id
  RETURNING mails.id, recipient, subject, text, html, attempts`);

async function take({ sql, now }: Ctx): Promise<Mail | undefined> {
  const oldest = new Date(now().getTime() - LONGEST_WAIT_MS);
  const [mail] = await sql<Mail>(TAKE, [now(), PAUSES_MINUTES, oldest]);
  return mail;
}

async function attempt(transport: Transport, mail: Mail): Promise<Error | undefined> {
  try {
    await transport.send(mail);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function note({ db, now }: Ctx, mail: Mail, problem: Error | undefined): Promise<void> {
  const { id, text, html } = mail;
  if (problem === undefined) {
    // Who has the mail has the secrets in it; nobody else needs them.
    const kept = { text: redact(text), html: html === null ? null : redact(html) };
    await db.mail.update({ where: { id }, data: { ...kept, sentAt: now(), problem: null } });
  } else {
    const refused = verdictOn(problem) === 'refused';
    await db.mail.update({
      where: { id },
      data: {
        problem: problem.message.slice(0, 500),
        ...(refused ? { attempts: MOST_ATTEMPTS } : {}),
      },
    });
  }
}
