import fc from 'fast-check';
import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import { addDisplay, sendLookup } from '../../support/clients/member-lookup.ts';
import { uniqueAddress } from '../../support/clients/sign-in.ts';
import {
  APIS,
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
} from '../../support/factories/check-ins.ts';
import { findEmails as findQueuedEmails, postJson } from '../../support/factories/events.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns, takeSample } from '../../support/harness/property-runs.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let staff: Scanner;
let staffToken: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { TRUST_PROXY: '1' } });
  await catchUp(app.ctx, mailReader); // registers the reader
  make = createAdmissionFactories(app);
  staffToken = await app.token('check-ins:read', 'check-ins:write');
  staff = createGraphqlScanner(app, { token: staffToken });
});
afterEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const findEmails = async (to: string) => {
  await catchUp(app.ctx, mailReader);
  return findQueuedEmails(app, to);
};

const ATTEMPTS = `query ($id: ID!) {
  checkIns(filter: { locationId: $id, present: true }) { nodes { id label unconfirmed } }
  occupancy(locationId: $id) { present unconfirmed } }`;

/** What the front desk shows: who is present, and the figures. */
async function readFrontDesk(locationId: string) {
  const { data, errors } = await app.graphql(ATTEMPTS, { id: locationId }, { token: staffToken });
  expect(errors ?? []).toEqual([]);
  return { people: data.checkIns.nodes, ...data.occupancy[0] };
}

/** Each visit as a member and as a host, with each value of the rest. */
const EXAMPLES = (['none', 'here', 'elsewhere', 'left', 'unconfirmed'] as const).flatMap(
  (visit, n) => {
    const isEven = n % 2 === 0;
    return [
      { visit, hasBooking: isEven, status: 'active', capacity: null, visitor: undefined },
      {
        visit,
        hasBooking: !isEven,
        status: 'paused',
        capacity: 50,
        visitor: { name: 'Max Muster' },
      },
    ] as const;
  },
);

describe.each(APIS)(
  'a client without pairing that checks people in by handle, through %s',
  (api, createScanner, checkOut) => {
    let scan: Scanner;
    beforeAll(() => {
      scan = createScanner(app);
    });

    it('gets the same bytes whether the person is present, absent, elsewhere, expected or inactive', async () => {
      const states = fc.record({
        visit: fc.constantFrom('none', 'here', 'elsewhere', 'left', 'unconfirmed'),
        hasBooking: fc.boolean(),
        status: fc.constantFrom('active' as const, 'paused' as const),
        capacity: fc.constantFrom(null, 50),
        visitor: fc.constantFrom(undefined, { name: 'Max Muster' }),
      });
      // Both APIs ask the same service, so one of them sees every state in `npm test`.
      const examples = api === 'GraphQL' ? EXAMPLES : takeSample(EXAMPLES, 4);
      const answers = new Map<string, Set<string>>();
      await checkProperty(
        fc.asyncProperty(states, async ({ visit, hasBooking, status, capacity, visitor }) => {
          const { location, room } = await make.makeSpace();
          const other = (await make.makeSpace()).location;
          await make.setCapacity(location.id, capacity);
          const member = await make.makeMember({ name: 'Aylin Demir' });
          if (hasBooking) await make.makeBooking(room, { memberId: member.id });
          if (visit === 'unconfirmed')
            await scan({
              locationId: location.id,
              handle: await make.makeHandle(member.id, location.id),
            });
          else if (visit !== 'none')
            await staff({
              locationId: visit === 'elsewhere' ? other.id : location.id,
              memberId: member.id,
            });
          if (visit === 'left')
            await staff({ locationId: location.id, memberId: member.id, leaving: true });
          await app.ctx.db.member.update({ where: { id: member.id }, data: { status } });
          const before = await app.ctx.db.booking.findMany({ where: { memberId: member.id } });

          const handle = await make.makeHandle(member.id, location.id);
          const admitted = await scan({
            locationId: location.id,
            handle,
            scanId: handle,
            ...(visitor && { visitor }),
          });
          const again = await scan({
            locationId: location.id,
            handle,
            scanId: handle,
            ...(visitor && { visitor }),
          });
          expect(again).toEqual(admitted);
          const token = String(admitted.checkIn.checkOutToken);
          const ended = await checkOut(app, token);
          expect(await checkOut(app, token)).toEqual(ended);
          const leaving = await scan({ locationId: location.id, handle, leaving: true });
          const text = JSON.stringify([admitted, ended, leaving])
            .replaceAll(admitted.checkIn.id ?? '-', 'ID')
            .replaceAll(token, 'TOKEN');
          const key = visitor ? 'visitor' : 'member';
          answers.set(key, (answers.get(key) ?? new Set()).add(text));
          expect(await app.ctx.db.booking.findMany({ where: { memberId: member.id } })).toEqual(
            before,
          );
          const open = await app.ctx.db.checkIn.count({
            where: {
              memberId: member.id,
              unconfirmed: false,
              result: 'admitted',
              checkedOutAt: null,
            },
          });
          expect(open).toBe(visit === 'here' || visit === 'elsewhere' ? 1 : 0);
        }),
        {
          numRuns: propertyRuns(examples.length),
          examples: examples.map((it): [typeof it] => [it]),
        },
      );
      expect([...answers].map(([key, texts]) => [key, texts.size])).toEqual(
        expect.arrayContaining([
          ['member', 1],
          ['visitor', 1],
        ]),
      );
      const [[, [member = '']] = ['', new Set<string>()]] = [...answers]
        .filter(([key]) => key === 'member')
        .map(([key, texts]) => [key, [...texts]] as const);
      expect(JSON.parse(member)[0]).toMatchObject({
        status: 201,
        checkIn: {
          result: 'admitted',
          unconfirmed: true,
          label: 'Aylin D.',
          checkedInAt: null,
          checkedOutAt: null,
        },
      });
      expect(JSON.parse(member)[2].error.message).toMatch(/cannot check people out by handle/);
    });

    it('learns that the location is full, whoever it checks in', async () => {
      const { location } = await make.makeSpace();
      const present = await make.makeMember();
      const absent = await make.makeMember();
      await staff({ locationId: location.id, memberId: present.id });
      await make.setCapacity(location.id, 1);
      for (const { id } of [present, absent]) {
        const handle = await make.makeHandle(id, location.id);
        const { checkIn, status } = await scan({ locationId: location.id, handle });
        expect([checkIn.result, checkIn.checkedInAt, status]).toEqual(['capacity_full', null, 200]);
      }
    });
  },
);

// Both APIs ask the same service, which counts.
describe.each(takeSample(APIS, 1))(
  'a client without pairing that checks many people in by handle, through %s',
  (_, createScanner) => {
    let scan: Scanner;
    beforeAll(() => {
      scan = createScanner(app);
    });

    it('cannot confirm members beyond the lookup limit, nor fill the location for others', async () => {
      const { location } = await make.makeSpace();
      const members = [];
      for (let n = 0; n < 20; n += 1)
        members.push(
          await make.makeMember({
            name: `Anna Number${n}`,
            email: `anna.${n}.${location.id}@example.org`,
          }),
        );
      await make.setCapacity(location.id, 8);
      const address = uniqueAddress();
      let found = 0;
      for (const { email } of members) {
        const { matches } = await sendLookup(
          'REST',
          app.url,
          { locationId: location.id, query: email },
          { address },
        );
        const handle = matches?.[0]?.handle;
        if (handle === undefined) continue;
        found += 1;
        await scan({ locationId: location.id, handle });
      }
      expect(found).toBe(10);
      expect(await readFrontDesk(location.id)).toMatchObject({ present: 8, unconfirmed: 8 });
      // Everyone with a code of their own still finds a place.
      for (const { code } of members.slice(10, 18))
        expect((await scan({ locationId: location.id, code })).checkIn.result).toBe('admitted');
      expect(
        (await scan({ locationId: location.id, code: String(members[18]?.code) })).checkIn.result,
      ).toBe('capacity_full');
    });

    it('sends a host one email a day about a visitor, and at most ten, which say that nobody confirmed it', async () => {
      const { location } = await make.makeSpace();
      const host = await make.makeMember();
      const visit = async (name: string) =>
        scan({
          locationId: location.id,
          handle: await make.makeHandle(host.id, location.id),
          visitor: { name },
        });
      for (const name of ['Max Muster', 'max  muster', 'Máx Muster']) await visit(name);
      const [mail, ...others] = await findEmails(host.email);
      expect(others).toEqual([]);
      expect(mail?.text).toContain('Max Muster');
      expect(mail?.text).toMatch(/Nobody has confirmed this/);
      for (let n = 0; n < 15; n += 1) await visit(`Guest ${'abcdefghijklmnop'[n]}`);
      expect(await findEmails(host.email)).toHaveLength(10);
      // A visit by staff is confirmed, so that the limit does not apply.
      await staff({ locationId: location.id, memberId: host.id, visitor: { name: 'Max Muster' } });
      expect(await findEmails(host.email)).toHaveLength(11);
      app.clock.now = new Date(NOW.getTime() + 24 * 3_600_000);
      await visit('Max Muster');
      expect(await findEmails(host.email)).toHaveLength(12);
    });
  },
);

describe('an unconfirmed visit', () => {
  const begin = async (memberId: string, locationId: string, more = {}) =>
    (
      await createGraphqlScanner(app)({
        locationId,
        handle: await make.makeHandle(memberId, locationId),
        ...more,
      })
    ).checkIn;

  it('is shown as unconfirmed until staff confirms it', async () => {
    const { location, room } = await make.makeSpace();
    const member = await make.makeMember({ name: 'Aylin Demir' });
    const booking = await make.makeBooking(room, { memberId: member.id });
    const { id, checkOutToken } = await begin(member.id, location.id);
    await begin(member.id, location.id);
    const shown = await readFrontDesk(location.id);
    expect(shown).toMatchObject({
      present: 1,
      unconfirmed: 1,
      people: [{ label: 'Aylin Demir', unconfirmed: true }],
    });
    const confirm = (id: string | null) =>
      app.graphql(
        'mutation ($id: ID!) { confirmVisit(input: { id: $id }) { checkIn { result unconfirmed } } }',
        { id },
        { token: staffToken },
      );
    const { data } = await confirm(id);
    expect(data.confirmVisit.checkIn).toEqual({ result: 'ADMITTED', unconfirmed: false });
    expect(await readFrontDesk(location.id)).toMatchObject({
      present: 1,
      unconfirmed: 0,
      people: [{ unconfirmed: false }],
    });
    expect(
      (await app.ctx.db.booking.findUniqueOrThrow({ where: { id: booking.id } })).checkedInAt,
    ).not.toBeNull();
    // Its token no longer matters, and it does not show again after the person has left.
    await postJson(app, `/public/check-ins/${checkOutToken}/check-out`, {});
    expect(await readFrontDesk(location.id)).toMatchObject({ present: 1, unconfirmed: 0 });
    await staff({ locationId: location.id, memberId: member.id, leaving: true });
    expect(await readFrontDesk(location.id)).toMatchObject({ present: 0, people: [] });
    expect((await confirm(member.id)).errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
  });

  it('of a visitor is replaced by another whose name differs in accents and spaces only', async () => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    for (const name of ['Max Muster', ' máx  MUSTER'])
      await begin(host.id, location.id, { visitor: { name } });
    expect(await readFrontDesk(location.id)).toMatchObject({ unconfirmed: 1, people: [{}] });
  });

  const confirm = async (id: string | null) => {
    const { data, errors } = await app.graphql(
      'mutation ($id: ID!) { confirmVisit(input: { id: $id }) { checkIn { result } } }',
      { id },
      { token: staffToken },
    );
    return data?.confirmVisit?.checkIn.result ?? errors?.[0]?.extensions?.reason;
  };

  it('of a visitor can be confirmed once, also by several people at the same time', async () => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    const { id } = await begin(host.id, location.id, { visitor: { name: 'Max Muster' } });
    const results = await Promise.all([confirm(id), confirm(id), confirm(id)]);
    expect(results.sort()).toEqual(['ADMITTED', 'OVER', 'OVER']);
    expect(await readFrontDesk(location.id)).toMatchObject({
      present: 1,
      unconfirmed: 0,
      people: [{ label: 'Max Muster' }],
    });
  });

  it('of a member can be confirmed again, and not after it has ended', async () => {
    const { location } = await make.makeSpace();
    const [member, other] = [await make.makeMember(), await make.makeMember()];
    const { id } = await begin(member.id, location.id);
    expect([await confirm(id), await confirm(id)]).toEqual(['ADMITTED', 'ALREADY_IN']);
    const ended = await begin(other.id, location.id);
    await postJson(app, `/public/check-ins/${ended.checkOutToken}/check-out`, {});
    expect(await confirm(ended.id)).toBe('OVER');
    expect(await readFrontDesk(location.id)).toMatchObject({ present: 1, unconfirmed: 0 });
  });

  it.each(['code', 'paired kiosk'])(
    'is confirmed by a check-in by %s, which ends visits elsewhere',
    async (how) => {
      const [here, there] = [(await make.makeSpace()).location, (await make.makeSpace()).location];
      const member = await make.makeMember();
      await staff({ locationId: there.id, memberId: member.id });
      await begin(member.id, here.id);
      expect(await readFrontDesk(there.id)).toMatchObject({ present: 1 });
      const { token } = await addDisplay(app, here.id);
      const { checkIn } =
        how === 'code'
          ? await createGraphqlScanner(app)({ locationId: here.id, code: member.code })
          : await createGraphqlScanner(app, { token })({
              locationId: here.id,
              handle: await make.makeHandle(member.id, here.id),
            });
      expect(checkIn).toMatchObject({
        result: 'admitted',
        unconfirmed: false,
        checkedInAt: NOW.toISOString(),
      });
      expect(await readFrontDesk(here.id)).toMatchObject({ present: 1, unconfirmed: 0 });
      expect(await readFrontDesk(there.id)).toMatchObject({ present: 0 });
    },
  );

  it('ends when the person leaves with a code', async () => {
    const { location } = await make.makeSpace();
    const member = await make.makeMember();
    await begin(member.id, location.id);
    await begin(member.id, location.id);
    const { checkIn } = await createGraphqlScanner(app)({
      locationId: location.id,
      code: member.code,
      leaving: true,
    });
    expect(checkIn.result).toBe('checked_out');
    expect(await readFrontDesk(location.id)).toMatchObject({ present: 0, unconfirmed: 0 });
  });

  it('does not keep a booking from being released as a no-show', async () => {
    const { location, room } = await make.makeSpace();
    await app.ctx.db.resource.update({ where: { id: room.id }, data: { noShowMinutes: 15 } });
    const member = await make.makeMember();
    const booking = await make.makeBooking(room, { memberId: member.id });
    await begin(member.id, location.id);
    app.clock.now = new Date(booking.startsAt.getTime() + 16 * 60_000);
    await app.ctx.db.booking.update({
      where: { id: booking.id },
      data: { updatedAt: booking.startsAt },
    });
    await releaseNoShows(app.ctx);
    expect((await app.ctx.db.booking.findUniqueOrThrow({ where: { id: booking.id } })).status).toBe(
      'no_show',
    );
  });
});
