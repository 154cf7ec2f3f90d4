import { v7 } from 'uuid';
import type { TestApp } from '../harness/app.ts';
import { buyTickets, findEmails, makeBuyer, makeEvent } from './events.ts';

export interface Person {
  name: string;
  email: string;
}

const OWN_ENTRY =
  'status quantity acceptsFewer offeredQuantity offeredUntil maxQuantity allowedActions { change leave } ticketTypeName eventTitle';

/** The actions on waiting lists. */
export function createWaitlistActions(app: TestApp) {
  const join = (
    ticketTypeId: string,
    person: Person & { acceptsFewer?: boolean } = makeBuyer(),
    quantity = 1,
    as = {},
  ) =>
    app.graphql(
      `mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { ticketTypeId quantity } }`,
      { input: { ticketTypeId, quantity, ...person } },
      as,
    );

  const findSecret = async ({ email }: Person, page: string, subject: RegExp) => {
    const mails = (await findEmails(app, email)).filter((mail) => subject.test(mail.subject));
    const text = mails.at(-1)?.text ?? '';
    return new RegExp(`${page}#(\\S+)`).exec(text)?.[1];
  };

  const getStatus = async ({ email }: Person) =>
    (await app.ctx.db.waitlistEntry.findFirstOrThrow({ where: { email } })).status;

  return {
    join,
    /** Adds a new person after all earlier ones. */
    addPerson: async (
      ticketTypeId: string,
      quantity = 1,
      options: { acceptsFewer?: boolean } = {},
    ): Promise<Person> => {
      const person = makeBuyer();
      app.clock.now = new Date(app.clock.now.getTime() + 1);
      const { errors } = await join(ticketTypeId, { ...person, ...options }, quantity);
      if (errors[0]) throw new Error(JSON.stringify(errors[0]));
      return person;
    },
    /** The secret in the latest offer to this person. */
    findOfferSecret: (person: Person) => findSecret(person, 'orders', /^Tickets available/),
    leave: async (person: Person) =>
      app.graphql(
        'mutation ($secret: String!) { leaveWaitlist(input: { secret: $secret }) { quantity } }',
        {
          secret: await findSecret(person, 'waitlist', /^You.re on/),
        },
      ),
    /** The secret in the latest email about joining. */
    findEntrySecret: (person: Person) => findSecret(person, 'waitlist', /on the waiting list/),
    /** The entry as the person sees it. */
    see: (secret: string | undefined, fields = OWN_ENTRY) =>
      app.graphql(`query ($secret: String!) { waitlistEntry(secret: $secret) { ${fields} } }`, {
        secret,
      }),
    change: (secret: string | undefined, changes: object) =>
      app.graphql(
        `mutation ($input: ChangeWaitlistEntryInput!) { changeWaitlistEntry(input: $input) { waitlistEntry { ${OWN_ENTRY} } } }`,
        { input: { secret, ...changes } },
      ),
    getStatus,
    getStatuses: (people: Person[]) => Promise.all(people.map(getStatus)),
  };
}

/** Writes many entries in order of joining, a millisecond apart, without emails. Returns their ids. */
export async function addWaitingEntries(
  app: TestApp,
  entries: { ticketTypeId: string; quantity?: number; acceptsFewer?: boolean }[],
): Promise<string[]> {
  const data = entries.map((entry) => {
    app.clock.now = new Date(app.clock.now.getTime() + 1);
    const id = v7();
    return { ...makeBuyer(), ...entry, id, hash: Buffer.from(id), createdAt: app.clock.now };
  });
  await app.ctx.db.waitlistEntry.createMany({ data });
  return data.map(({ id }) => id);
}

/** An event with all tickets sold: so many of them in separate orders, and the others in one. */
export async function makeSoldOutEvent(
  app: TestApp,
  quantity = 1,
  type: object = {},
  { separately = quantity } = {},
) {
  const event = await makeEvent(app, { types: [{ quantity, ...type }] });
  const orders: Awaited<ReturnType<typeof buyTickets>>[] = [];
  const buy = async (quantity: number) =>
    orders.push(await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity }]));
  for (let n = 0; n < separately; n += 1) await buy(1);
  if (separately < quantity) await buy(quantity - separately);
  return { ...event, orders, secret: orders[0].secret as string };
}
