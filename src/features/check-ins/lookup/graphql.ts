import { builder, withArgs } from '../../../graphql/builder.ts';
import { consumeLookupLimit, toLocationCaller } from '../caller.ts';
import { memberLookupArgs } from './inputs.ts';
import { type MemberLookup as LookupResult, lookUpMembers } from './service/lookup.ts';

const LookupMatch = builder.objectRef<LookupResult['matches'][number]>('LookupMatch');
LookupMatch.implement({
  description: 'A member who may be the person at the kiosk',
  fields: (t) => ({
    handle: t.exposeString('handle', {
      description: 'Valid for one check-in within two minutes',
    }),
    label: t.exposeString('label', { description: 'The shortened name, such as "Ada L."' }),
    hint: t.exposeString('hint', { description: 'The masked email address' }),
  }),
});

const Lookup = builder.objectRef<LookupResult>('Lookup');
Lookup.implement({
  description: 'The result of searching for a member at a kiosk',
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
      description: 'Lookups by name are off here: type a full email address or a code',
    }),
  }),
});

builder.queryField('lookUpMember', (t) =>
  t.field({
    type: Lookup,
    description:
      'Find members at a kiosk by the beginnings of their names, a full email address, or a code',
    authScopes: { access: 'public' },
    rateLimit: ({ locationId }, { ctx, deps, address }) =>
      consumeLookupLimit(deps.rateLimits, toLocationCaller(ctx.viewer, address, locationId)),
    ...withArgs(memberLookupArgs, (request, { ctx, address }) =>
      lookUpMembers(ctx, { ...request, address }),
    ),
  }),
);
