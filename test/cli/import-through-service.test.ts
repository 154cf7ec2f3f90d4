import { importThroughService } from '../../src/cli/import-through-service.ts';
import type { ImportRow } from '../../src/imports/report.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const LINES = 203;
const SETTINGS = {
  dryRun: false,
  createTeams: false,
  sendEmails: false,
  update: false,
  fileName: 'list.csv',
  onRow: (_: ImportRow) => {},
};

/** More lines than a part has. Only a date of the second part shows that days come first. */
const FILE = Buffer.from(
  [
    'Name,Email,Start date',
    ...Array.from({ length: LINES }, (_, n) => {
      const date = n === LINES - 1 ? '31/04/2024' : n === LINES - 2 ? '30/04/2024' : '03/04/2024';
      return `Ada ${String.fromCharCode(65 + (n % 26))},ada-${n}@example.org,${date}`;
    }),
  ].join('\n'),
);

const importFile = async (role: 'manager' | 'front_desk', settings = SETTINGS) => {
  const { email, password } = await createStaffUser(app, role);
  return importThroughService({ url: `${app.url}/`, email, password }, FILE, settings);
};

describe('an import through a running service', () => {
  it('is for owners and managers, and leaves no session', async () => {
    await expect(importFile('front_desk')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'MANAGER_NEEDED' },
    });
    const wrong = { url: app.url, email: 'nobody@example.org', password: 'not a password' };
    await expect(importThroughService(wrong, FILE, SETTINGS)).rejects.toMatchObject({
      details: { reason: 'WRONG_CREDENTIALS' },
    });
    expect(await app.ctx.db.session.count()).toBe(0);
  });

  it('changes nothing in a dry run, and then imports the correct lines of all parts', async () => {
    const expected = { imported: LINES - 1, unchanged: 0, skipped: 1, dateOrder: 'DAY_FIRST' };
    const dryRows: ImportRow[] = [];
    const onDryRow = (row: ImportRow) => dryRows.push(row);
    const dry = await importFile('manager', { ...SETTINGS, dryRun: true, onRow: onDryRow });
    expect(dry).toMatchObject({ ...expected, dryRun: true });
    expect(await app.ctx.db.member.count()).toBe(0);

    const rows: ImportRow[] = [];
    const onRow = (row: ImportRow) => rows.push(row);
    const report = await importFile('manager', { ...SETTINGS, onRow });
    expect(rows).toEqual(dryRows);
    expect(rows).toHaveLength(LINES);
    expect(report).toMatchObject({ ...expected, dryRun: false });
    expect(rows.filter(({ outcome }) => outcome === 'skipped')).toEqual([
      {
        ...{ line: LINES + 1, what: expect.stringContaining(`ada-${LINES - 1}@`) },
        ...{ outcome: 'skipped', reason: expect.stringContaining('31/04/2024 is not a date') },
      },
    ]);
    const ada = await app.ctx.db.member.findUniqueOrThrow({
      where: { email: 'ada-0@example.org' },
    });
    expect(ada.createdAt.toISOString().slice(0, 10)).toBe('2024-04-03');
    expect(await app.ctx.db.session.count()).toBe(0);
    expect(await importFile('manager')).toMatchObject({ imported: 0, unchanged: LINES - 1 });
  });

  it('says that no service answers', async () => {
    const nowhere = { url: 'http://127.0.0.1:9', email: 'a@example.org', password: 'x' };
    await expect(importThroughService(nowhere, FILE, SETTINGS)).rejects.toThrow(
      'No service answers at http://127.0.0.1:9.',
    );
  });
});
