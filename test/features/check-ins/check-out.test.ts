import { hashSecret, isWellFormedSecret, redact } from '../../../src/auth/tokens.ts';
import { addDisplay } from '../../support/clients/member-lookup.ts';
import {
  APIS,
  createAdmissionFactories,
  createGraphqlScanner,
} from '../../support/factories/check-ins.ts';
import { postJson } from '../../support/factories/events.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
beforeAll(async () => {
  app = await startApp();
  make = createAdmissionFactories(app);
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const byId = async (id: string, token?: string) => {
  const as = token ? { token } : {};
  const query = 'mutation ($id: ID!) { checkOut(input: { id: $id }) { checkIn { result } } }';
  const rest = await postJson(app, `/public/check-ins/${id}/check-out`, {}, as);
  const graphql = await app.graphql(query, { id }, as);
  return {
    rest: { status: rest.status, body: rest.body },
    graphql: graphql.data?.checkOut.checkIn?.result ?? graphql.errors[0]?.message,
  };
};

const REJECTED = {
  rest: { status: 404, body: { success: false, data: 'No such check-in.' } },
  graphql: 'No such check-in.',
};

describe.each(APIS)('a check-out token, through %s', (_, createScanner, checkOut) => {
  it('is returned by the admission only', async () => {
    const { code, locationId } = await make.makeTicket();
    const first = (await createScanner(app)({ locationId, code })).checkIn;
    expect(isWellFormedSecret('checkOut', first.checkOutToken ?? '')).toBe(true);
    expect((await createScanner(app)({ locationId, code })).checkIn.checkOutToken).toBeNull();
    const out = (await checkOut(app, first.checkOutToken as string)).checkIn;
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
    const [first, again] = await Promise.all([createScanner(app)(scan), createScanner(app)(scan)]);
    expect(again).toEqual(first);
    const { id } = first.checkIn;
    const row = await app.ctx.db.checkIn.findUniqueOrThrow({ where: { id: id as string } });
    expect(row.scanId).not.toContain(scan.scanId);
    expect((await checkOut(app, again.checkIn.checkOutToken as string)).checkIn.result).toBe(
      'checked_out',
    );
  });

  it('is returned to devices too', async () => {
    const { code, locationId } = await make.makeTicket();
    const { token } = await addDisplay(app, locationId);
    const { checkIn } = await createScanner(app, { token })({ locationId, code });
    expect(await byId(checkIn.id as string, token)).toEqual(REJECTED);
    expect((await checkOut(app, checkIn.checkOutToken as string, { token })).checkIn.result).toBe(
      'checked_out',
    );
  });
});

describe('the id of a check-in', () => {
  const admit = async () => {
    const { code, locationId } = await make.makeTicket();
    return (await createGraphqlScanner(app)({ locationId, code })).checkIn.id as string;
  };

  it('does not end a visit for callers without check-ins:write', async () => {
    const id = await admit();
    const unknown = '01a2020b-0000-7000-8000-000000000000';
    const tokens = [undefined, await app.token('check-ins:read'), await app.token('members:write')];
    for (const token of tokens) {
      expect(await byId(id, token)).toEqual(REJECTED);
      expect(await byId(unknown, token)).toEqual(REJECTED);
    }
    // An invalid credential is ignored.
    const stranger = await postJson(
      app,
      `/public/check-ins/${id}/check-out`,
      {},
      { token: 'foyer_x' },
    );
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
    const query = 'mutation ($id: ID!) { checkOut(input: { id: $id }) { checkIn { result } } }';
    expect(
      (await app.graphql(query, { id: await admit() }, { cookie })).data.checkOut.checkIn.result,
    ).toBe('CHECKED_OUT');
  });

  it('cannot be combined with a token', async () => {
    for (const input of ['', 'id: "a", token: "b"']) {
      const { errors } = await app.graphql(
        `mutation { checkOut(input: { ${input} }) { checkIn { result } } }`,
      );
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
