import { readdirSync, readFileSync } from 'node:fs';
import { getNamedType, isObjectType, isScalarType } from 'graphql';
import { SECRET_KINDS } from '../../src/auth/tokens.ts';
import { type Access, hasAccess, ROLE_SCOPES, type StaffRole } from '../../src/auth/viewer.ts';
import { publishRecordedChanges } from '../../src/features/webhooks/service/publish-changes.ts';
import { deliverWebhooks } from '../../src/integrations/webhooks/delivery-worker.ts';
import type { Credential } from '../support/clients/api.ts';
import { createStaffUser, makeMember } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { recordMember, transport } from '../support/factories/webhooks.ts';
import { type Receiver, startReceiver } from '../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { readPublishedSchema } from '../support/harness/worker/published-schema.ts';
import { COLUMNS_BY_KIND, COLUMNS_BY_PAYLOAD, SECRET_COLUMNS } from '../support/lasting-access.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the list of what grants access later', () => {
  it('has every column with a secret, a hash or a code', () => {
    const columns: string[] = [];
    for (const file of readdirSync(new URL('../../prisma/schema/', import.meta.url))) {
      let model = '';
      for (const line of read(`prisma/schema/${file}`).split('\n')) {
        model = /^model (\w+)/.exec(line)?.[1] ?? model;
        const [, field = '', type] = /^ {2}(\w+) +(String|Bytes)\b/.exec(line) ?? [];
        if (line.includes('@db.Uuid') || field === '') continue;
        if (
          type === 'Bytes' ||
          /hash|secret|token|(?<!post)code|salt|password|link|url/i.test(field)
        )
          columns.push(`${model}.${field}`);
      }
    }
    expect(columns.sort()).toEqual(Object.keys(SECRET_COLUMNS).sort());
  });

  it('has every kind of secret', () => {
    expect(Object.keys(COLUMNS_BY_KIND).sort()).toEqual(Object.keys(SECRET_KINDS).sort());
    for (const column of Object.values(COLUMNS_BY_KIND).flat())
      expect(SECRET_COLUMNS).toHaveProperty([column]);
  });

  it('has everything that a mutation shows once', () => {
    const mutations = readPublishedSchema().getMutationType()?.getFields() ?? {};
    const shown = Object.values(mutations).flatMap(({ name, type }) => {
      const payload = getNamedType(type);
      if (!isObjectType(payload)) return [];
      return Object.values(payload.getFields())
        .filter((field) => isScalarType(getNamedType(field.type)))
        .map((field) => `${name}.${field.name}`)
        .filter((path) =>
          /secret|token|url|link|(?<!post)code|handle/i.test(path.split('.')[1] ?? ''),
        )
        .filter((path) => !/Id$/.test(path));
    });
    expect(shown.sort()).toEqual(Object.keys(COLUMNS_BY_PAYLOAD).sort());
    for (const column of Object.values(COLUMNS_BY_PAYLOAD))
      expect(SECRET_COLUMNS).toHaveProperty([column]);
  });

  it('has a test for everything that belongs to its maker', () => {
    const tested = Object.values(SECRET_COLUMNS).flatMap((one) =>
      one.belongsTo === 'maker' ? [one.tested] : [],
    );
    const probes = new Set([...Object.keys(STAFF_PROBES), ...Object.keys(MEMBER_PROBES)]);
    expect([...new Set(tested)].filter((name) => !probes.has(name))).toEqual([]);
  });
});

let app: TestApp;
let receiver: Receiver;
let owner: Credential;
let roomId: string;

beforeAll(async () => {
  app = await startApp();
  receiver = await startReceiver();
  owner = { cookie: await app.signIn(STAFF.owner) };
  roomId = (await makeSpace(app)).room.id;
});
afterEach(() => app.ctx.db.webhookEndpoint.deleteMany());
afterAll(async () => {
  await receiver.stop();
  await app.stop();
});

async function run(field: string, input: object, as: Credential, selection = '__typename') {
  const { data, errors } = await app.graphql(
    `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${selection} } }`,
    { input },
    as,
  );
  if (errors[0]) throw new Error(`${field}: ${errors[0].message}`);
  return data[field];
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Finds the secret with this prefix in the latest email to the address. */
async function findMailedSecret(recipient: string, prefix: string): Promise<string> {
  const { text } = await app.ctx.db.mail.findFirstOrThrow({
    where: { recipient, text: { contains: prefix } },
    orderBy: { id: 'desc' },
  });
  return new RegExp(`${prefix}\\w+`).exec(text)?.[0] ?? '';
}

const isFeedReadable = (url: string) => async () =>
  (await fetch(app.url + url.replace('http://foyer.test', ''))).ok;

interface Person {
  id: string;
  email: string;
  password: string;
  as: Credential;
}

interface Probe {
  /** What its maker must be allowed to do, so that it may work. */
  needs: Access;
  /** Makes it, and returns a function that uses it once and returns whether it worked. */
  make(person: Person): Promise<() => Promise<boolean>>;
}

let count = 0;
const nextAddress = () => {
  count += 1;
  return `later-${count}@example.org`;
};

/** A webhook with these events, which `record` causes. */
const makeWebhook = async ({ as }: Person, events: string[], record: () => Promise<unknown>) => {
  const path = `/${nextAddress()}`;
  const url = new URL(path, receiver.url).href;
  await run('createWebhook', { url, events }, as);
  return async () => {
    await record();
    await publishRecordedChanges(app.ctx);
    const before = receiver.at(path).length;
    await deliverWebhooks(app.app.systemContext, transport);
    return receiver.at(path).length > before;
  };
};

const readRole = async (as: Credential) =>
  (await app.graphql('{ viewer { kind role } }', {}, as)).data.viewer;

const STAFF_PROBES: Record<string, Probe> = {
  session: {
    needs: 'staff',
    make:
      async ({ as }) =>
      async () =>
        (await readRole(as)).kind === 'STAFF',
  },
  'session with a role': {
    needs: 'staff:owner',
    make:
      async ({ as }) =>
      async () =>
        (await readRole(as)).role === 'OWNER',
  },
  password: {
    needs: 'staff',
    make:
      async ({ email, password }) =>
      () =>
        succeeds(run('signIn', { email, password }, {})),
  },
  'staff link': {
    needs: 'staff:owner',
    make: async ({ as }) => {
      const input = { name: 'Second account', email: nextAddress(), role: 'OWNER' };
      const { url } = await run('inviteStaff', input, as, 'url');
      const secret = url.split('#')[1];
      return () =>
        succeeds(run('acceptStaffLink', { secret, password: 'violet harbour notebook' }, {}));
    },
  },
  'staff link of a reset password': {
    needs: 'staff:owner',
    make: async ({ as }) => {
      const { email } = await createStaffUser(app, 'manager');
      const { id } = await app.ctx.db.user.findUniqueOrThrow({ where: { email } });
      const { url } = await run('resetStaffPassword', { id }, as, 'url');
      const secret = url.split('#')[1];
      return () =>
        succeeds(run('acceptStaffLink', { secret, password: 'violet harbour notebook' }, {}));
    },
  },
  'calendar feed': {
    needs: 'bookings:read',
    make: async ({ as }) =>
      isFeedReadable((await run('createCalendarFeed', { resourceId: roomId }, as, 'url')).url),
  },
  webhook: {
    needs: 'webhooks:write',
    make: (person) => makeWebhook(person, ['member.*'], () => recordMember(app.ctx)),
  },
  'webhook with events that only owners can read': {
    needs: '*',
    make: (person) =>
      makeWebhook(person, ['api_token.*'], () =>
        run('createApiToken', { name: nextAddress(), scopes: ['members:read'] }, owner),
      ),
  },
  // Those of the front desk need an approval.
  'address change': {
    needs: 'staff:manage',
    make: async ({ as }) => {
      const { id } = await makeMember(app);
      const email = nextAddress();
      await run('updateMember', { id, email }, as);
      return async () => {
        const secret = await findMailedSecret(email, 'foyere_');
        await succeeds(run('confirmMemberEmail', { secret }, {}));
        return (await app.ctx.db.member.count({ where: { id, email } })) === 1;
      };
    },
  },
  'approval of an address change': {
    needs: 'staff:manage',
    make: async ({ as }) => {
      const { id } = await makeMember(app);
      const email = nextAddress();
      await run('updateMember', { id, email }, { token: await app.token('*') });
      await run('approveMemberEmailChange', { id }, as);
      return async () => {
        const secret = await findMailedSecret(email, 'foyere_');
        await succeeds(run('confirmMemberEmail', { secret }, {}));
        return (await app.ctx.db.member.count({ where: { id, email } })) === 1;
      };
    },
  },
};

async function hireOwner(): Promise<Person> {
  const { email, password, session } = await createStaffUser(app, 'owner');
  const { id } = await app.ctx.db.user.findUniqueOrThrow({ where: { email } });
  return { id, email, password, as: { cookie: await session() } };
}

const setRole =
  (role: StaffRole) =>
  async ({ id }: Person) => {
    await run('setStaffRole', { id, role: role.toUpperCase() }, owner);
    return role;
  };

/** How a staff user loses rights, and the role that they have then. */
const STAFF_ENDS: [name: string, end: (person: Person) => Promise<StaffRole | null>][] = [
  ['becomes a manager', setRole('manager')],
  ['becomes front desk', setRole('front_desk')],
  [
    'is disabled',
    async ({ id }) => {
      await run('disableStaff', { id }, owner);
      return null;
    },
  ],
  [
    'is erased',
    async ({ id, email }) => {
      await run('disableStaff', { id }, owner);
      await run('erasePersonalData', { email }, owner);
      return null;
    },
  ],
];

/** Compares what works with what the maker may do now. */
async function expectNoMoreThan(
  role: StaffRole | null,
  uses: [name: string, needs: Access, use: () => Promise<boolean>][],
) {
  const mayUse = (needs: Access) =>
    role !== null && hasAccess({ kind: 'staff', id: '', name: '', sessionId: '', role }, needs);
  const works: Record<string, boolean> = {};
  for (const [name, , use] of uses) works[name] = await use();
  expect(works).toEqual(Object.fromEntries(uses.map(([name, needs]) => [name, mayUse(needs)])));
}

const makeAll = async (person: Person) => {
  const uses: [name: string, needs: Access, use: () => Promise<boolean>][] = [];
  for (const [name, { needs, make }] of Object.entries(STAFF_PROBES))
    uses.push([name, needs, await make(person)]);
  return uses;
};

describe('what a staff user has made', () => {
  it('works while they are an owner', async () => {
    await expectNoMoreThan('owner', await makeAll(await hireOwner()));
  });

  it.each(STAFF_ENDS)('grants no more than they have once the person %s', async (_, end) => {
    const person = await hireOwner();
    const uses = await makeAll(person);
    await expectNoMoreThan(await end(person), uses);
  });

  it('grants nothing once their role has no scopes', async () => {
    const person = await hireOwner();
    const uses = await makeAll(person);
    const role = await setRole('front_desk')(person);
    const scopes = ROLE_SCOPES[role];
    try {
      ROLE_SCOPES[role] = [];
      await expectNoMoreThan(role, uses);
    } finally {
      ROLE_SCOPES[role] = scopes;
    }
  });

  it('includes API tokens, which keep their scopes unless an owner revokes them', async () => {
    const person = await hireOwner();
    const makeToken = async () => {
      const input = { name: 'Till', scopes: ['members:read'] };
      const { secret } = await run('createApiToken', input, person.as, 'secret');
      return async () => (await app.rest('/members?limit=1', { token: secret })).status;
    };
    const readMembers = await makeToken();
    await run('disableStaff', { id: person.id }, owner);
    expect(await readMembers()).toBe(200);
    await run('disableStaff', { id: person.id, revokeTokens: true }, owner);
    expect(await readMembers()).toBe(401);
  });
});

const MEMBER_PROBES: Record<string, Probe['make']> = {
  session:
    async ({ as }) =>
    async () =>
      (await readRole(as)).kind === 'MEMBER',
  'sign-in link': async ({ email }) => {
    await run('requestSignInLink', { email }, {});
    const secret = await findMailedSecret(email, 'foyerl_');
    return () => succeeds(run('redeemSignInLink', { secret }, {}));
  },
  'calendar feed': async ({ id, as }) =>
    isFeedReadable((await run('createCalendarFeed', { memberId: id }, as, 'url')).url),
};

const MEMBER_ENDS: [name: string, end: (person: Person) => Promise<unknown>][] = [
  ['is a former member', ({ id }) => run('updateMember', { id, status: 'FORMER' }, owner)],
  [
    'has another address',
    async ({ id }) => {
      const email = nextAddress();
      await run('updateMember', { id, email }, owner);
      await run('confirmMemberEmail', { secret: await findMailedSecret(email, 'foyere_') }, {});
    },
  ],
  ['is erased', ({ id }) => run('erasePersonalData', { memberId: id }, owner)],
];

describe('what a member has made', () => {
  const makeForMember = async () => {
    const { id, email, signedIn } = await makeMember(app);
    const person = { id, email, password: '', as: await signedIn() };
    const uses: [string, () => Promise<boolean>][] = [];
    for (const [name, make] of Object.entries(MEMBER_PROBES)) uses.push([name, await make(person)]);
    return { person, uses };
  };

  it.each([
    ['stays', async () => {}, true] as const,
    ...MEMBER_ENDS.map((end) => [...end, false] as const),
  ])('works only while the person is the same member: %s', async (_, end, expected) => {
    const { person, uses } = await makeForMember();
    await end(person);
    for (const [name, use] of uses) expect([name, await use()]).toEqual([name, expected]);
  });
});
