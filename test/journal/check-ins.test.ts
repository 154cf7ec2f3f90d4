import { endOverdueVisits } from '../../src/features/check-ins/service/check-out.ts';
import { markSilentDisplays } from '../../src/features/displays/service/silence-monitor.ts';
import {
  checkOutByGraphql,
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
} from '../support/factories/check-ins.ts';
import { findChangesOf } from '../support/factories/journal.ts';
import { NOW } from '../support/factories/seed.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let scan: Scanner;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = createAdmissionFactories(app);
  scan = createGraphqlScanner(app);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const toTimes = (changes: Awaited<ReturnType<typeof findChangesOf>>) =>
  changes.map(({ type, before, after }) => [type, before, after]);
const laterToday = (time: string) => {
  app.clock.now = new Date(`2026-03-18T${time}:00+01:00`);
};

describe('a check-in', () => {
  it('records admitted and rejected guests, but nothing for a repeated scan', async () => {
    const { code, locationId, id } = await make.makeTicket();
    const changes = await findChangesOf(app, async () => {
      await scan({ locationId, code, scanId: 'scan-number-1' });
      await scan({ locationId, code, scanId: 'scan-number-1' });
      await scan({ locationId, code });
    });
    expect(changes).toMatchObject([
      {
        ...{ type: 'check_in.admitted', locationId, actorKind: 'anonymous', before: null },
        after: { result: 'admitted', ticket_id: id, label: 'Ada Lovelace', checked_out_at: null },
      },
      { type: 'check_in.rejected', before: null, after: { result: 'already_in', ticket_id: id } },
    ]);
  });

  it('records the end of a visit once, and no refusal of a guest who leaves', async () => {
    const { code, locationId } = await make.makeTicket();
    const { checkIn } = await scan({ locationId, code });
    const token = checkIn.checkOutToken ?? '';
    const end = { checked_out_at: NOW.toISOString() };
    const changes = await findChangesOf(app, async () => {
      await checkOutByGraphql(app, token);
      await checkOutByGraphql(app, token);
      await scan({ locationId, code, leaving: true });
    });
    expect(toTimes(changes)).toEqual([['check_in.checked_out', { checked_out_at: null }, end]]);
    expect(changes[0]?.subjectId).toBe(checkIn.id);
  });

  it('records that the service ended a visit, and a correction by a late scan', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    await scan({ locationId: location.id, code });
    laterToday('18:30');
    const ended = (await findChangesOf(app, () => endOverdueVisits(app.ctx))).filter(
      ({ locationId }) => locationId === location.id,
    );
    const closing = { checked_out_at: '2026-03-18T17:00:00.000Z' };
    expect(ended).toMatchObject([
      { type: 'check_in.checked_out', actorKind: 'system', before: { checked_out_at: null } },
    ]);
    expect(ended[0]?.after).toEqual(closing);
    const occurredAt = '2026-03-18T16:00:00.000Z';
    const corrected = await findChangesOf(app, () =>
      scan({ locationId: location.id, code, leaving: true, occurredAt }),
    );
    expect(toTimes(corrected)).toEqual([
      ['check_in.checked_out', closing, { checked_out_at: occurredAt }],
    ]);
  });

  it('records visits that are overdue when the next guest arrives as ended by the service', async () => {
    const { location } = await make.makeSpace();
    const [first, second] = [await make.makeMember(), await make.makeMember()];
    await scan({ locationId: location.id, code: first.code });
    laterToday('18:30');
    const changes = await findChangesOf(app, () =>
      scan({ locationId: location.id, code: second.code }),
    );
    expect(changes).toMatchObject([
      { type: 'check_in.checked_out', actorKind: 'system', address: null },
      { actorKind: 'anonymous', address: '127.0.0.1' },
    ]);
  });

  it('records visitors with their hosts, and that nobody has confirmed them', async () => {
    const { location } = await make.makeSpace();
    const host = await make.makeMember();
    const handle = await make.makeHandle(host.id, location.id);
    const changes = await findChangesOf(app, () =>
      scan({ locationId: location.id, handle, visitor: { name: 'Vera Visit' } }),
    );
    expect(changes).toMatchObject([
      { type: 'check_in.unconfirmed', after: { subject: 'visitor', host_id: host.id } },
    ]);
  });
});

describe('a display', () => {
  it('records each change of its status, with the time at which it began', async () => {
    const { location } = await make.makeSpace();
    const { display, deviceToken } = await app.display({
      ...{ name: 'Hall', kind: 'welcome', locationId: location.id },
    });
    const atSecond = async (seconds: number, work: () => Promise<unknown>) => {
      app.clock.now = new Date(NOW.getTime() + seconds * 1_000);
      return findChangesOf(app, work);
    };
    const sendHeartbeat = async () => {
      await app.rest(`/displays/heartbeat/${deviceToken}`);
      await app.app.close(); // writes the collected heartbeats
    };
    const markSilent = () => markSilentDisplays(app.ctx.lockingSql, app.clock.now);
    const changes = [
      ...(await atSecond(0, sendHeartbeat)),
      ...(await atSecond(60, sendHeartbeat)),
      ...(await atSecond(220, markSilent)),
      ...(await atSecond(400, markSilent)),
      ...(await atSecond(500, sendHeartbeat)),
    ];
    const toSeconds = (at: Date) => (at.getTime() - NOW.getTime()) / 1_000;
    expect(
      changes.map(({ type, before, after, at }) => [type, before, after, toSeconds(at)]),
    ).toEqual([
      ['display.online', { status: 'offline' }, { status: 'online' }, 0],
      ['display.stale', { status: 'online' }, { status: 'stale' }, 210],
      ['display.offline', { status: 'stale' }, { status: 'offline' }, 360],
      ['display.online', { status: 'offline' }, { status: 'online' }, 500],
    ]);
    const origin = { subjectId: display.id, locationId: location.id };
    expect(changes).toMatchObject(
      ['device', 'system', 'system', 'device'].map((actorKind) => ({ ...origin, actorKind })),
    );
  });
});
