import { GraphQLObjectType, getNamedType, isInputObjectType } from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import type { Credential } from '../support/clients/api.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

// Updates with `ifUpdatedAt`: nobody overwrites what someone else has changed after they read the object.

let app: TestApp;
let owner: Credential;
let ticketTypeId: string;
let newPlanId: string;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  const { db } = app.ctx;
  ({ id: ticketTypeId } = await db.ticketType.findFirstOrThrow({
    where: { event: { status: 'published', startsAt: { gt: app.clock.now } } },
  }));
  await send(
    `mutation { createWebhook(input: { url: "https://hooks.example.org/in", events: ["member.created"] }) { secret } }`,
  );
  const { createTeam } = await send(
    'mutation { createTeam(input: { name: "Sails" }) { team { id } } }',
  );
  const plans = await db.plan.createManyAndReturn({ data: [{ name: 'Old' }, { name: 'New' }] });
  const [oldPlan, newPlan] = plans.toSorted((a, b) => (a.name < b.name ? 1 : -1));
  newPlanId = newPlan?.id ?? '';
  // The first of the list, because it starts latest.
  await send(
    `mutation ($planId: ID!, $teamId: ID!) {
      createMembership(input: { planId: $planId, teamId: $teamId, startsOn: "2027-01-01" }) { membership { id } } }`,
    { planId: oldPlan?.id, teamId: createTeam.team.id },
  );
  await send(
    'mutation { createDiscountCode(input: { code: "VERSION", percent: 10 }) { discountCode { id } } }',
  );
  const { id: locationId } = await db.location.findFirstOrThrow({ orderBy: { id: 'asc' } });
  await send(
    'mutation ($id: ID!, $cash: MoneyInput!) { closeDay(input: { locationId: $id, day: "2026-03-17", opening: $cash, counted: $cash }) { dailyClosing { id } } }',
    { id: locationId, cash: { amount: 0, currency: 'EUR' } },
  );
  await send(
    'mutation { createAnnouncement(input: { title: "Hello", startsAt: "2026-03-20T10:00:00Z" }) { announcement { id } } }',
  );
});
afterAll(() => app.stop());

async function send(query: string, variables: object = {}) {
  const { data, errors } = await app.graphql(query, variables, owner);
  expect(errors).toEqual([]);
  return data;
}

/** What to change, as input fields, and where to find an object if not in the list of its type. */
const UPDATES: Record<string, { list?: string; change: (n: number) => object }> = {
  changePlan: {
    list: 'memberships',
    change: (n) => ({ planId: newPlanId, startsOn: `2027-03-${30 - n}` }),
  },
  endMembership: {
    list: 'memberships',
    change: (n) => ({ endsOn: `2027-06-${10 + n}` }),
  },
  setOpeningHours: {
    list: 'locations',
    change: (n) => ({ hours: [{ weekday: 'MONDAY', opens: `0${n % 10}:00`, closes: '20:00' }] }),
  },
  updateAnnouncement: { list: 'announcements', change: (n) => ({ title: `Text ${n}` }) },
  updateBooking: { list: 'bookings', change: (n) => ({ title: `Title ${n}` }) },
  rescheduleBooking: {
    list: 'bookings',
    change: (n) => ({
      startsAt: new Date(Date.UTC(2026, 3, 20 + n, 10)),
      endsAt: new Date(Date.UTC(2026, 3, 20 + n, 11)),
      override: true,
    }),
  },
  correctDailyClosing: { list: 'dailyClosings', change: (n) => ({ note: `Note ${n}` }) },
  updateDayPassType: { list: 'dayPassTypes', change: (n) => ({ name: `Pass ${n}` }) },
  updateDiscountCode: { list: 'discountCodes', change: (n) => ({ maxUses: 1_000 + n }) },
  updateDisplay: { list: 'displays', change: (n) => ({ name: `Display ${n}` }) },
  updateEmailTemplate: { change: (n) => ({ subject: `Subject ${n}` }) },
  updateEvent: { list: 'events', change: (n) => ({ title: `Event ${n}` }) },
  updateLocation: { list: 'locations', change: (n) => ({ name: `Location ${n}` }) },
  updateMember: { list: 'members', change: (n) => ({ name: `Member ${n}` }) },
  updatePlan: { list: 'plans', change: (n) => ({ name: `Plan ${n}` }) },
  updateResource: { list: 'resources', change: (n) => ({ name: `Room ${n}` }) },
  updateRetentionPolicy: { change: (n) => ({ days: 1_000 + n }) },
  updateSettings: { change: (n) => ({ name: `House ${n}` }) },
  updateTeam: { list: 'teams', change: (n) => ({ name: `Team ${n}` }) },
  updateTicketType: { change: (n) => ({ name: `Ticket ${n}` }) },
  updateWebhook: { list: 'webhooks', change: (n) => ({ description: `Webhook ${n}` }) },
};

interface Row {
  id?: string;
  key?: string;
  updatedAt: string;
}

async function findRow(mutation: string): Promise<Row> {
  const list = UPDATES[mutation]?.list;
  if (mutation === 'updateTicketType') {
    const { updatedAt } = await app.ctx.db.ticketType.findUniqueOrThrow({
      where: { id: ticketTypeId },
    });
    return { id: ticketTypeId, updatedAt: updatedAt.toISOString() };
  }
  // These were never changed.
  if (mutation === 'updateSettings') return (await send('{ settings { updatedAt } }')).settings;
  if (mutation === 'updateRetentionPolicy')
    return (await send('{ retentionPolicies { key updatedAt } }')).retentionPolicies.find(
      ({ key }: Row) => key === 'orders',
    );
  if (mutation === 'updateEmailTemplate')
    return (await send('{ emailTemplate(key: "order-payment-late") { key updatedAt } }'))
      .emailTemplate;
  const filter = list === 'bookings' ? ', filter: { status: [CONFIRMED], from: $from }' : '';
  const first = list === 'dayPassTypes' ? '' : `(first: 1${filter})`;
  const fields = list === 'dayPassTypes' ? '{ id updatedAt }' : '{ nodes { id updatedAt } }';
  const given = filter && '($from: DateTime)';
  const data = await send(`query ${given} { ${list}${first} ${fields} }`, {
    from: new Date(app.clock.now.getTime() + 86_400_000),
  });
  const [row] = list === 'dayPassTypes' ? data.dayPassTypes : data[list ?? ''].nodes;
  return row;
}

let now = 0;
async function update(mutation: string, row: Row, n: number, ifUpdatedAt?: string) {
  now += 1_000;
  app.clock.now = new Date(app.clock.now.getTime() + now);
  const type = mutation.charAt(0).toUpperCase() + mutation.slice(1);
  const { id, key } = row;
  const field = getObjectField(mutation);
  const { data, errors } = await app.graphql(
    `mutation ($input: ${type}Input!) { ${mutation}(input: $input) { ${field} { updatedAt } } }`,
    {
      input: {
        ...(mutation === 'setOpeningHours' ? { locationId: id } : id ? { id } : key ? { key } : {}),
        ...UPDATES[mutation]?.change(n),
        ...(ifUpdatedAt && { ifUpdatedAt }),
      },
    },
    owner,
  );
  return {
    updatedAt: data?.[mutation]?.[field]?.updatedAt as string,
    reason: errors[0]?.extensions.reason ?? errors[0]?.message,
  };
}

const listMutations = () => Object.values(schema.getMutationType()?.getFields() ?? {});

function getObjectField(mutation: string): string {
  const payload = getNamedType(schema.getMutationType()?.getFields()[mutation]?.type);
  const fields = payload instanceof GraphQLObjectType ? Object.keys(payload.getFields()) : [];
  return fields[0] ?? '';
}

const VERSIONED = listMutations()
  .filter(({ args }) => {
    const type = getNamedType(args.find(({ name }) => name === 'input')?.type);
    return isInputObjectType(type) && 'ifUpdatedAt' in type.getFields();
  })
  .map(({ name }) => name);

it('are all tested here', () => {
  expect(VERSIONED.toSorted()).toEqual(Object.keys(UPDATES).toSorted());
});

describe.each(VERSIONED)('%s', (mutation) => {
  it('rejects a change of another version, and changes nothing', async () => {
    const row = await findRow(mutation);
    const first = await update(mutation, row, 1, row.updatedAt);
    expect(first.reason).toBeUndefined();
    expect(first.updatedAt).not.toBe(row.updatedAt);
    const changes = await app.ctx.db.change.count();
    expect((await update(mutation, row, 2, row.updatedAt)).reason).toBe('CHANGED_MEANWHILE');
    expect(await app.ctx.db.change.count()).toBe(changes);
    const second = await update(mutation, row, 3, first.updatedAt);
    expect(second.reason).toBeUndefined();
    expect((await update(mutation, row, 4)).reason).toBeUndefined();
  });
});

it('accept one of several changes of the same version at once, and all without a version', async () => {
  const row = await findRow('updateMember');
  const sendAll = (ifUpdatedAt?: string) =>
    Promise.all([1, 2, 3, 4].map((n) => update('updateMember', row, 10 + n, ifUpdatedAt)));
  const rejected = (await sendAll(row.updatedAt)).filter(({ reason }) => reason !== undefined);
  expect(rejected.map(({ reason }) => reason)).toEqual(Array(3).fill('CHANGED_MEANWHILE'));
  expect((await sendAll()).filter(({ reason }) => reason !== undefined)).toEqual([]);
});

/** Those of rows that have no id. */
const SETTINGS = ['updateEmailTemplate', 'updateRetentionPolicy', 'updateSettings'];

it.each(VERSIONED.filter((mutation) => !SETTINGS.includes(mutation)))(
  '%s compares the version however the id is written',
  async (mutation) => {
    const row = await findRow(mutation);
    const id = row.id?.toUpperCase() ?? '';
    const outdated = new Date(Date.parse(row.updatedAt) - 1).toISOString();
    const { reason } = await update(mutation, { ...row, id }, 20, outdated);
    expect(reason).toBe('CHANGED_MEANWHILE');
  },
);
