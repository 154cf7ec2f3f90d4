import { hashSecret, isWellFormedSecret, redact } from '../../../src/auth/tokens.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { DOORS, graphqlDoor, presentablesOf } from '../../support/check-ins.ts';
import { post } from '../../support/events.ts';
import { addDisplay } from '../../support/lookups.ts';
import { NOW } from '../../support/seed.ts';

let app: TestApp;
let make: ReturnType<typeof presentablesOf>;
beforeAll(async () => {
  app = await startApp();
  make = presentablesOf(app);
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const byId = async (id: string, token?: string) => {
  const as = token ? { token } : {};
  const query = 'mutation ($id: ID!) { checkOut(id: $id) { result } }';
  const rest = await post(app, `/public/check-ins/${id}/check-out`, {}, as);
  const graphql = await app.graphql(query, { id }, as);
  return {
    rest: { status: rest.status, body: rest.body },
    graphql: graphql.data?.checkOut?.result ?? graphql.errors[0]?.message,
  };
};

const REFUSED = {
  rest: { status: 404, body: { success: false, data: 'No such check-in.' } },
  graphql: 'No such check-in.',
};

describe.each(DOORS)('a check-out token, through %s', (_, door, checkOut) => {
  it('is returned by the admission only', async () => {
    const { code, locationId } = await make.makeTicket();
    const first = (await door(app)({ locationId, code })).told;
    expect(isWellFormedSecret('checkOut', first.checkOutToken ?? '')).toBe(true);
    expect((await door(app)({ locationId, code })).told.checkOutToken).toBeNull();
    const out = (await checkOut(app, first.checkOutToken as string)).told;
    expect(out).toMatchObject({ id: first.id, result: 'checked_out', checkOutToken: null });
    const row = await app.ctx.db.checkIn.findUniqueOrThrow({ where: { id: first.id as string } });
    expect(Buffer.from(row.checkOutHash ?? [])).toEqual(
      Buffer.from(hashSecret(first.checkOutToken as string)),
    );
    expect(JSON.stringify(row)).not.toContain(first.checkOutToken);
  });

  it('is the same for a retried scan, and cannot be read from the database', async () => {
    const { code, locationId } = await make.makeTicket();
    const scan = { locationId, code, scanId: '0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70' };
    const [first, again] = await Promise.all([door(app)(scan), door(app)(scan)]);
    expect(again).toEqual(first);
    const { id } = first.told;
    const row = await app.ctx.db.checkIn.findUniqueOrThrow({ where: { id: id as string } });
    expect(row.scanId).not.toContain(scan.scanId);
    expect((await checkOut(app, again.told.checkOutToken as string)).told.result).toBe(
      'checked_out',
    );
  });

  it('is returned to devices too', async () => {
    const { code, locationId } = await make.makeTicket();
    const { token } = await addDisplay(app, locationId);
    const { told } = await door(app, { token })({ locationId, code });
    expect(await byId(told.id as string, token)).toEqual(REFUSED);
    expect((await checkOut(app, told.checkOutToken as string, { token })).told.result).toBe(
      'checked_out',
    );
  });
});

describe('the id of a check-in', () => {
  const admit = async () => {
    const { code, locationId } = await make.makeTicket();
    return (await graphqlDoor(app)({ locationId, code })).told.id as string;
  };

  it('does not end a visit for callers without check-ins:write', async () => {
    const id = await admit();
    const unknown = '01a2020b-0000-7000-8000-000000000000';
    const tokens = [undefined, await app.token('check-ins:read'), await app.token('members:write')];
    for (const token of tokens) {
      expect(await byId(id, token)).toEqual(REFUSED);
      expect(await byId(unknown, token)).toEqual(REFUSED);
    }
    // A credential that does not hold is as if there were none.
    const stranger = await post(app, `/public/check-ins/${id}/check-out`, {}, { token: 'foyer_x' });
    expect(stranger.status).toBe(404);
    const row = await app.ctx.db.checkIn.findUniqueOrThrow({ where: { id } });
    expect(row.checkedOutAt).toBeNull();
  });

  it('ends the visit for staff and for tokens with check-ins:write', async () => {
    const token = await app.token('check-ins:write');
    const { rest, graphql } = await byId(await admit(), token);
    expect(rest).toMatchObject({
      status: 200,
      body: { data: { check_in: { result: 'checked_out' } } },
    });
    expect(graphql).toBe('CHECKED_OUT');
    const cookie = await app.signIn('fred@example.org');
    const query = 'mutation ($id: ID!) { checkOut(id: $id) { result } }';
    expect((await app.graphql(query, { id: await admit() }, { cookie })).data.checkOut.result).toBe(
      'CHECKED_OUT',
    );
  });

  it('cannot be combined with a token', async () => {
    for (const args of ['', '(id: "a", token: "b")']) {
      const { errors } = await app.graphql(`mutation { checkOut${args} { result } }`);
      expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason: 'PRESENT_ONE' });
    }
  });
});

it('check-out tokens do not appear in logs', () => {
  expect(redact('/public/check-ins/foyerv_0123456789abcdef/check-out')).toBe(
    '/public/check-ins/foyerv_***/check-out',
  );
  expect(redact('/public/check-ins/%66oyerv_0123456789/check-out')).toBe(
    '/public/check-ins/***/check-out',
  );
});
