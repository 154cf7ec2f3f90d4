import { can, canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { InputOf } from '../../../core/validation.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { MAX_EMAIL_ATTEMPTS } from '../../../integrations/email/delivery-worker.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';
import { getPlan } from '../../plans/service/plans.ts';
import {
  type Audience,
  countRecipients,
  findFirstRecipients,
  type Recipient,
} from '../audience.ts';
import type { createMailingInput, previewMailingInput } from '../inputs.ts';
import { countMailsByStatus } from '../mail-counts.ts';
import { describeAudience, type RenderedMailing, renderMailing, toStopLink } from '../render.ts';
import type { Mailing } from '../types.ts';

interface MailingFilter extends CreationFilter {
  status?: readonly Mailing['status'][] | undefined;
  audience?: Mailing['audience'] | undefined;
  eventId?: string | undefined;
  planId?: string | undefined;
  locationId?: string | undefined;
}

/** Mailings, newest first. For viewers with mailings:read. */
export const mailingList: RowList<Mailing, MailingFilter, 'CREATED_AT'> = {
  name: 'mailings',
  table: 'mailings',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (
    row,
    { status, audience, eventId, planId, locationId, ...creation },
    { viewer, bind },
  ) => [
    ...(canSeeAll(viewer, 'mailings:read') ? [] : ['false']),
    ...(status ? [matchEnum(`${row}.status`, status)] : []),
    ...(audience ? [matchEnum(`${row}.audience`, [audience])] : []),
    ...(eventId ? [`${row}.event_id = ${bind(eventId, 'uuid')}`] : []),
    ...(planId ? [`${row}.plan_id = ${bind(planId, 'uuid')}`] : []),
    ...(locationId ? [`${row}.location_id = ${bind(locationId, 'uuid')}`] : []),
    ...matchCreation(row, creation, bind),
  ],
  findByIds: findMailings,
};

async function findMailings(ctx: Context, ids: string[]): Promise<Mailing[]> {
  const rows = await ctx.db.mailing.findMany({
    where: { id: { in: ids } },
    include: { createdBy: { select: { name: true } } },
  });
  // The counts of the others are stored, and their emails may have been deleted since.
  const open = rows.filter(({ sentCount }) => sentCount === null).map(({ id }) => id);
  const counts = await countMailsByStatus(ctx, open);
  return rows.map(
    ({ cursor, writtenAt, createdById, createdBy, sentCount, failedCount, ...row }) => {
      const { sent = 0, failed = 0, waiting = 0 } = counts.get(row.id) ?? {};
      return {
        ...row,
        sentCount: sentCount ?? sent,
        failedCount: failedCount ?? failed,
        waitingCount: waiting,
        author: createdBy?.name ?? null,
      };
    },
  );
}

/** Gets a mailing. @throws NOT_FOUND */
export async function getMailing(ctx: Context, id: string): Promise<Mailing> {
  const [mailing] =
    isUuid(id) && canSeeAll(ctx.viewer, 'mailings:read') ? await findMailings(ctx, [id]) : [];
  if (mailing === undefined) throw notFound('mailing');
  return mailing;
}

const SAMPLE_SIZE = 10;

export interface MailingPreview extends RenderedMailing {
  recipients: number;
  /** The first recipients by name. Null if the viewer cannot read them. */
  sample: Pick<Recipient, 'name' | 'email'>[] | null;
}

/**
 * Shows what `createMailing` would send and to how many mailboxes, without sending. The text is that for the first recipient.
 *
 * @throws NOT_FOUND for the event, plan or location
 */
export async function previewMailing(
  ctx: Context,
  input: InputOf<typeof previewMailingInput>,
): Promise<MailingPreview> {
  const audience = await findAudience(ctx, input);
  const frame = await describeAudience(ctx, audience);
  const recipients = await countRecipients(ctx, audience);
  const canReadNames = can(
    ctx.viewer,
    audience.audience === 'attendees' ? 'orders:read' : 'members:read',
  );
  const sample = canReadNames ? await findFirstRecipients(ctx, audience, SAMPLE_SIZE) : null;
  const isToMembers = audience.audience === 'members';
  const name = isToMembers ? (sample?.[0]?.name ?? null) : null;
  const link = isToMembers
    ? toStopLink(frame.texts, `${ctx.baseUrl}/email-preferences`)
    : undefined;
  return { ...renderMailing(input, frame, name, link), recipients, sample };
}

/** The audience now. @throws NOT_FOUND for the event, plan or location */
async function findAudience(
  ctx: Context,
  input: InputOf<typeof previewMailingInput>,
): Promise<Audience> {
  const { audience, eventId = null, planId = null, locationId = null } = input;
  if (planId !== null) await getPlan(ctx, planId);
  return { audience, eventId, planId, locationId, at: ctx.now() };
}

/** How much the number of recipients can have grown since the preview, in percent. */
const ACCEPTED_GROWTH_PERCENT = 10;

/**
 * Starts a mailing. A job writes the emails and finishes the mailing.
 *
 * @throws NOT_FOUND for the event, plan or location; CONFLICT: NO_RECIPIENTS; RECIPIENTS_GREW, with `recipients`, if there
 *   are more than 10 % more recipients than expected
 *
 * @example
 * await createMailing(ctx, {
 *   ...{ audience: 'attendees', eventId, subject: 'A change of rooms', body: 'We meet upstairs.' },
 *   expectedRecipients: 40,
 * });
 */
export async function createMailing(
  ctx: Context,
  { expectedRecipients, ...input }: InputOf<typeof createMailingInput>,
): Promise<Mailing> {
  const { at, ...audience } = await findAudience(ctx, input);
  await describeAudience(ctx, audience);
  const recipientCount = await countRecipients(ctx, { ...audience, at });
  assertExpected(recipientCount, expectedRecipients);
  const { viewer } = ctx;
  const id = await runInTransaction(ctx, async (ctx) => {
    const { id } = await ctx.db.mailing.create({
      data: {
        subject: input.subject,
        body: input.body,
        ...audience,
        recipientCount,
        createdById: viewer.kind === 'staff' ? viewer.id : null,
        createdAt: at,
      },
      select: { id: true },
    });
    await recordCreated(ctx, 'mailing.created', [id]);
    await ctx.triggerJob?.(ctx, 'mailings.send');
    return id;
  });
  return loadMailing(ctx, id);
}

function assertExpected(recipients: number, expected: number): void {
  if (recipients === 0) {
    throw new DomainError('CONFLICT', 'Nobody would get this mailing. Choose another audience.', {
      reason: 'NO_RECIPIENTS',
    });
  }
  if (recipients * 100 <= expected * (100 + ACCEPTED_GROWTH_PERCENT)) return;
  throw new DomainError(
    'CONFLICT',
    `${recipients} people would get this mailing, but ${expected} were expected. Check the preview again.`,
    { reason: 'RECIPIENTS_GREW', recipients },
  );
}

// Emails that were attempted stay in the log. One that is being sent at this moment becomes sent if the server accepts it.
const DELETE_UNATTEMPTED = prepareStatement(`
  DELETE FROM mails WHERE mailing_id = $1::uuid AND status = 'waiting' AND attempts = 0 RETURNING id`);
const STOP_RETRIES = prepareStatement(`
  UPDATE mails SET status = 'failed', attempts = ${MAX_EMAIL_ATTEMPTS}, last_error = 'The mailing was cancelled.'
  WHERE mailing_id = $1::uuid AND status = 'waiting' RETURNING id`);

/**
 * Cancels a mailing: no more emails are written, and those that wait are removed. Emails that were sent stay.
 *
 * @throws NOT_FOUND; CONFLICT, reason MAILING_ENDED
 */
export async function cancelMailing(ctx: Context, id: string): Promise<Mailing> {
  if (!isUuid(id)) throw notFound('mailing');
  await runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'mailing.cancelled', [id], async () => {
      const mailing = await ctx.db.mailing.findUnique({ where: { id }, select: { status: true } });
      if (mailing === null) throw notFound('mailing');
      if (mailing.status !== 'sending') {
        throw new DomainError('CONFLICT', `This mailing is ${mailing.status} already.`, {
          reason: 'MAILING_ENDED',
        });
      }
      await ctx.db.mailing.update({
        where: { id },
        data: { status: 'cancelled', endedAt: ctx.now() },
      });
      await ctx.lockingSql(DELETE_UNATTEMPTED, [id]);
      await ctx.lockingSql(STOP_RETRIES, [id]);
    }),
  );
  return loadMailing(ctx, id);
}

/** A writer sees the mailing even without the scope to list others. */
async function loadMailing(ctx: Context, id: string): Promise<Mailing> {
  const [mailing] = await findMailings(ctx, [id]);
  if (mailing === undefined) throw notFound('mailing');
  return mailing;
}
