import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import { toSnakeCaseKeys } from '../../core/letter-case.ts';
import { instantSchema } from '../../objects/schemas.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { defineRoute, emptyQuery } from '../../rest/route.ts';
import { toCheckInGuess } from './caller.ts';
import { checkInInput } from './inputs.ts';
import { parseCredential } from './request.ts';
import { checkInRow, checkInSubject } from './rows.ts';
import { checkIn } from './service/check-in.ts';
import { checkOut } from './service/check-out.ts';
import type { CheckIn } from './types.ts';

const checkInSchema = z
  .object({
    id: z
      .uuid()
      .nullable()
      .meta({ description: 'The id of the visit, only if admitted or checked out' }),
    check_out_token: z.string().nullable().meta({
      description:
        'Anyone with this token can end the visit. Only if admitted, and only in this response.',
    }),
    result: checkInRow.columns.result.schema.meta({
      description: 'Whether the person was admitted, and why not',
    }),
    unconfirmed: z.boolean().meta({
      description:
        'Whether a client that is not a paired kiosk checked the person in by handle, so that nobody has confirmed it',
    }),
    disputed: z.boolean().meta({
      description:
        'Whether the payment of the ticket or day pass is disputed, for staff and tokens with check-ins:read or check-ins:write; otherwise false',
    }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'The name, such as "Ada L."; null if nothing was found' }),
    checked_in_at: instantSchema.nullable().meta({
      description:
        'null if unconfirmed, except for staff and tokens with check-ins:read or check-ins:write, and if the person leaves by code',
    }),
    checked_out_at: instantSchema.nullable().meta({
      description:
        'null if unconfirmed, except for staff and tokens with check-ins:read or check-ins:write, and if the person leaves by code',
    }),
    subject: z
      .object({
        type: checkInSubject.meta({ description: 'What admits the person' }),
        title: z.string().nullable().meta({
          description: 'Such as the title of the event; null if it has none',
        }),
      })
      .nullable()
      .meta({ description: 'The type of the ticket, pass, booking or member, and its title' }),
  })
  .meta({ id: 'CheckIn', description: 'The result of an attempt to check in or out' });

const checkInData = z.object({
  check_in: checkInSchema.meta({ description: 'What the attempt led to' }),
});

export const routes = [
  defineRoute({
    method: 'POST',
    path: '/public/check-ins',
    canCreate: true,
    access: 'public',
    optionalDeviceAuth: true,
    operationId: 'checkIn',
    summary: 'Check a person in or out',
    description:
      'With the code of a ticket, day pass, member or order, or with the handle of a lookup. The status is 201 if the person is admitted. An attempt with a result is recorded, one that fails with an error is not.',
    query: emptyQuery,
    body: toRestSchema(
      checkInInput.pick({
        locationId: true,
        code: true,
        handle: true,
        visitor: true,
        leaving: true,
        scanId: true,
        occurredAt: true,
      }),
      {
        scanId: "The client's id of this scan: a retry with the same id returns the first response",
        occurredAt: 'When the scan happened, for uploads of offline scans; at most 24 hours ago',
      },
    ),
    data: checkInData,
    guess: ({ body: { locationId }, rateLimits, viewer, address }) =>
      toCheckInGuess(
        rateLimits,
        { viewer, address, locationId },
        ({ check_in }: z.output<typeof checkInData>) => check_in,
      ),
    handler: async (ctx, { body: { code, handle, ...request } }) => {
      const credential = parseCredential({ code, handle }, { acceptsIds: false });
      const checkedIn = await checkIn(ctx, { ...request, credential });
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
    operationId: 'checkOut',
    summary: 'Check a person out',
    description:
      'With the check_out_token of the admission; staff and tokens with check-ins:write can use the id instead. A second call changes nothing.',
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
