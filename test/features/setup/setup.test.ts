import {
  createFirstOwner,
  ensureOwner,
  isSetupOpen,
  issueSetupCode,
  purgeSetupCodes,
} from '../../../src/auth/first-owner.ts';
import { readConfig } from '../../../src/config.ts';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { readSettings } from '../../../src/features/settings/service.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import { offerSetup } from '../../../src/server/setup-offer.ts';
import { type Caller, fetchViewer, sendQuery } from '../../support/clients/sign-in.ts';
import { PASSWORD } from '../../support/factories/seed.ts';
import { insertSession, startApp, type TestApp } from '../../support/harness/app.ts';
import { countStatements, openTestDatabase } from '../../support/harness/database.ts';

const CREATE_FIRST_OWNER = `mutation ($input: CreateFirstOwnerInput!) {
  createFirstOwner(input: $input) { viewer { kind role name } }
}`;
const OLGA = { name: 'Olga Ost', email: 'Olga@example.org', password: PASSWORD };

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

const create = (
  code: string,
  more: Partial<typeof OLGA & { language: string; spaceName: string | null }> = {},
  caller: Caller = {},
) => sendQuery(app, CREATE_FIRST_OWNER, { input: { ...OLGA, ...more, code } }, caller);

/** Returns the language of a page for a browser. */
async function findPageLanguage(path: string, language: string): Promise<string | undefined> {
  const headers = { accept: 'text/html', 'accept-language': language };
  const page = await (await fetch(app.url + path, { headers })).text();
  return /<html lang="(\w+)"/.exec(page)?.[1];
}

const isOpen = async () => (await app.graphql('{ setup { isOpen } }')).data.setup.isOpen;

/** Returns what the service prints when it starts. */
async function start(): Promise<string> {
  let printed = '';
  await offerSetup(app.ctx, (text) => {
    printed += text;
  });
  return printed;
}

const findCode = (printed: string) => /#(\S+)/.exec(printed)?.[1] ?? '';

describe('before there is an owner', () => {
  it('prints a code with the address of the page, and stores its hash only', async () => {
    expect(await isOpen()).toBe(true);
    const code = findCode(await start());
    expect(code).toMatch(/^([2-9B-Z]{4}-){2}[2-9B-Z]{4}$/);
    const { rows } = await app.database.pool.query('SELECT s::text AS row FROM setup_codes s');
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(code.slice(0, 4));
  });

  it('is asked once for requests at the same time', async () => {
    const ask = () => Promise.all(Array.from({ length: 20 }, () => isSetupOpen(app.ctx)));
    expect(await countStatements(app, 'users', ask)).toBe(2);
  });

  it('rejects wrong codes, and limits how many an address can try', async () => {
    const code = findCode(await start());
    const address = '192.0.2.7';
    for (let misses = 0; misses < 10; misses += 1) {
      const { error } = await create('2222-3333-4444', {}, { address });
      expect(error?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'SETUP_CODE' });
    }
    const { error } = await create(code, {}, { address });
    expect(error?.extensions).toMatchObject({ code: 'RATE_LIMITED', reason: 'TOO_MANY_ATTEMPTS' });
    expect(await isOpen()).toBe(true);
  });

  it('rejects pages of other origins', async () => {
    const code = findCode(await start());
    const { error } = await create(code, {}, { origin: 'https://evil.example' });
    expect(error?.extensions).toMatchObject({ reason: 'FOREIGN_ORIGIN' });
  });

  it('ends codes after a day', async () => {
    const { ctx, close } = await openTestDatabase('empty');
    const { plainText, expiresAt } = await issueSetupCode(ctx);
    const later = { ...ctx, now: () => expiresAt };
    expect(expiresAt.getTime() - ctx.now().getTime()).toBeLessThanOrEqual(DAY_MS);
    await expect(
      createFirstOwner(later, { ...OLGA, code: plainText }, undefined),
    ).rejects.toMatchObject({ details: { reason: 'SETUP_CODE' } });
    expect(await purgeSetupCodes(ctx)).toBe(0);
    expect(await purgeSetupCodes(later)).toBe(1);
    await close();
  });

  it('is created with the language and the name of the environment', async () => {
    const { ctx, close } = await openTestDatabase('empty');
    const account = { ADMIN_EMAIL: OLGA.email, ADMIN_PASSWORD: PASSWORD };
    const { admin } = readConfig({ ...account, SPACE_LANGUAGE: 'de', SPACE_NAME: ' Kranwerk ' });
    expect(admin && (await ensureOwner(ctx, admin))).toBe(true);
    expect(await readSettings(ctx)).toMatchObject({
      language: 'de',
      name: 'Kranwerk',
      taxNote: 'none',
      disputedAdmission: 'ask',
    });
    await close();
    for (const SPACE_NAME of [' ', 'x'.repeat(101), '\u202eKranwerk'])
      expect(() => readConfig({ ...account, SPACE_NAME })).toThrow(
        'SPACE_NAME: must have 1 to 100 visible characters',
      );
  });

  it('is shown in the language of the browser, until there is an owner', async () => {
    expect(await findPageLanguage('/setup', 'nl, de-AT;q=0.8, fr;q=0.5')).toBe('de');
    expect(await findPageLanguage('/setup', 'nl')).toBe('en');
  });

  it('keeps the codes of the latest ten starts', async () => {
    const first = findCode(await start());
    for (let starts = 0; starts < 10; starts += 1) {
      app.clock.now = new Date(app.clock.now.getTime() + 1_000);
      await start();
    }
    expect(await app.ctx.db.setupCode.count()).toBe(10);
    expect((await create(first)).error?.extensions).toMatchObject({ reason: 'SETUP_CODE' });
  });

  it('creates and signs in the owner, once; a weak password does not use up the code', async () => {
    const code = findCode(await start());
    const weak = await create(code, { password: 'short' });
    expect(weak.error?.extensions).toMatchObject({ reason: 'PASSWORD_TOO_WEAK' });
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('z', 'y')} `;
    const { data, setCookie } = await create(typed, {
      language: 'FR',
      spaceName: ' Kranwerk ',
    });
    expect(data?.createFirstOwner).toEqual({
      viewer: { kind: 'STAFF', role: 'OWNER', name: OLGA.name },
    });
    expect(await readSettings(app.ctx)).toMatchObject({
      language: 'fr',
      name: 'Kranwerk',
      taxNote: 'none',
      disputedAdmission: 'ask',
    });
    expect((await fetchViewer(app, setCookie.split(';')[0] ?? ''))?.role).toBe('OWNER');

    expect(await isOpen()).toBe(false);
    expect(await app.ctx.db.setupCode.count()).toBe(0);
    expect(await start()).toBe('');
    await expect(issueSetupCode(app.ctx)).rejects.toMatchObject({
      details: { reason: 'ALREADY_SET_UP' },
    });
    const again = await create(code, { email: 'eve@example.org' });
    expect(again.error?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'ALREADY_SET_UP' });
  });
});

describe('the checklist of the owner', () => {
  const CHECKLIST = 'done open dismissedAt';
  const as = async () => ({ cookie: await insertSession(app.ctx, 'olga@example.org') });

  it('follows from what exists, until an owner dismisses it', async () => {
    const owner = await as();
    const read = async () =>
      (await app.graphql(`{ setupChecklist { ${CHECKLIST} } }`, {}, owner)).data.setupChecklist;
    expect(await read()).toMatchObject({ done: [], dismissedAt: null });
    await createLocation(app.ctx, {
      name: 'Main',
      slug: 'main',
      timeZone: 'Europe/Berlin',
    } as never);
    await app.token('bookings:read');
    const { done, open } = await read();
    expect(done).toEqual(['LOCATION', 'API_KEY']);
    expect(open[0]).toBe('OPENING_HOURS');
    const dismiss = `mutation { dismissSetupChecklist { setupChecklist { ${CHECKLIST} } } }`;
    await app.graphql(dismiss, {}, owner);
    expect((await read()).dismissedAt).toBe(app.clock.now.toISOString());
  });

  it('sends no test email without a mail server, and limits attempts', async () => {
    const owner = await as();
    const send = () =>
      app.graphql(
        'mutation { sendTestEmail { testEmail { recipient outcome error } } }',
        {},
        owner,
      );
    for (let attempts = 0; attempts < 10; attempts += 1) {
      expect((await send()).data.sendTestEmail.testEmail).toEqual({
        recipient: 'olga@example.org',
        outcome: 'NO_MAIL_SERVER',
        error: null,
      });
    }
    expect((await send()).codes).toEqual(['RATE_LIMITED']);
  });
});
