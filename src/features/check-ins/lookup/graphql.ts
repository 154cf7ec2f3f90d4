import { z } from 'zod';
import { parseInput } from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { consumeLookupLimit, toLocationCaller } from '../caller.ts';
import {
  type MemberLookup as LookupResult,
  locationIdSchema,
  lookUpMembers,
  querySchema,
} from './service.ts';

const LookupMatch = builder.objectRef<LookupResult['matches'][number]>('LookupMatch');
LookupMatch.implement({
  fields: (t) => ({
    handle: t.exposeString('handle', {
      description: 'Valid for one check-in within two minutes',
    }),
    label: t.exposeString('label', { description: 'The shortened name, such as "Ada L."' }),
    hint: t.exposeString('hint', { description: 'The masked e-mail address' }),
  }),
});

const Lookup = builder.objectRef<LookupResult>('Lookup');
Lookup.implement({
  fields: (t) => ({
    matches: t.field({
      type: [LookupMatch],
      description: 'At most five matches',
      resolve: ({ matches }) => matches,
    }),
    tooMany: t.exposeBoolean('tooMany', {
      description: 'More than five members match, so none is returned: type more letters',
    }),
    namesOff: t.exposeBoolean('namesOff', {
      description: 'Lookups by name are off here: type the whole e-mail address or the code',
    }),
  }),
});

const lookupInput = z.object({ locationId: locationIdSchema, query: querySchema });

builder.queryField('lookUpMember', (t) =>
  t.field({
    type: Lookup,
    description:
      'Find members at a kiosk by the beginnings of their names, the whole e-mail address, or the code',
    authScopes: { access: 'public' },
    args: {
      locationId: t.arg.id({ required: true }),
      query: t.arg.string({ required: true }),
    },
    resolve: async (_, args, { ctx, deps, address }) => {
      const request = parseInput(lookupInput, args);
      await consumeLookupLimit(
        deps.rateLimits,
        toLocationCaller(ctx.viewer, address, request.locationId),
      );
      return lookUpMembers(ctx, { ...request, address });
    },
  }),
);
