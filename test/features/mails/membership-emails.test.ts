import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeMember } from '../../support/factories/people.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  await catchUp(app.ctx, mailReader); // registers the reader
});
afterAll(() => app.stop());

const run = async (name: string, input: object) => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  const text = `mutation ($input: ${type}) { ${name}(input: $input) { membership { id } } }`;
  const { data, errors } = await app.graphql(text, { input }, owner);
  expect(errors).toEqual([]);
  return data[name].membership.id as string;
};

async function readMails() {
  await catchUp(app.ctx, mailReader);
  const mails = await app.ctx.db.mail.findMany({ orderBy: { id: 'asc' } });
  await app.ctx.db.mail.deleteMany();
  return mails;
}

it('members of a team are emailed when their membership begins and ends, except former ones', async () => {
  const { db } = app.ctx;
  const plan = await db.plan.findFirstOrThrow();
  const team = await db.team.create({ data: { name: 'Northlight' } });
  const ada = await makeMember(app, { teamId: team.id });
  const bo = await makeMember(app, { teamId: team.id });
  await makeMember(app, { teamId: team.id, status: 'former' });
  await makeMember(app);
  const id = await run('createMembership', {
    ...{ planId: plan.id, teamId: team.id, startsOn: '2026-04-01' },
  });
  const created = await readMails();
  expect(created.map(({ recipient }) => recipient).sort()).toEqual([ada.email, bo.email].sort());
  expect(created[0]?.subject).toBe(`Your membership: ${plan.name}`);
  expect(created[0]?.text).toContain(
    'shared by Northlight.\n\nFirst day: Wednesday, 1 April 2026\n\n',
  );
  await run('endMembership', { id, endsOn: '2026-04-30' });
  const ended = await readMails();
  expect(ended).toHaveLength(2);
  expect(ended[0]?.text).toContain(
    `The last day of your membership ${plan.name} is Thursday, 30 April 2026.`,
  );
});

it('a membership email goes to who joins the team, and to nobody who knows the membership already', async () => {
  const { db } = app.ctx;
  const plan = await db.plan.create({ data: { name: 'Shared 5' } });
  const team = await db.team.create({ data: { name: 'Southlight' } });
  const update = async (id: string, changes: object) => {
    const text =
      'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { id } } }';
    expect((await app.graphql(text, { input: { id, ...changes } }, owner)).errors).toEqual([]);
  };
  const [early, own, sameTime, later, ownLater] = [
    await makeMember(app, { teamId: team.id }),
    await makeMember(app, { teamId: team.id }),
    await makeMember(app),
    await makeMember(app),
    await makeMember(app),
  ];
  for (const { id } of [own, ownLater])
    await run('createMembership', { planId: plan.id, memberId: id, startsOn: '2026-03-01' });
  await readMails();
  const id = await run('createMembership', {
    ...{ planId: plan.id, teamId: team.id, startsOn: '2026-03-01' },
  });
  await update(sameTime.id, { teamId: team.id }); // before the emails are queued
  const recipients = async () => (await readMails()).map(({ recipient }) => recipient).sort();
  expect(await recipients()).toEqual([early.email, sameTime.email].sort());
  for (const member of [later, ownLater]) await update(member.id, { teamId: team.id });
  await update(early.id, { phone: '1' });
  const joined = await readMails();
  expect(joined.map(({ recipient }) => recipient)).toEqual([later.email]);
  expect(joined[0]?.subject).toBe('Your membership: Shared 5');
  expect(joined[0]?.text).toContain('shared by Southlight.');
  await run('endMembership', { id, endsOn: '2026-04-30' });
  expect(await recipients()).toEqual([early.email, sameTime.email, later.email].sort());
});

it('members get one email about a change of their plan, and one if it is undone', async () => {
  const { db } = app.ctx;
  const [basic, flex] = [
    await db.plan.create({ data: { name: 'Basic' } }),
    await db.plan.create({ data: { name: 'Flex' } }),
  ];
  const { id: memberId, email } = await makeMember(app);
  const id = await run('createMembership', { planId: basic.id, memberId, startsOn: '2026-04-01' });
  await readMails();
  await run('changePlan', { id, planId: flex.id, startsOn: '2026-12-01' });
  const [changed, ...others] = await readMails();
  expect(others).toEqual([]);
  expect(changed).toMatchObject({
    ...{ recipient: email, subject: 'Your plan changes to Flex on Tuesday, 1 December 2026' },
  });
  expect(changed?.text).toContain(`Your plan changes from Basic to Flex.

First day of Flex: Tuesday, 1 December 2026

Your bookings and their prices stay as they are.`);
  const next = await db.membership.findFirstOrThrow({ where: { previousId: id } });
  await run('undoPlanChange', { id: next.id });
  expect((await readMails()).map(({ text }) => text)).toEqual([
    expect.stringContaining('Your membership Basic continues without a last day.'),
  ]);
});

it('the price of a membership in an email has the tax note', async () => {
  await updateSettings(app.ctx, { taxNote: 'included' });
  const price = { priceAmount: 20_000, priceCurrency: 'EUR' };
  const plan = await app.ctx.db.plan.create({ data: { name: 'Fixed', ...price } });
  const { id: memberId } = await makeMember(app);
  await run('createMembership', { planId: plan.id, memberId, startsOn: '2026-04-01' });
  expect((await readMails())[0]?.text).toContain('€200.00 incl. VAT a month');
});
