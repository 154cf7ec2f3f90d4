import { v7 } from 'uuid';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { schema } from '../../../src/graphql/schema.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../clients/api.ts';
import { makeMember } from '../factories/people.ts';
import { makeSpace, march } from '../factories/space.ts';
import { STAFF, type TestApp } from '../harness/app.ts';

/** A mutation or a REST write with valid input. */
export interface Command {
  /** The types of the changes that it records, in order. */
  records: ChangeType[];
  /** Prepares what the command needs, and returns its input. */
  prepare?: (stage: Stage) => Promise<object> | object;
  /** Restores what later commands need. */
  restore?: (stage: Stage) => Promise<unknown>;
  /** Prepares the caller. By default, it is the owner, or a token with the scope of the route. */
  as?: (stage: Stage) => Promise<Credential> | Credential;
}

/** A command that changes nothing that the journal records. */
export interface UnrecordedCommand extends Omit<Command, 'records'> {
  reason: string;
}

export type Stage = Awaited<ReturnType<typeof createStage>>;

/** Creates what commands need, through other commands. */
export async function createStage(app: TestApp) {
  const owner: Credential = { cookie: await app.signIn(STAFF.owner) };
  const token: Credential = { token: await app.token('*') };

  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  async function run(name: string, input: object, fields: string, as = owner): Promise<any> {
    const { data, errors } = await app.graphql(toDocument(name, fields), { input }, as);
    if (errors[0]) throw new Error(`${name}: ${errors[0].message}`);
    return data[name];
  }
  const createMember = async (as = owner) => {
    const input = { name: 'Test Person', email: `${v7()}@example.org` };
    return (await run('createMember', input, 'member { id email }', as)).member as {
      id: string;
      email: string;
    };
  };
  const createDraft = async () => {
    const { location } = await makeSpace(app);
    const input = { title: 'Evening', locationId: location.id, ...march(25, '18:00', '20:00') };
    return (await run('createEvent', input, 'event { id }')).event.id as string;
  };
  const inviteStaff = async () => {
    const input = { name: 'New Person', email: `${v7()}@example.org`, role: 'MANAGER' };
    const { staffUser, url } = await run('inviteStaff', input, 'url staffUser { id }');
    const { text } = await app.ctx.db.mail.findFirstOrThrow({
      where: { recipient: input.email },
      orderBy: { id: 'desc' },
    });
    const link: string = url ?? text;
    return {
      id: staffUser.id as string,
      secret: /#(foyer\w+)/.exec(link)?.[1] ?? '',
    };
  };

  return {
    app,
    owner,
    token,
    run,
    createMember,
    createDraft,
    inviteStaff,
    name: () => `Name ${v7()}`,
    space: () => makeSpace(app),
    createTeam: async () =>
      (await run('createTeam', { name: v7() }, 'team { id }')).team.id as string,
    createPlan: async () => {
      const input = { name: v7(), price: EUROS };
      return (await run('createPlan', input, 'plan { id }')).plan.id as string;
    },
    createToken: async () => {
      const input = { name: v7(), scopes: ['members:read'] };
      return (await run('createApiToken', input, 'apiToken { id }')).apiToken.id as string;
    },
    createWebhook: async () => {
      const input = { url: 'https://example.org/hook', events: ['member.*'] };
      return (await run('createWebhook', input, 'webhook { id }')).webhook.id as string;
    },
    createTicketType: async () => {
      const input = { eventId: await createDraft(), name: 'Standard', price: EUROS };
      return (await run('createTicketType', input, 'ticketType { id }')).ticketType.id as string;
    },
    createDiscountCode: async () => {
      const { discountCode } = await run(
        'createDiscountCode',
        { percent: 10 },
        'discountCode { id }',
      );
      return discountCode.id as string;
    },
    createDayPassType: async () => {
      const { location } = await makeSpace(app);
      const input = { locationId: location.id, name: 'Day', price: EUROS };
      return (await run('createDayPassType', input, 'dayPassType { id }')).dayPassType.id as string;
    },
    createDisplay: async () => {
      const { location } = await makeSpace(app);
      const input = { name: 'Hall', kind: 'WELCOME', locationId: location.id };
      return (await run('createDisplay', input, 'display { id }')).display.id as string;
    },
    createAnnouncement: async () => {
      const { announcement } = await run(
        'createAnnouncement',
        { title: 'Hello' },
        'announcement { id }',
      );
      return announcement.id as string;
    },
    /** A mailing to the one member with a new plan. */
    createMailingInput: async () => {
      const { plan } = await run('createPlan', { name: v7(), price: EUROS }, 'plan { id }');
      const { id: memberId } = await createMember();
      const membership = { planId: plan.id, memberId, startsOn: '2026-03-01' };
      await run('createMembership', membership, 'membership { id }');
      const message = { subject: 'Closed on Friday', body: 'We are closed.' };
      return { ...message, audience: 'MEMBERS', planId: plan.id, expectedRecipients: 1 };
    },
    /** A code that a new screen shows. */
    startPairing: async () => {
      const { body } = await app.rest('/displays/pairings', {}, { method: 'POST' });
      return (body.data as { pairing_code: string }).pairing_code;
    },
    createMembership: async (): Promise<string> => {
      const { id: memberId } = await createMember();
      const { id: planId } = await app.ctx.db.plan.findFirstOrThrow({ where: { active: true } });
      const input = { planId, memberId, startsOn: '2026-03-01' };
      return (await run('createMembership', input, 'membership { id }')).membership.id;
    },
    /** Books a room for a guest, by default tomorrow. */
    book: async (times = march(19, '10:00', '11:00')): Promise<string> => {
      const { room } = await makeSpace(app);
      const input = { resourceId: room.id, guest: GUEST, ...times };
      return (await run('createBooking', input, 'booking { id }')).booking.id;
    },
    /** A request of a member that waits for approval. */
    requestBooking: async (): Promise<string> => {
      const { room } = await makeSpace(app, { requiresApproval: true });
      const as = await (await makeMember(app)).signedIn();
      const input = { resourceId: room.id, ...march(19, '10:00', '11:00') };
      return (await run('createBooking', input, 'booking { id }', as)).booking.id;
    },
    createCalendarFeed: async (): Promise<string> => {
      const { room } = await makeSpace(app);
      const fields = 'calendarFeed { id }';
      return (await run('createCalendarFeed', { resourceId: room.id }, fields)).calendarFeed.id;
    },
    createClosure: async (): Promise<string> => {
      const { location } = await makeSpace(app);
      const days = { startsOn: '2026-03-20', endsOn: '2026-03-21' };
      const input = { locationId: location.id, ...days };
      return (await run('createClosure', input, 'closure { id }')).closure.id;
    },
    /** A staff account with a password, which has created a token. */
    createStaff: async () => {
      const { id, secret } = await inviteStaff();
      await run('acceptStaffLink', { secret, password: STAFF_PASSWORD }, 'viewer { kind }', {});
      const { email } = await app.ctx.db.user.findUniqueOrThrow({ where: { id } });
      const session: Credential = { cookie: await app.signIn(email) };
      await run('createApiToken', { name: v7(), scopes: ['members:read'] }, 'secret', session);
      return { id, email, session };
    },
    /** A member with a new address that waits for its confirmation, and with `as: token` also for its approval. */
    changeEmail: async (as = owner) => {
      const member = await createMember();
      const email = `${v7()}@example.org`;
      await run('updateMember', { id: member.id, email }, 'member { id }', as);
      return { ...member, newEmail: email };
    },
    /** The secret in the newest email to an address. */
    findSecret: async (recipient: string): Promise<string> => {
      await catchUp(app.ctx, mailReader);
      const [mail] = await app.ctx.db.mail.findMany({
        where: { recipient },
        orderBy: { id: 'desc' },
      });
      return /#(foyer\w+)/.exec(mail?.text ?? '')?.[1] ?? '';
    },
  };
}

export const STAFF_PASSWORD = 'copper lantern avenue';
const GUEST = { name: 'Gil', email: 'gil@example.org' };
export const EUROS = { amount: 1_000, currency: 'EUR' };

/** Renders a mutation with its input as a variable. */
export function toDocument(name: string, fields = '__typename'): string {
  const [input] = schema.getMutationType()?.getFields()[name]?.args ?? [];
  return input
    ? `mutation ($input: ${input.type}) { ${name}(input: $input) { ${fields} } }`
    : `mutation { ${name} { ${fields} } }`;
}
