import { z } from 'zod';
import { anyId, uuid } from '../../core/validation.ts';
import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolObject, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { attemptFilter, checkInInput } from './inputs.ts';
import { parseCredential } from './request.ts';
import { toAttemptJson } from './rest-object.ts';
import { checkIn } from './service/check-in.ts';
import { checkOut } from './service/check-out.ts';
import { listExpectedArrivals } from './service/expected-arrivals.ts';
import { attemptList } from './service/list-attempts.ts';
import { listOccupancy } from './service/occupancy.ts';
import type { CheckIn } from './types.ts';

const ARRIVALS_POINTS = 200;

export const tools = [
  defineTool({
    name: 'list_check_ins',
    description: 'List check-ins, newest first. present: true shows who is here now.',
    access: 'check-ins:read',
    effect: 'read',
    input: toRestSchema(
      attemptFilter
        .pick({ locationId: true, present: true, from: true, to: true })
        .extend(pageInput),
    ),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage(
        'check_ins',
        await listRows(ctx, attemptList, filter, { limit, cursor }),
        toAttemptJson,
      ),
  }),
  defineTool({
    name: 'get_occupancy',
    description: 'How many people are at each location now.',
    access: 'check-ins:read',
    effect: 'read',
    input: toRestSchema(z.object({})),
    handler: async (ctx) => toToolObject({ occupancy: await listOccupancy(ctx) }),
  }),
  defineTool({
    name: 'list_expected_arrivals',
    description: 'List who has a booking, day pass or ticket today and is not in.',
    access: 'check-ins:read',
    effect: 'read',
    points: ARRIVALS_POINTS,
    input: toRestSchema(z.object({ locationId: uuid.optional() })),
    handler: async (ctx, { locationId = null }) =>
      toToolObject({ arrivals: await listExpectedArrivals(ctx, locationId) }),
  }),
  defineTool({
    name: 'check_in',
    description: 'Check a person in with exactly one of code, member_id and booking_id.',
    access: 'check-ins:write',
    effect: 'write',
    input: toRestSchema(
      checkInInput.pick({
        locationId: true,
        code: true,
        memberId: true,
        bookingId: true,
        visitor: true,
      }),
      { visitor: 'Who visits the member' },
    ),
    handler: async (ctx, { locationId, visitor, ...presented }) => {
      const credential = parseCredential(presented, { acceptsIds: true });
      return toCheckInResult(await checkIn(ctx, { locationId, visitor, credential }));
    },
  }),
  defineTool({
    name: 'check_out',
    description: 'End a visit.',
    access: 'check-ins:write',
    effect: 'destructive',
    input: toRestSchema(z.object({ id: anyId }), { id: 'Of the check-in' }),
    handler: async (ctx, { id }) => toCheckInResult(await checkOut(ctx, id)),
  }),
];

/** Callers with check-ins:write can check out by the id, so they need no token. */
const toCheckInResult = ({ checkOutToken: _, ...checkIn }: CheckIn) => toToolObject({ checkIn });
