import { v7 } from 'uuid';
import { addDisplay } from '../../support/clients/member-lookup.ts';
import { APIS, createAdmissionFactories, type Scanner } from '../../support/factories/check-ins.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = createAdmissionFactories(app);
});
afterEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const advanceClock = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

describe.each(APIS)('through %s', (_, createScanner) => {
  let scan: Scanner;
  beforeAll(() => {
    scan = createScanner(app);
  });
  const result = async (...args: Parameters<Scanner>) => (await scan(...args)).checkIn.result;

  describe('a member', () => {
    it('checks in and out by code', async () => {
      const { location } = await make.makeSpace();
      const { code, name } = await make.makeMember({ name: 'Ben Okafor' });
      const scanned = { locationId: location.id, code: code.toLowerCase() };
      expect((await scan(scanned)).checkIn).toMatchObject({
        ...{ result: 'admitted', label: 'Ben O.', subject: { type: 'member', title: null } },
      });
      expect(await result(scanned)).toBe('already_in');
      const { checkIn, status } = await scan({ ...scanned, leaving: true });
      expect([checkIn.result, status]).toEqual(['checked_out', 200]);
      expect(checkIn).toMatchObject({ id: expect.any(String), checkedInAt: NOW.toISOString() });
      expect(await result({ ...scanned, leaving: true })).toBe('not_found');
      expect(await result(scanned)).toBe('admitted');
      expect(name).toBe('Ben Okafor');
    });
  });

  describe('a handle', () => {
    it('admits its member once and credits the lookup', async () => {
      const { location } = await make.makeSpace();
      const { id } = await make.makeMember();
      const other = await make.makeMember();
      const lookupId = v7();
      const handle = await make.makeHandle(id, location.id, { lookupId });
      await make.makeHandle(other.id, location.id, { lookupId });
      const atKiosk = createScanner(app, { token: (await addDisplay(app, location.id)).token });
      expect((await atKiosk({ locationId: location.id, handle })).checkIn).toMatchObject({
        ...{ result: 'admitted', unconfirmed: false, subject: { type: 'member' } },
      });
      const rows = await app.ctx.db.lookupHandle.findMany({ where: { lookupId } });
      expect(rows.map(({ arrived }) => arrived)).toEqual([true, true]);
      expect(rows.map(({ usedAt }) => usedAt !== null).toSorted()).toEqual([false, true]);
      await atKiosk({ locationId: location.id, handle, leaving: true });
      expect((await atKiosk({ locationId: location.id, handle })).checkIn.result).toBe('expired');
    });

    it('expires after two minutes, whatever time the client sends', async () => {
      const { location } = await make.makeSpace();
      const { id } = await make.makeMember();
      const handle = await make.makeHandle(id, location.id);
      advanceClock(2);
      const occurredAt = NOW.toISOString();
      expect(await result({ locationId: location.id, handle, occurredAt })).toBe('expired');
      expect(await make.countPresent(location.id)).toBe(0);
    });

    it('is valid only at the location of the lookup', async () => {
      const [here, there] = [(await make.makeSpace()).location, (await make.makeSpace()).location];
      const { id } = await make.makeMember();
      const handle = await make.makeHandle(id, here.id);
      expect(await result({ locationId: there.id, handle })).toBe('wrong_location');
      expect(await result({ locationId: here.id, handle })).toBe('admitted');
    });

    it('that does not exist gets not_found', async () => {
      const { location } = await make.makeSpace();
      expect(await result({ locationId: location.id, handle: 'foyerh_nonsense' })).toBe(
        'not_found',
      );
    });
  });
});
