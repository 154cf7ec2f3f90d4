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
    id: z
      .uuid()
      .nullable()
      .meta({ description: 'The id of the visit, only if admitted or checked out' }),
    check_out_token: z.string().nullable().meta({
      description:
        'Ends the visit for anyone who has it; only if admitted, and only in this response',
    }),
    result: z.enum(CHECK_IN_RESULTS),
    label: z
      .string()
      .nullable()
      .meta({ description: 'The name, such as "Ada L."; null if nothing was found' }),
    checked_in_at: instantSchema.nullable(),
    checked_out_at: instantSchema.nullable(),
    subject: z
      .object({ type: z.enum(CHECK_IN_SUBJECTS), title: z.string().nullable() })
      .nullable()
      .meta({ description: 'The kind of what was presented, and what it is for' }),
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
      'Check in or out with the code of a ticket, day pass, member or order, or with the handle of a lookup; 201 if admitted',
    query: emptyQuery,
    body: z.strictObject({
      location_id: z.uuid(),
      code: codeSchema.nullish(),
      handle: handleSchema.nullish(),
      visitor: visitorSchema.strict().nullish(),
      leaving: z.boolean().nullish(),
      scan_id: scanIdSchema.nullish().meta({
        description:
          "The client's id of this scan: a retry with the same id returns the first response",
      }),
      occurred_at: instantParameter.nullish().meta({
        description: 'When it happened, for uploads of offline scans; at most 24 hours ago',
      }),
    }),
    data: checkInData,
    rateLimit: ({ body, rateLimits, viewer, address }) => {
      const caller = toLocationCaller(viewer, address, body.location_id);
      return selectCheckInLimit(rateLimits, caller).consume(caller);
    },
    handler: async (ctx, { body, rateLimits, address }) => {
      const credential = { code: body.code ?? undefined, handle: body.handle ?? undefined };
      const caller = toLocationCaller(ctx.viewer, address, body.location_id);
      const checkedIn = await withCheckInLimit(rateLimits, caller, async () =>
        checkIn(ctx, {
          locationId: body.location_id,
          credential: parseCredential(credential),
          visitor: body.visitor ?? undefined,
          leaving: body.leaving ?? undefined,
          scanId: body.scan_id ?? undefined,
          occurredAt: body.occurred_at ?? undefined,
        }),
      );
      return {
        ...toCheckInResponse(checkedIn),
        status: checkedIn.result === 'admitted' ? 201 : 200,
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/public/check-ins/{check_out_token}/check-out',
    access: 'public',
    optionalAuth: true,
    summary:
      'Check out with the check_out_token of the admission; staff and tokens with check-ins:write can use the id instead. A second call changes nothing',
    query: emptyQuery,
    body: z.strictObject({}),
    data: checkInData,
    guess: ({ params: { check_out_token = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'checkOut', check_out_token),
    handler: async (ctx, { params: { check_out_token = '' } }) =>
      toCheckInResponse(await checkOut(ctx, check_out_token)),
  }),
];

const toCheckInResponse = (checkIn: CheckIn) => ({
  data: {
    check_in: toSnakeCaseKeys({
      ...checkIn,
      checkedInAt: checkIn.checkedInAt?.toISOString() ?? null,
      checkedOutAt: checkIn.checkedOutAt?.toISOString() ?? null,
    }),
  },
});
