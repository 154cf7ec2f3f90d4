import { endOverdueVisits } from '../../../src/features/check-ins/service/check-out.ts';
import {
  APIS,
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
  todayInBerlin,
} from '../../support/factories/check-ins.ts';
import { findEmails } from '../../support/factories/events.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let staff: Scanner;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = createAdmissionFactories(app);
  staff = createGraphqlScanner(app, { token: await app.token('check-ins:write') });
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const HOUR = 3_600_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString();

describe.each(APIS)('a scan that is sent later, through %s,', (_, createScanner) => {
  let scan: Scanner;
  beforeAll(() => {
    scan = createScanner(app);
  });

  it('is evaluated at the time it occurred and recorded now', async () => {
    const { code, locationId } = await make.makeTicket({}, todayInBerlin('08:00', '10:00'));
    expect((await scan({ locationId, code })).checkIn.result).toBe('expired');
    const { checkIn, status } = await scan({ locationId, code, occurredAt: ago(HOUR) });
    expect(status).toBe(201);
    expect(checkIn).toMatchObject({ result: 'admitted', checkedInAt: ago(HOUR) });
    expect(checkIn.checkedOutAt).toBe(todayInBerlin('10:00', '10:00').startsAt.toISOString());
    expect((await make.listAttempts(locationId))[1]).toMatchObject({
      ...{ occurredAt: new Date(ago(HOUR)), createdAt: NOW, autoCheckedOut: true },
      ...{ autoCheckOutAt: todayInBerlin('10:00', '10:00').endsAt },
    });
  });

  it('does not count for the capacity if the visit has ended', async () => {
    const { location } = await make.makeSpace();
    await make.setCapacity(location.id, 1);
    const at = { locationId: location.id };
    await scan({ ...at, code: (await make.makeMember()).code });
    const yesterday = { ...at, occurredAt: ago(23 * HOUR) };
    const { checkIn } = await scan({ ...yesterday, code: (await make.makeMember()).code });
    expect(checkIn.result).toBe('admitted');
    expect(await make.countPresent(location.id)).toBe(1);
    const thisMorning = { ...at, occurredAt: ago(HOUR / 2) };
    expect(
      (await scan({ ...thisMorning, code: (await make.makeMember()).code })).checkIn.result,
    ).toBe('capacity_full');
  });

  it('is recorded with a note by trusted clients if its ticket was cancelled in the meantime', async () => {
    const { db } = app.ctx;
    const cancelledAt = new Date(ago(HOUR / 2));
    const cancel = { status: 'cancelled' as const, cancelledAt };
    for (const kind of ['ticket', 'event', 'held'] as const) {
      const { code, locationId } = await make.makeTicket({}, todayInBerlin('08:00', '23:00'));
      const { id, eventId } = await db.ticket.findUniqueOrThrow({ where: { code } });
      if (kind === 'event') await db.event.update({ where: { id: eventId }, data: cancel });
      // A ticket that was never valid has no time of cancellation.
      const data = kind === 'held' ? { ...cancel, cancelledAt: null } : cancel;
      if (kind !== 'event') await db.ticket.update({ where: { id }, data });
      const at = { locationId, code, occurredAt: ago(HOUR) };
      expect((await scan(at)).checkIn.result).toBe('cancelled');
      expect((await staff({ ...at, occurredAt: ago(HOUR / 4) })).checkIn.result).toBe('cancelled');
      const { checkIn } = await staff(at);
      expect([kind, checkIn.result]).toEqual([kind, kind === 'held' ? 'cancelled' : 'admitted']);
      if (kind === 'held') continue;
      const [visit] = await db.checkIn.findMany({ where: { ticketId: id, result: 'admitted' } });
      expect(visit).toMatchObject({ beforeCancellation: true, occurredAt: new Date(ago(HOUR)) });
    }
  });

  it('admits for trusted clients if the payment was disputed in the meantime', async () => {
    for (const makeOne of [
      () => make.makeTicket({}, todayInBerlin('08:00', '23:00')),
      make.makePass,
    ]) {
      const { code, locationId, orderId: id } = await makeOne();
      const disputedAt = new Date(ago(HOUR / 2));
      await app.ctx.db.order.update({ where: { id }, data: { disputedAt } });
      const at = { locationId, code, occurredAt: ago(HOUR) };
      expect((await scan(at)).checkIn.result).toBe('unpaid');
      expect((await staff({ ...at, occurredAt: ago(HOUR / 2) })).checkIn.result).toBe('unpaid');
      expect((await staff(at)).checkIn).toMatchObject({ result: 'admitted', disputed: false });
    }
  });

  it('does not admit a ticket that was used in the meantime', async () => {
    const { code, locationId } = await make.makeTicket();
    await scan({ locationId, code });
    const { checkIn } = await scan({ locationId, code, occurredAt: ago(600_000) });
    expect(checkIn).toMatchObject({ result: 'already_in', checkedInAt: NOW.toISOString() });
  });

  it('ends immediately for a member who has checked in elsewhere since', async () => {
    const [here, there] = [(await make.makeSpace()).location, (await make.makeSpace()).location];
    const { code } = await make.makeMember();
    await scan({ locationId: there.id, code });
    const { checkIn } = await scan({ locationId: here.id, code, occurredAt: ago(HOUR) });
    expect(checkIn).toMatchObject({ result: 'admitted', checkedOutAt: NOW.toISOString() });
    expect([await make.countPresent(here.id), await make.countPresent(there.id)]).toEqual([0, 1]);
  });

  it('shortens a visit that ended automatically if it is an earlier check-out', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    const { checkIn } = await scan(at);
    app.clock.now = new Date(NOW.getTime() + 12 * HOUR); // after closing time at 18:00
    await endOverdueVisits(app.ctx);
    const left = new Date(NOW.getTime() + 3 * HOUR);
    const leaving = { ...at, leaving: true, occurredAt: left.toISOString() };
    const checkedOut = await scan({ ...leaving, scanId: 'gone' });
    expect(checkedOut.checkIn).toMatchObject({
      ...{ id: checkIn.id, result: 'checked_out', checkedInAt: NOW.toISOString() },
      checkedOutAt: left.toISOString(),
    });
    expect(await scan({ ...leaving, scanId: 'gone' })).toEqual(checkedOut);
    const visit = { checkedOutAt: left, autoCheckedOut: false };
    expect((await make.listAttempts(location.id))[0]).toMatchObject(visit);
    // A reported check-out is final.
    const earlier = new Date(NOW.getTime() + HOUR).toISOString();
    expect((await scan({ ...leaving, occurredAt: earlier })).checkIn.result).toBe('not_found');
    expect((await make.listAttempts(location.id))[0]).toMatchObject(visit);
  });

  it('does not end a visit that began after the person left', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    await scan(at);
    const leaving = { ...at, leaving: true, occurredAt: ago(HOUR), scanId: `early-${code}` };
    const early = await scan(leaving);
    expect(early.checkIn.result).toBe('not_found');
    expect(await scan(leaving)).toEqual(early);
    expect(await make.countPresent(location.id)).toBe(1);
    expect((await scan({ ...at, leaving: true })).checkIn.result).toBe('checked_out');
  });

  it('does not end a visit after an earlier one that has ended otherwise', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    await scan({ ...at, occurredAt: ago(3 * HOUR) });
    await scan({ ...at, leaving: true, occurredAt: ago(2 * HOUR) });
    await scan({ ...at, occurredAt: ago(HOUR) });
    const between = { ...at, leaving: true, occurredAt: ago(1.5 * HOUR) };
    expect((await scan(between)).checkIn.result).toBe('not_found');
    const during = { ...at, leaving: true, occurredAt: ago(2.5 * HOUR) };
    expect((await scan(during)).checkIn.result).toBe('not_found');
    expect(await make.countPresent(location.id)).toBe(1);
  });

  it('ends the visit at that time, not the current one', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    await scan(at);
    app.clock.now = new Date(NOW.getTime() + 23 * HOUR);
    expect((await scan(at)).checkIn.result).toBe('admitted');
    const left = new Date(NOW.getTime() + HOUR);
    const { checkIn } = await scan({ ...at, leaving: true, occurredAt: left.toISOString() });
    expect(checkIn).toMatchObject({ result: 'checked_out', checkedOutAt: left.toISOString() });
    expect(await make.countPresent(location.id)).toBe(1);
  });

  it('shortens the visit of a visitor too', async () => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    const visit = { locationId: location.id, visitor: { name: 'Grace Hopper' } };
    await staff({ ...visit, memberId: host.id });
    app.clock.now = new Date(NOW.getTime() + 12 * HOUR);
    await endOverdueVisits(app.ctx);
    const left = new Date(NOW.getTime() + HOUR);
    const { checkIn } = await staff({
      ...{ ...visit, memberId: host.id, leaving: true, occurredAt: left.toISOString() },
    });
    expect(checkIn).toMatchObject({ result: 'checked_out', checkedOutAt: left.toISOString() });
  });

  it('cannot be in the future, except for two minutes of clock skew', async () => {
    const { code, locationId } = await make.makeTicket();
    const { error, status } = await scan({ locationId, code, occurredAt: ago(-120_001) });
    expect(status).toBe(422);
    expect(error?.message).toMatch(/is in the future/);
    const { checkIn } = await scan({ locationId, code, occurredAt: ago(-120_000) });
    expect(checkIn).toMatchObject({ result: 'admitted', checkedInAt: NOW.toISOString() });
  });

  it('can be at most a day old for strangers', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    const at = { locationId: location.id, code };
    const { error, status } = await scan({ ...at, occurredAt: ago(24 * HOUR + 1) });
    expect(status).toBe(422);
    expect(error?.message).toMatch(/more than 24 hours ago/);
    expect((await scan({ ...at, occurredAt: ago(24 * HOUR) })).checkIn.result).toBe('admitted');
  });

  it('can be retried with its time after a lost response', async () => {
    const { code, locationId } = await make.makeTicket();
    const first = await scan({ locationId, code, scanId: 'lost' });
    app.clock.now = new Date(NOW.getTime() + HOUR);
    const again = await scan({ locationId, code, scanId: 'lost', occurredAt: NOW.toISOString() });
    expect(again).toEqual(first);
  });
});

describe('a late scan by staff', () => {
  it('can be seven days old and sends no email about a visitor who has left', async () => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    const at = { locationId: location.id, memberId: host.id, visitor: { name: 'Grace Hopper' } };
    const { checkIn } = await staff({ ...at, occurredAt: ago(7 * 24 * HOUR) });
    expect(checkIn.result).toBe('admitted');
    expect(await findEmails(app, host.email)).toEqual([]);
    const { error } = await staff({ ...at, occurredAt: ago(7 * 24 * HOUR + 1) });
    expect(error).toMatchObject({ code: 'VALIDATION', reason: 'TOO_LONG_AGO' });
  });
});
