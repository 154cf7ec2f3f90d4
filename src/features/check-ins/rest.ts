import { z } from 'zod';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { defineRoute, emptyQuery, instantParameter } from '../../rest/route.ts';
import { instantSchema, toSnakeCaseKeys } from '../../rest/serializers.ts';
import { selectCheckInLimit, toLocationCaller, withCheckInLimit } from './caller.ts';
import { checkOut } from './commands/check-out.ts';
import {
  codeSchema,
  handleSchema,
  parseCredential,
  scanIdSchema,
  visitorSchema,
} from './request.ts';
import { checkIn } from './service.ts';
import { CHECK_IN_RESULTS, CHECK_IN_SUBJECTS, type CheckIn } from './types.ts';

const checkInSchema = z
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
    checked_in_at: instantSchema.nullable(),
    checked_out_at: instantSchema.nullable(),
    subject: z
      .object({ type: z.enum(CHECK_IN_SUBJECTS), title: z.string().nullable() })
      .nullable()
      .meta({ description: 'What was presented, and what it is for' }),
  })
  .meta({ id: 'CheckIn' });

const checkInData = z.object({ check_in: checkInSchema });

export const routes = [
  defineRoute({
    method: 'POST',
    path: '/public/check-ins',
    mayCreate: true,
    access: 'public',
    optionalDeviceAuth: true,
    summary:
      'Come in, or leave, by the code of a ticket, a day pass, a member or an order, or by the handle of a lookup; 201 where admitted',
    query: emptyQuery,
    body: z.strictObject({
      location_id: z.uuid(),
      code: codeSchema.nullish(),
      handle: handleSchema.nullish(),
      visitor: visitorSchema.strict().nullish(),
      leaving: z.boolean().nullish(),
      scan_id: scanIdSchema.nullish().meta({
        description: "The client's own name for this scan: sent again, it is answered as before",
      }),
      occurred_at: instantParameter.nullish().meta({
        description: 'When it happened, where it is told later; at most 24 hours ago',
      }),
    }),
    data: checkInData,
    rateLimit: ({ body, rateLimits, viewer, address }) => {
      const asking = toLocationCaller(viewer, address, body.location_id);
      return selectCheckInLimit(rateLimits, asking).consume(asking);
    },
    handler: async (ctx, { body, rateLimits, address }) => {
      const given = { code: body.code ?? undefined, handle: body.handle ?? undefined };
      const asking = toLocationCaller(ctx.viewer, address, body.location_id);
      const done = await withCheckInLimit(rateLimits, asking, async () =>
        checkIn(ctx, {
          locationId: body.location_id,
          credential: parseCredential(given),
          visitor: body.visitor ?? undefined,
          leaving: body.leaving ?? undefined,
          scanId: body.scan_id ?? undefined,
          occurredAt: body.occurred_at ?? undefined,
        }),
      );
      return { ...toCheckInResponse(done), status: done.result === 'admitted' ? 201 : 200 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/public/check-ins/{check_out_token}/check-out',
    access: 'public',
    optionalAuth: true,
    summary:
      'Leave, for whoever holds the token that the admitting answer showed; staff and tokens with check-ins:write may use the id instead. Twice changes nothing',
    query: emptyQuery,
    body: z.strictObject({}),
    data: checkInData,
    guess: ({ params: { check_out_token = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'checkOut', check_out_token),
    handler: async (ctx, { params: { check_out_token = '' } }) =>
      toCheckInResponse(await checkOut(ctx, check_out_token)),
  }),
];

const toCheckInResponse = (done: CheckIn) => ({
  data: {
    check_in: toSnakeCaseKeys({
      ...done,
      checkedInAt: done.checkedInAt?.toISOString() ?? null,
      checkedOutAt: done.checkedOutAt?.toISOString() ?? null,
    }),
  },
});
