import { endOverdueVisits } from '../../../src/features/check-ins/commands/check-out.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { DOORS, type Door, graphqlDoor, presentablesOf, today } from '../../support/check-ins.ts';
import { mailsTo } from '../../support/events.ts';
import { NOW } from '../../support/seed.ts';

let app: TestApp;
let make: ReturnType<typeof presentablesOf>;
let staff: Door;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = presentablesOf(app);
  staff = graphqlDoor(app, { token: await app.token('check-ins:write') });
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const HOUR = 3_600_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString();

describe.each(DOORS)('what happened offline and is told later, through %s,', (_, door) => {
  let scan: Door;
  beforeAll(() => {
    scan = door(app);
  });

  it('is judged as of that time, and is recorded as told now', async () => {
    const { code, locationId } = await make.makeTicket({}, today('08:00', '10:00'));
    expect((await scan({ locationId, code })).told.result).toBe('expired');
    const { told, status } = await scan({ locationId, code, occurredAt: ago(HOUR) });
    expect(status).toBe(201);
    expect(told).toMatchObject({ result: 'admitted', checkedInAt: ago(HOUR) });
    expect(told.checkedOutAt).toBe(today('10:00', '10:00').startsAt.toISOString());
    expect((await make.attempts(locationId))[1]).toMatchObject({
      ...{ occurredAt: new Date(ago(HOUR)), createdAt: NOW, autoCheckedOut: true },
      ...{ autoCheckOutAt: today('10:00', '10:00').endsAt },
    });
  });

  it('takes no room where the visit is over by now', async () => {
    const { location } = await make.makeHouse();
    await make.capacity(location.id, 1);
    const at = { locationId: location.id };
    await scan({ ...at, code: (await make.makeMember()).code });
    const yesterday = { ...at, occurredAt: ago(23 * HOUR) };
    const { told } = await scan({ ...yesterday, code: (await make.makeMember()).code });
    expect(told.result).toBe('admitted');
    expect(await make.presentAt(location.id)).toBe(1);
    const today = { ...at, occurredAt: ago(HOUR / 2) };
    expect((await scan({ ...today, code: (await make.makeMember()).code })).told.result).toBe(
      'capacity_full',
    );
  });

  it('does not admit a ticket that was used since', async () => {
    const { code, locationId } = await make.makeTicket();
    await scan({ locationId, code });
    const { told } = await scan({ locationId, code, occurredAt: ago(600_000) });
    expect(told).toMatchObject({ result: 'already_in', checkedInAt: NOW.toISOString() });
  });

  it('of a member who is somewhere else by now ended when they came there', async () => {
    const [here, there] = [(await make.makeHouse()).location, (await make.makeHouse()).location];
    const { code } = await make.makeMember();
    await scan({ locationId: there.id, code });
    const { told } = await scan({ locationId: here.id, code, occurredAt: ago(HOUR) });
    expect(told).toMatchObject({ result: 'admitted', checkedOutAt: NOW.toISOString() });
    expect([await make.presentAt(here.id), await make.presentAt(there.id)]).toEqual([0, 1]);
  });

  it('shortens a visit that had ended by itself, where they had left before', async () => {
    const { location } = await make.makeHouse();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    const { told } = await scan(at);
    app.clock.now = new Date(NOW.getTime() + 12 * HOUR); // the doors were shut at 18:00
    await endOverdueVisits(app.ctx);
    const left = new Date(NOW.getTime() + 3 * HOUR);
    const leaving = { ...at, leaving: true, occurredAt: left.toISOString() };
    const gone = await scan({ ...leaving, scanId: 'gone' });
    expect(gone.told).toMatchObject({
      ...{ id: told.id, result: 'checked_out', checkedInAt: NOW.toISOString() },
      checkedOutAt: left.toISOString(),
    });
    expect(await scan({ ...leaving, scanId: 'gone' })).toEqual(gone);
    const visit = { checkedOutAt: left, autoCheckedOut: false };
    expect((await make.attempts(location.id))[0]).toMatchObject(visit);
    // Once they said so it stays.
    const earlier = new Date(NOW.getTime() + HOUR).toISOString();
    expect((await scan({ ...leaving, occurredAt: earlier })).told.result).toBe('not_found');
    expect((await make.attempts(location.id))[0]).toMatchObject(visit);
  });

  it('ends the visit of then, not that of today', async () => {
    const { location } = await make.makeHouse();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    await scan(at);
    app.clock.now = new Date(NOW.getTime() + 23 * HOUR);
    expect((await scan(at)).told.result).toBe('admitted');
    const left = new Date(NOW.getTime() + HOUR);
    const { told } = await scan({ ...at, leaving: true, occurredAt: left.toISOString() });
    expect(told).toMatchObject({ result: 'checked_out', checkedOutAt: left.toISOString() });
    expect(await make.presentAt(location.id)).toBe(1);
  });

  it('shortens the visit of a visitor too', async () => {
    const { location } = await make.makeHouse();
    const host = await make.makeMember();
    const visit = { locationId: location.id, visitor: { name: 'Grace Hopper' } };
    await staff({ ...visit, memberId: host.id });
    app.clock.now = new Date(NOW.getTime() + 12 * HOUR);
    await endOverdueVisits(app.ctx);
    const left = new Date(NOW.getTime() + HOUR);
    const handle = await make.makeHandle(host.id, location.id);
    const { told } = await scan({
      ...{ ...visit, handle, leaving: true, occurredAt: left.toISOString() },
    });
    expect(told).toMatchObject({ result: 'checked_out', checkedOutAt: left.toISOString() });
  });

  it('is not in the future, but for two minutes, which are now', async () => {
    const { code, locationId } = await make.makeTicket();
    const { refusal, status } = await scan({ locationId, code, occurredAt: ago(-120_001) });
    expect(status).toBe(422);
    expect(refusal?.message).toMatch(/is in the future/);
    const { told } = await scan({ locationId, code, occurredAt: ago(-120_000) });
    expect(told).toMatchObject({ result: 'admitted', checkedInAt: NOW.toISOString() });
  });

  it('is at most a day ago for strangers', async () => {
    const { location } = await make.makeHouse();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    const { refusal, status } = await scan({ ...at, occurredAt: ago(24 * HOUR + 1) });
    expect(status).toBe(422);
    expect(refusal?.message).toMatch(/more than 24 hours ago/);
    expect((await scan({ ...at, occurredAt: ago(24 * HOUR) })).told.result).toBe('admitted');
  });

  it('may be sent again with its time, where the first answer was lost', async () => {
    const { code, locationId } = await make.makeTicket();
    const first = await scan({ locationId, code, scanId: 'lost' });
    app.clock.now = new Date(NOW.getTime() + HOUR);
    const again = await scan({ locationId, code, scanId: 'lost', occurredAt: NOW.toISOString() });
    expect(again).toEqual(first);
  });
});

describe('staff', () => {
  it('tells of the last seven days, and nobody is told that somebody has come who has left since', async () => {
    const { location } = await make.makeHouse();
    const host = await make.makeMember();
    const at = { locationId: location.id, memberId: host.id, visitor: { name: 'Grace Hopper' } };
    const { told } = await staff({ ...at, occurredAt: ago(7 * 24 * HOUR) });
    expect(told.result).toBe('admitted');
    expect(await mailsTo(app, host.email)).toEqual([]);
    const { refusal } = await staff({ ...at, occurredAt: ago(7 * 24 * HOUR + 1) });
    expect(refusal).toMatchObject({ code: 'VALIDATION', reason: 'TOO_LONG_AGO' });
  });
});
