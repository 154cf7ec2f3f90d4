import { z } from 'zod';
import { toRestSchema } from '../../../rest/input-schema.ts';
import { defineRoute, emptyQuery } from '../../../rest/route.ts';
import { consumeLookupLimit, toLocationCaller } from '../caller.ts';
import { memberLookupArgs } from './inputs.ts';
import { lookUpMembers } from './service/lookup.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    path: '/public/member-lookup',
    access: 'public',
    optionalDeviceAuth: true,
    operationId: 'lookUpMembers',
    summary: 'Find members at a kiosk',
    description: 'By the beginnings of their names, a full email address, or a code.',
    query: emptyQuery,
    body: toRestSchema(memberLookupArgs),
    data: z.object({
      matches: z
        .array(
          z
            .object({
              handle: z.string().meta({ description: 'Valid for one check-in within two minutes' }),
              label: z.string().meta({ description: 'The shortened name, such as "Ada L."' }),
              hint: z.string().meta({ description: 'The masked email address' }),
            })
            .meta({ id: 'MemberMatch', description: 'A member whom a lookup found' }),
        )
        .meta({ description: 'At most five members' }),
      too_many: z.boolean().meta({
        description: 'More than five members match, so none is returned: type more letters',
      }),
      names_off: z.boolean().meta({
        description: 'Lookups by name are off here: type a full email address or a code',
      }),
    }),
    rateLimit: ({ body, rateLimits, viewer, address }) =>
      consumeLookupLimit(rateLimits, toLocationCaller(viewer, address, body.locationId)),
    handler: async (ctx, { body, address }) => {
      const { matches, tooMany, namesOff } = await lookUpMembers(ctx, { ...body, address });
      return { data: { matches, too_many: tooMany, names_off: namesOff } };
    },
  }),
];
