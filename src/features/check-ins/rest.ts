import { z } from 'zod';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { instantText, noQuery, route } from '../../rest/route.ts';
import { inSnakeCase, instant } from '../../rest/shapes.ts';
import { askingAt } from './asking.ts';
import type { CheckIn } from './check-in.ts';
import { CHECK_IN_RESULTS, CHECK_IN_SUBJECTS } from './check-in.ts';
import { checkOut } from './departures.ts';
import * as fields from './fields.ts';
import { checkInLimit, counted } from './guesses.ts';
import { presentedIn } from './request.ts';
import { checkIn } from './service.ts';

const shape = z
  .object({
    id: z.uuid().nullable().meta({ description: 'Only where admitted or checked out' }),
    check_out_token: z.string().nullable().meta({
      description:
        'Only where admitted, and only in this answer: whoever holds it may end the visit',
    }),
    result: z.enum(CHECK_IN_RESULTS),
    label: z
      .string()
      .nullable()
      .meta({ description: 'Such as "Ada L."; null where nothing was found' }),
    checked_in_at: instant.nullable(),
    checked_out_at: instant.nullable(),
    subject: z
      .object({ type: z.enum(CHECK_IN_SUBJECTS), title: z.string().nullable() })
      .nullable()
      .meta({ description: 'What was presented, and what it is for' }),
  })
  .meta({ id: 'CheckIn' });

const data = z.object({ check_in: shape });

export const routes = [
  route({
    method: 'POST',
    path: '/public/check-ins',
    mayCreate: true,
    access: 'public',
    knowsDevices: true,
    summary:
      'Come in, or leave, by the code of a ticket, a day pass, a member or an order, or by the handle of a lookup; 201 where admitted',
    query: noQuery,
    body: z.strictObject({
      location_id: z.uuid(),
      code: fields.code.nullish(),
      handle: fields.handle.nullish(),
      visitor: fields.visitor.strict().nullish(),
      leaving: z.boolean().nullish(),
      scan_id: fields.scanId.nullish().meta({
        description: "The client's own name for this scan: sent again, it is answered as before",
      }),
      occurred_at: instantText.nullish().meta({
        description: 'When it happened, where it is told later; at most 24 hours ago',
      }),
    }),
    data,
    admit: ({ body, rateLimits, viewer, address }) => {
      const asking = askingAt(viewer, address, body.location_id);
      return checkInLimit(rateLimits, asking).consume(asking);
    },
    answer: async (ctx, { body, rateLimits, address }) => {
      const given = { code: body.code ?? undefined, handle: body.handle ?? undefined };
      const asking = askingAt(ctx.viewer, address, body.location_id);
      const done = await counted(rateLimits, asking, async () =>
        checkIn(ctx, {
          locationId: body.location_id,
          presented: presentedIn(given),
          visitor: body.visitor ?? undefined,
          leaving: body.leaving ?? undefined,
          scanId: body.scan_id ?? undefined,
          occurredAt: body.occurred_at ?? undefined,
        }),
      );
      return { ...one(done), status: done.result === 'admitted' ? 201 : 200 };
    },
  }),
  route({
    method: 'POST',
    path: '/public/check-ins/{check_out_token}/check-out',
    access: 'public',
    knowsCallers: true,
    summary:
      'Leave, for whoever holds the token that the admitting answer showed; staff and tokens with check-ins:write may use the id instead. Twice changes nothing',
    query: noQuery,
    body: z.strictObject({}),
    data,
    guess: ({ params: { check_out_token = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'checkOut', check_out_token),
    answer: async (ctx, { params: { check_out_token = '' } }) =>
      one(await checkOut(ctx, check_out_token)),
  }),
];

const one = (done: CheckIn) => ({
  data: {
    check_in: inSnakeCase({
      ...done,
      checkedInAt: done.checkedInAt?.toISOString() ?? null,
      checkedOutAt: done.checkedOutAt?.toISOString() ?? null,
    }),
  },
});
