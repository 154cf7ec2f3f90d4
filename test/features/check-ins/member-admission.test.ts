import { v7 } from 'uuid';
import type { Location } from '../../../src/db/generated/client.ts';
import { addDisplay } from '../../support/clients/member-lookup.ts';
import { APIS, createAdmissionFactories } from '../../support/factories/check-ins.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

// Which members a location admits. The tests take place on Wednesday, 18 March 2026.

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let writer: { token: string };
/** Two locations: one as it is created, one that admits all members. */
let strict: Pick<Location, 'id'>;
let open: Pick<Location, 'id'>;
let staff: { token: string };

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = createAdmissionFactories(app);
  writer = { token: await app.token('spaces:read', 'spaces:write') };
  staff = { token: await app.token('check-ins:read', 'check-ins:write') };
  strict = await createLocation({});
  open = await createLocation({ memberAdmission: 'ALL' });
});
beforeEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

async function createLocation(input: object) {
  const { data } = await app.graphql(
    `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id memberAdmission } } }`,
    { input: { name: 'House', slug: `house-${v7()}`, timeZone: 'Europe/Berlin', ...input } },
    writer,
  );
  return data.createLocation.location as { id: string; memberAdmission: string };
}

async function addMembership(holder: { memberId: string } | { teamId: string }, days: Days) {
  const plan = await app.ctx.db.plan.create({ data: { name: `Plan ${v7()}` } });
  await app.ctx.db.membership.create({
    data: {
      ...{ ...holder, planId: plan.id, startsOn: new Date(days[0]) },
      endsOn: days[1] === null ? null : new Date(days[1]),
    },
  });
}

type Days = readonly [first: string, last: string | null];
type Kind = { status?: 'active' | 'paused' | 'former'; own?: Days; team?: Days };

async function makeMember({ status = 'active', own, team }: Kind) {
  const teamId = team && (await app.ctx.db.team.create({ data: { name: `Team ${v7()}` } })).id;
  const member = await make.makeMember({ status, teamId: teamId ?? null });
  if (own) await addMembership({ memberId: member.id }, own);
  if (teamId && team) await addMembership({ teamId }, team);
  return member;
}

const CURRENT: Days = ['2026-03-18', '2026-03-18'];
const ENDED: Days = ['2026-03-01', '2026-03-17'];
const UPCOMING: Days = ['2026-03-19', null];
const REJECTED = 'membership_inactive';

const KINDS: [string, Kind, strict: string, open: string][] = [
  ['without a membership', {}, REJECTED, 'admitted'],
  ['whose membership covers today', { own: CURRENT }, 'admitted', 'admitted'],
  ['whose membership ended yesterday', { own: ENDED }, REJECTED, 'admitted'],
  ['whose membership begins tomorrow', { own: UPCOMING }, REJECTED, 'admitted'],
  ['whose team has a membership today', { team: CURRENT }, 'admitted', 'admitted'],
  [
    'whose own membership ended but not that of the team',
    { own: ENDED, team: CURRENT },
    'admitted',
    'admitted',
  ],
  ['whose team has a membership that ended', { team: ENDED }, REJECTED, 'admitted'],
  ['who is paused, with a membership', { status: 'paused', own: CURRENT }, REJECTED, REJECTED],
  ['who is paused, without a membership', { status: 'paused' }, REJECTED, REJECTED],
  ['who is former', { status: 'former', own: CURRENT }, REJECTED, REJECTED],
];

describe.each(APIS)('through %s', (_, createScanner) => {
  const scan = (...args: Parameters<ReturnType<typeof createScanner>>) =>
    createScanner(app)(...args).then(({ checkIn }) => checkIn.result);

  describe.each(KINDS)('a member %s', (_, kind, atStrict, atOpen) => {
    it('checks in by code where the location admits them', async () => {
      const { code } = await makeMember(kind);
      expect(await scan({ locationId: strict.id, code })).toBe(atStrict);
      expect(await scan({ locationId: open.id, code })).toBe(atOpen);
    });

    it('checks in by handle at a paired kiosk where the location admits them', async () => {
      const { id } = await makeMember(kind);
      for (const [location, expected] of [
        [strict, atStrict],
        [open, atOpen],
      ] as const) {
        const scanAtKiosk = createScanner(app, {
          token: (await addDisplay(app, location.id)).token,
        });
        const handle = await make.makeHandle(id, location.id);
        const { checkIn } = await scanAtKiosk({ locationId: location.id, handle });
        expect(checkIn.result).toBe(expected);
      }
    });
  });

  it('admits visitors only of members whom the location admits', async () => {
    const { id } = await makeMember({});
    for (const [location, expected] of [
      [strict, REJECTED],
      [open, 'admitted'],
    ] as const) {
      const scanAtKiosk = createScanner(app, { token: (await addDisplay(app, location.id)).token });
      const handle = await make.makeHandle(id, location.id);
      const visitor = { name: 'Greta' };
      const { checkIn } = await scanAtKiosk({ locationId: location.id, handle, visitor });
      expect(checkIn.result).toBe(expected);
    }
  });

  it('admits day passes and tickets without a membership', async () => {
    const pass = await make.makePass({}, strict);
    expect(await scan({ locationId: strict.id, code: pass.code })).toBe('admitted');
    const ticket = await make.makeTicket();
    expect(await scan({ locationId: ticket.locationId, code: ticket.code })).toBe('admitted');
  });

  it('compares memberships with the day of an offline scan', async () => {
    const { code } = await makeMember({ own: ENDED });
    const occurredAt = '2026-03-17T22:59:00.000Z';
    expect(await scan({ locationId: strict.id, code, occurredAt })).toBe('admitted');
    const midnight = '2026-03-17T23:00:00.000Z';
    expect(await scan({ locationId: strict.id, code, occurredAt: midnight })).toBe(REJECTED);
  });
});

describe('staff', () => {
  const [, [, createScanner]] = APIS;
  const scanAsStaff = async (...args: Parameters<ReturnType<typeof createScanner>>) =>
    (await createScanner(app, staff)(...args)).checkIn.result;

  it.each(KINDS)(
    'check in a member %s where the location admits them',
    async (_, kind, atStrict, atOpen) => {
      const { id } = await makeMember(kind);
      expect(await scanAsStaff({ locationId: strict.id, memberId: id })).toBe(atStrict);
      expect(await scanAsStaff({ locationId: open.id, memberId: id })).toBe(atOpen);
    },
  );

  it('check in the booking of a member without a membership', async () => {
    const { id } = await makeMember({});
    const room = await app.ctx.db.resource.create({
      data: { locationId: strict.id, slug: `room-${v7()}`, name: 'Room', type: 'room' },
    });
    const booking = await make.makeBooking(room, { memberId: id });
    expect(await scanAsStaff({ locationId: strict.id, memberId: id })).toBe(REJECTED);
    expect(await scanAsStaff({ locationId: strict.id, bookingId: booking.id })).toBe('admitted');
  });

  it('confirm only visits of members whom the location admits', async () => {
    const location = await createLocation({});
    const { id } = await makeMember({});
    const handle = await make.makeHandle(id, location.id);
    const { checkIn } = await createScanner(app)({ locationId: location.id, handle });
    expect(checkIn).toMatchObject({ result: 'admitted', unconfirmed: true });
    const { id: visitId } = await app.ctx.db.checkIn.findFirstOrThrow({
      where: { memberId: id, unconfirmed: true },
    });
    const { data } = await app.graphql(
      `mutation ($id: ID!) { confirmVisit(input: { id: $id }) { checkIn { result } } }`,
      { id: visitId },
      staff,
    );
    expect(data.confirmVisit.checkIn.result).toBe('MEMBERSHIP_INACTIVE');
  });
});

describe('the setting', () => {
  it('requires a membership unless staff choose otherwise, and applies to the next check-in', async () => {
    const location = await createLocation({});
    expect(location.memberAdmission).toBe('WITH_MEMBERSHIP');
    const { code } = await makeMember({});
    const [, [, createScanner]] = APIS;
    const scan = async () =>
      (await createScanner(app)({ locationId: location.id, code })).checkIn.result;
    expect(await scan()).toBe(REJECTED);
    const { codes } = await app.graphql(
      `mutation ($id: ID!) { updateLocation(input: { id: $id, memberAdmission: ALL }) { location { id } } }`,
      { id: location.id },
      writer,
    );
    expect(codes).toEqual([]);
    expect(await scan()).toBe('admitted');
  });
});
