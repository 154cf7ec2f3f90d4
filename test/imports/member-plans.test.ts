import { mailReader } from '../../src/features/notifications/service/mail-reader.ts';
import { catchUp } from '../../src/journal/read-changes.ts';
import { setUpMemberImports } from '../support/imports/member-imports.ts';

const { getContext, importText, listMembers } = setUpMemberImports();

describe('plans, teams and start dates', () => {
  const LIST = `Name,Email,Plan,Team,Member since
Ada,ada@example.org,FLEX,Sails,2024-05-01
Ben,ben@example.org,,,3.2.2023
Cleo,cleo@example.org,Flex,,
Dora,dora@example.org,Flex,,2024-01-01
Emil,emil@example.org,Closed,,
Finn,finn@example.org,Gold,Oars,31/02/2024`;

  beforeAll(async () => {
    const { db } = getContext();
    await db.plan.createMany({ data: [{ name: 'Flex' }, { name: 'Closed', active: false }] });
  });
  beforeEach(() => getContext().db.team.create({ data: { name: 'Sails' } }));

  const memberships = () =>
    getContext().db.membership.findMany({
      include: { member: true, plan: true },
      orderBy: { member: { email: 'asc' } },
    });

  test('are imported, and each problem is reported with its line', async () => {
    const report = await importText(LIST.replace('Dora,dora@example.org', 'Dora,dora@x'));
    expect(report.rows.flatMap(({ line, reason }) => (reason ? [[line, reason]] : []))).toEqual([
      [5, 'The email address is invalid.'],
      [6, 'New members cannot get the plan "Closed": it is inactive.'],
      [7, 'The start date 31/02/2024 is not a date such as 2026-03-31.'],
    ]);
    expect(await listMembers()).toMatchObject([
      { name: 'Ada', createdAt: new Date('2024-05-01T12:00:00Z'), teamId: expect.any(String) },
      { name: 'Ben', createdAt: new Date('2023-02-03T12:00:00Z'), teamId: null },
      { name: 'Cleo', createdAt: expect.any(Date), teamId: null },
    ]);
    const today = new Date(getContext().now().toISOString().slice(0, 10));
    expect(await memberships()).toMatchObject([
      { member: { name: 'Ada' }, plan: { name: 'Flex' }, startsOn: new Date('2024-05-01') },
      { member: { name: 'Cleo' }, startsOn: today },
    ]);
    const again = await importText(LIST);
    expect(again).toMatchObject({ imported: 1, unchanged: 3, skipped: 2 });
    expect(await memberships()).toHaveLength(3);
  });

  test('can have other names for plans, and a second import remarks only on what differs', async () => {
    const list = `Name,Email,Plan
Ada,ada@example.org,Full Time Desk
Ben,ben@example.org,full time desk
Cleo,cleo@example.org,Closed
Dora,dora@example.org,Flex`;
    const unknown = await importText(list, { dryRun: true });
    expect(unknown).toMatchObject({ skipped: 3, unknownPlans: ['full time desk', 'Closed'] });
    const plans = [
      { name: 'Full time DESK', plan: 'Flex' },
      { name: 'closed', plan: null },
    ];
    expect(await importText(list, { plans })).toMatchObject({ imported: 4, unknownPlans: [] });
    const held = (await memberships()).map(({ member, plan }) => [member?.name, plan.name]);
    expect(held).toEqual([
      ['Ada', 'Flex'],
      ['Ben', 'Flex'],
      ['Dora', 'Flex'],
    ]);
    const changed = list.replace('Dora,dora@example.org,Flex', 'Dora B.,dora@example.org,Gold');
    const again = await importText(changed, { plans, update: true });
    expect(again.rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['unchanged', undefined],
      ['unchanged', undefined],
      ['unchanged', undefined],
      ['updated', 'Changed: name. The plan stays "Flex", although the file has "Gold".'],
    ]);
  });

  test('of one wrong line keep a file from being imported, until its other lines are wanted', async () => {
    await expect(importText(LIST, { rejectProblems: true })).rejects.toMatchObject({
      message: expect.stringContaining('2 lines cannot be imported, so nothing was.'),
      details: {
        reason: 'IMPORT_HAS_PROBLEMS',
        problems: [
          { line: 6, reason: expect.any(String) },
          { line: 7, reason: expect.any(String) },
        ],
      },
    });
    expect(await listMembers()).toEqual([]);
    const correct = LIST.split('\n').slice(0, 5).join('\n');
    expect(await importText(correct, { rejectProblems: true })).toMatchObject({ imported: 4 });
  });

  test('with unknown teams are problems, or teams to create', async () => {
    const text = 'Name,Email,Team\nAda,ada@example.org,Oars\nBen,ben@example.org,OARS';
    expect((await importText(text)).rows.map(({ reason }) => reason)).toEqual([
      'There is no team named "Oars".',
      'There is no team named "OARS".',
    ]);
    const dry = await importText(text, { createTeams: true, dryRun: true });
    expect(await getContext().db.team.count()).toBe(1);
    const report = await importText(text, { createTeams: true });
    expect({ ...dry, importId: report.importId }).toEqual({ ...report, dryRun: true });
    expect(report.notes).toEqual([{ line: null, text: 'The team "OARS" is created.' }]);
    expect(new Set((await listMembers()).map(({ teamId }) => teamId)).size).toBe(1);
  });

  test('of former members leave out the plan', async () => {
    const text = 'Name,Email,Status,Plan\nAda,ada@example.org,former,Flex';
    expect((await importText(text)).rows[0]).toMatchObject({
      outcome: 'imported',
      reason: 'A former member gets no membership, so the plan was left out.',
    });
    expect(await memberships()).toEqual([]);
  });

  test.each([
    ['', false, 0],
    ['if asked', true, 1],
  ])('email members %s', async (_, sendEmails, emails) => {
    const ctx = getContext();
    await ctx.db.mail.deleteMany();
    await importText('Name,Email,Plan\nAda,ada@example.org,Flex', { sendEmails });
    await catchUp(ctx, mailReader);
    expect(await ctx.db.mail.count({ where: { recipient: 'ada@example.org' } })).toBe(emails);
  });
});
