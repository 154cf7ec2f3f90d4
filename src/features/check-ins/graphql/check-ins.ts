import { toSecretGuess } from '../../../auth/guesses.ts';
import { DomainError } from '../../../errors.ts';
import { builder, createInputType, withArgs } from '../../../graphql/builder.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import { LookupAccess } from '../../spaces/graphql/locations.ts';
import { toCheckInGuess } from '../caller.ts';
import {
  checkInInput,
  checkOutInput,
  confirmVisitInput,
  kioskArgs,
  visitorInput,
} from '../inputs.ts';
import { parseCredential } from '../request.ts';
import { checkIn } from '../service/check-in.ts';
import { checkOut } from '../service/check-out.ts';
import { confirmVisit } from '../service/confirm-visit.ts';
import { getKiosk, type Kiosk as KioskData, listKiosks } from '../service/kiosks.ts';
import type { CheckIn as CheckInData } from '../types.ts';
import { CheckInResult, CheckInSubject } from './attempts.ts';

export const CheckIn = builder.objectRef<CheckInData>('CheckIn');
CheckIn.implement({
  description: 'The result of an attempt to check in or out',
  fields: (t) => ({
    id: t.exposeID('id', {
      nullable: true,
      description:
        'Only if admitted or checked out. Callers with check-ins:write can check out with this id.',
    }),
    checkOutToken: t.exposeString('checkOutToken', {
      nullable: true,
      description:
        'Anyone with this token can end the visit. Only if admitted, and only in this response.',
    }),
    result: t.expose('result', { type: CheckInResult, description: 'What happened, for programs' }),
    unconfirmed: t.exposeBoolean('unconfirmed', {
      description:
        'Whether a client that is not a paired kiosk checked the person in by handle, so that nobody has confirmed it. Such a check-in by handle gets the same answer whether the person is present or not.',
    }),
    disputed: t.exposeBoolean('disputed', {
      description:
        'Whether the payment of the ticket or day pass is disputed, for callers with check-ins:read or check-ins:write, otherwise false. If the settings let staff decide, it is UNPAID unless they say admitDisputed.',
    }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'The full name for callers with check-ins:read, otherwise such as "Ada L."',
    }),
    checkedInAt: t.expose('checkedInAt', {
      type: 'DateTime',
      description:
        'When the visit began; null if it did not. Unconfirmed visits show it only to callers with check-ins:read or check-ins:write, or if the person leaves by code.',
      nullable: true,
    }),
    checkedOutAt: t.expose('checkedOutAt', {
      type: 'DateTime',
      description:
        'When the visit ended; null while it lasts. Unconfirmed visits show it only to callers with check-ins:read or check-ins:write, or if the person leaves by code.',
      nullable: true,
    }),
    subject: t.expose('subject', {
      type: CheckInSubject,
      description: 'What the code or handle refers to; null if it was not found',
      nullable: true,
    }),
  }),
});

const Kiosk = builder.objectRef<KioskData>('Kiosk');
Kiosk.implement({
  description: 'The public settings of the kiosk page of a location',
  fields: (t) => ({
    locationId: t.exposeID('locationId', {
      description: 'The location of the kiosk, for checkIn and lookUpMember',
    }),
    name: t.exposeString('name', { description: 'The name of the location' }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone of the location, such as Europe/Berlin',
    }),
    lookupNames: t.exposeBoolean('lookupNames', {
      description: 'Whether lookups find members by name',
    }),
    lookupAccess: t.expose('lookupAccess', {
      type: LookupAccess,
      description: 'Who may look members up and check them in by handle; codes work for everyone',
    }),
  }),
});

const PUBLIC = { access: 'public' } as const;

createInputType('VisitorInput', visitorInput);

addMutation('checkIn', {
  description:
    'Checks a person in or out. Every attempt with a result is recorded; one that fails with an error, such as KIOSK_NEEDED or CHECK_OUT_TOKEN_NEEDED, is not.',
  access: 'public',
  input: checkInInput,
  payload: { checkIn: { type: CheckIn, description: 'The attempt and its result' } },
  guess: ({ locationId }, { ctx: { viewer }, deps, address }) =>
    toCheckInGuess(
      deps.rateLimits,
      { viewer, address, locationId },
      ({ checkIn }: { checkIn: CheckInData }) => checkIn,
    ),
  resolve: async (input, { ctx }) => {
    const { code, handle, memberId, bookingId, ...request } = input;
    const credential = parseCredential({ code, handle, memberId, bookingId }, { acceptsIds: true });
    return { checkIn: await checkIn(ctx, { ...request, credential }) };
  },
});

addMutation('checkOut', {
  description: 'Ends a visit. Takes either its id or its token. A second call changes nothing.',
  access: 'public',
  input: checkOutInput,
  payload: { checkIn: { type: CheckIn, description: 'The check-in of the visit' } },
  guess: ({ token }, { deps, address }) =>
    toSecretGuess(deps.rateLimits, address, 'checkOut', token ?? ''),
  resolve: async ({ id, token }, { ctx }) => ({
    checkIn: await checkOut(ctx, parseTokenOrId(id, token)),
  }),
});

addMutation('confirmVisit', {
  description:
    'Checks in the person of an unconfirmed visit, for staff who see that they are there. The rules of a check-in apply.',
  access: 'check-ins:write',
  input: confirmVisitInput,
  payload: { checkIn: { type: CheckIn, description: 'The new attempt and its result' } },
  resolve: async ({ id }, { ctx }) => ({ checkIn: await confirmVisit(ctx, id) }),
});

function parseTokenOrId(id: string | null | undefined, token: string | null | undefined): string {
  const [tokenOrId, ...others] = [id, token].filter((it) => it != null);
  if (tokenOrId !== undefined && others.length === 0) return tokenOrId;
  throw new DomainError(
    'VALIDATION',
    'Specify exactly one of token and id. The id needs the scope check-ins:write.',
    { reason: 'PRESENT_ONE', fields: ['token', 'id'] },
  );
}

builder.queryField('kiosk', (t) =>
  t.field({
    type: Kiosk,
    description: 'The public settings of the kiosk of a location',
    authScopes: PUBLIC,
    ...withArgs(kioskArgs, ({ location }, { ctx }) => getKiosk(ctx, location)),
  }),
);

builder.queryField('kiosks', (t) =>
  t.field({
    type: [Kiosk],
    description: 'The kiosks of all locations, by name',
    authScopes: PUBLIC,
    ...withCost({ items: 10 }),
    resolve: (_, __, { ctx }) => listKiosks(ctx),
  }),
);
