import type { Ctx } from '../../context.ts';
import { emit } from '../webhooks/emit.ts';
import type { EventType } from '../webhooks/events.ts';
import { TITLED, titleOf } from './record.ts';

type News = Extract<EventType, `check_in.${string}`>;

const FULL = { ...TITLED, location: { select: { id: true, name: true } } } as const;

/** Tells webhooks of an attempt that was just written down, or of a visit that has ended. Nothing is read unless somebody listens. */
export const tellOf = (ctx: Ctx, type: News, id: string): Promise<void> =>
  emit(ctx, type, async () => {
    const row = await ctx.db.checkIn.findUniqueOrThrow({ where: { id }, include: FULL });
    const { result, label, occurredAt, checkedOutAt, subject, location } = row;
    const told = type === 'check_in.checked_out' ? 'checked_out' : result;
    return [
      {
        checkIn: {
          ...{ id, result: told, label, checkedOutAt, location },
          checkedInAt: occurredAt,
          subject: subject && { type: subject, title: titleOf(row) },
        },
      },
    ];
  });
