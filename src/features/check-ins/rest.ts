import { z } from 'zod';
import { instantText, noQuery, route } from '../../rest/route.ts';
import { inSnakeCase, instant } from '../../rest/shapes.ts';
import { askingAt } from './asking.ts';
import type { CheckIn } from './check-in.ts';
import { CHECK_IN_RESULTS, CHECK_IN_SUBJECTS } from './check-in.ts';
import { checkOut } from './departures.ts';
import * as fields from './fields.ts';
import { counted } from './guesses.ts';
import { presentedIn } from './request.ts';
import { checkIn } from './service.ts';

const shape = z
  .object({
    id: z
      .uuid()
      .nullable()
      .meta({ description: 'Only where admitted or checked out: it ends the visit' }),
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
    admit: ({ body, throttles, viewer, address }) =>
      throttles.checkInThrottle.attempt(askingAt(viewer, address, body.location_id)),
    answer: async (ctx, { body, throttles, address }) => {
      const given = { code: body.code ?? undefined, handle: body.handle ?? undefined };
      const asking = askingAt(ctx.viewer, address, body.location_id);
      const done = await counted(throttles.checkInThrottle, asking, async () =>
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
    path: '/public/check-ins/{id}/check-out',
    access: 'public',
    summary: 'Leave, for whoever holds the id of the check-in; twice changes nothing',
    query: noQuery,
    body: z.strictObject({}),
    data,
    answer: async (ctx, { params: { id = '' } }) => one(await checkOut(ctx, id)),
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
