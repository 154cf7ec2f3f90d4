import { isObjectType } from 'graphql';
import { scopeDescriptions } from '../../src/auth/scopes.ts';
import { createSecret, SECRET_KINDS, type SecretKind } from '../../src/auth/tokens.ts';
import { generateCode } from '../../src/core/ids.ts';
import { renderQrDataUrl } from '../../src/features/orders/service/portal.ts';
import { schema } from '../../src/graphql/schema.ts';
import { createSigningSecret } from '../../src/integrations/webhooks/signing.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { propertyRuns, takeSample } from '../support/harness/property-runs.ts';
import { createFindings } from '../support/walk/findings.ts';
import { type WalkCaller, walkGraphql } from '../support/walk/graphql-walk.ts';
import { readPathValues, walkRest } from '../support/walk/rest-walk.ts';
import { createCodeFinder, readCodes } from '../support/walk/secrets.ts';
import { fillSpace } from '../support/walk/space.ts';
import { UNREACHED_FIELDS } from '../support/walk/unreached.ts';

const READ_SCOPES = scopeDescriptions
  .map(({ scope }) => scope)
  .filter((scope) => scope.endsWith(':read'));

/** On a busy machine, the walk takes many times as long as alone. */
const TIMEOUT_MS = 300_000;

let app: TestApp;
let space: Awaited<ReturnType<typeof fillSpace>>;
let pathValues: Awaited<ReturnType<typeof readPathValues>>;
let codes: Map<string, string>;
let findCode: ReturnType<typeof createCodeFinder>;
/** What all callers together have reached. */
const reached = new Set<string>();

beforeAll(async () => {
  app = await startApp({ config: { QUERY_BUDGET: '1000000000' } });
  space = await fillSpace(app);
  pathValues = await readPathValues(app);
  codes = await readCodes(app, space.presentedCodes);
  findCode = createCodeFinder(codes);
}, TIMEOUT_MS);
afterAll(() => app.stop());

/** A handle is random and good for one check-in within two minutes, and kiosks without a token need it. */
const HANDLE = 'LookupMatch.handle';

/** How many objects a path goes through: `npm run test:nightly` takes one more, for three times as many paths. */
const MAX_STEPS = propertyRuns(2) > 2 ? 3 : 2;
/** Of a token with one scope, which reads a part of what a token with all of them reads. */
const MAX_STEPS_OF_ONE_SCOPE = propertyRuns(1) > 1 ? 3 : 1;

/** Reads all that a caller can read, and returns where it found codes and secrets. */
async function walk(caller: WalkCaller, { find = findCode, maxSteps = MAX_STEPS } = {}) {
  const findings = createFindings(find);
  await walkGraphql(app, caller, { args: space.args, maxSteps }, findings);
  await walkRest(app, caller, pathValues, findings);
  for (const field of findings.fields) reached.add(field);
  findings.leaks.delete(HANDLE);
  return findings.leaks;
}

async function createTokenCaller(scopes: string[]): Promise<WalkCaller> {
  const viewer = { kind: 'token', id: 'x', name: 'x', scopes } as const;
  return { viewer, credential: { token: await app.token(...scopes) } };
}

describe('finds no code that admits people and no secret', () => {
  it.each(takeSample(READ_SCOPES, 1))(
    'as a token with %s only',
    async (scope) => {
      const caller = await createTokenCaller([scope]);
      expect([...(await walk(caller, { maxSteps: MAX_STEPS_OF_ONE_SCOPE }))]).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'as a token with all :read scopes',
    async () => {
      expect([...(await walk(await createTokenCaller(READ_SCOPES)))]).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'as an anonymous caller',
    async () => {
      const leaks = await walk({ viewer: { kind: 'anonymous' }, credential: {} });
      expect([...leaks]).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'as a paired kiosk',
    async () => {
      const { deviceToken, locationId, display } = space.kiosk;
      const { id, name } = display;
      const viewer = { kind: 'device', id, name, display: 'kiosk', locationId } as const;
      expect([...(await walk({ viewer, credential: { token: deviceToken } }))]).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'as a member, except their own codes',
    async () => {
      const { id, name, code, credential } = space.member;
      const orders = await app.ctx.db.order.findMany({
        where: { memberId: id },
        include: { tickets: true, dayPasses: true },
      });
      const own = orders.flatMap(({ code, tickets, dayPasses }) => [
        code,
        ...[...tickets, ...dayPasses].map((admission) => admission.code),
      ]);
      const others = [...codes].filter(([other]) => other !== code && !own.includes(other));
      const find = createCodeFinder(new Map(others));
      const viewer = { kind: 'member', id, name, sessionId: 'x' } as const;
      expect([...(await walk({ viewer, credential }, { find }))]).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('as an owner', () => {
  it(
    'finds codes only where the documentation says so',
    async () => {
      const viewer = { kind: 'staff', id: 'x', name: 'x', role: 'owner', sessionId: 'x' } as const;
      const leaks = await walk({ viewer, credential: space.owner });
      expect([...leaks.keys()].sort()).toEqual([
        'ChangeReference.name',
        'DayPass.code',
        'DayPass.qr',
        'GET /day-passes',
        'GET /members',
        'GET /orders',
        'GET /orders/{id}',
        'GET /orders/{id}/tickets.pdf',
        'GET /tickets',
        'Mail.text',
        'Member.code',
        'Order.code',
        'Refund.orderCode',
        'Ticket.code',
        'Ticket.qr',
        'header content-disposition of GET /orders/{id}/tickets.pdf',
      ]);
    },
    TIMEOUT_MS,
  );

  it('and the other callers reach every field that a query can reach', () => {
    const fields = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__') && !/^Mutation$|Payload$/.test(name))
      .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
    const unreached = fields.filter((field) => !reached.has(field));
    expect(unreached.sort()).toEqual(Object.keys(UNREACHED_FIELDS).sort());
  });
});

describe('the search for codes and secrets', () => {
  const code = generateCode(12);
  const find = createCodeFinder(new Map([[code, 'ticket code']]));

  it.each([
    ['in a sentence', `The ticket ${code} was used.`],
    ['in lower case', code.toLowerCase()],
    ['with dashes', code.match(/.{1,4}/g)?.join('-') ?? ''],
    ['in JSON', JSON.stringify({ a: [code] })],
    ['in base64, as in a cursor', Buffer.from(JSON.stringify([code, 1])).toString('base64url')],
    ['percent-encoded', [...code].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
  ])('finds a code %s', (_, text) => {
    expect(find(text)).not.toBeNull();
  });

  it('finds a code in an image, since only QR codes are images', async () => {
    expect(find(await renderQrDataUrl(code))).toBe('an image');
  });

  it.each(Object.keys(SECRET_KINDS) as SecretKind[])('finds a secret: %s', (kind) => {
    expect(find(`https://example.org/x#${createSecret(kind).plainText}`)).toBe('a secret');
    expect(find(createSecret(kind).prefix)).toBeNull();
  });

  it('finds the signing secret of a webhook', () => {
    expect(find(createSigningSecret())).toBe('a secret');
  });

  it('finds a code in a new field, and names the field', () => {
    const findings = createFindings(find);
    const orders = { nodes: [{ __typename: 'Order', buyer: { name: `Ada ${code}` } }] };
    findings.addData({ orders }, 'Query');
    expect([...findings.leaks.keys()]).toEqual(['Attendee.name']);
  });
});
