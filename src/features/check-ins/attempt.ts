import type { Ctx } from '../../context.ts';
import type { Outcome } from './answer.ts';
import type { CheckInRequest, CheckInResult } from './check-in.ts';
import type { Found, Sought } from './find.ts';
import { maskedName } from './masking.ts';
import { tellOf } from './news.ts';
import type { Place } from './place.ts';
import { record } from './record.ts';

/** All that is known of an attempt once its place is locked. */
export interface Attempt extends Sought {
  request: CheckInRequest;
  at: Date;
  place: Place;
  /** The locations whose visits stay as they are for now. */
  locked: string[];
}

/** What may come in or go out: with a visitor, the visitor in place of who was presented. */
export const candidates = ({ found, request: { visitor } }: Attempt): Found[] =>
  visitor
    ? found.flatMap((host) =>
        host.type === 'member'
          ? [{ type: 'visitor', label: visitor.name, title: maskedName(host.label), host }]
          : [],
      )
    : found;

/** Writes down what let nobody in, and says so. */
export async function refuse(
  ctx: Ctx,
  { request, at, place }: Attempt,
  result: CheckInResult,
  found: Found | null = null,
  visit: Outcome['visit'] = null,
): Promise<Outcome> {
  const id = await record(ctx, request, { locationId: place.id, occurredAt: at, result, found });
  if (!request.leaving) await tellOf(ctx, 'check_in.refused', id);
  return { result, ...named(found), visit, isTheirs: false };
}

export const named = (found: Found | null): Pick<Outcome, 'subject' | 'label' | 'title'> => ({
  subject: found?.type ?? null,
  label: found?.label ?? null,
  title: found?.title ?? null,
});
