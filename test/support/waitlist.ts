import type { TestApp } from './app.ts';
import { bought, mailsTo, makeEvent, somebody } from './events.ts';

export interface Person {
  name: string;
  email: string;
}

/** What a test does with waiting lists. */
export function waitlistOf(app: TestApp) {
  const join = (ticketTypeId: string, person: Person = somebody(), quantity = 1, as = {}) =>
    app.graphql(
      `mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { ticketTypeId quantity } }`,
      { input: { ticketTypeId, quantity, ...person } },
      as,
    );

  const secretIn = async ({ email }: Person, page: string, subject: RegExp) => {
    const mails = (await mailsTo(app, email)).filter((mail) => subject.test(mail.subject));
    const text = mails.at(-1)?.text ?? '';
    return new RegExp(`${page}#(\\S+)`).exec(text)?.[1];
  };

  const statusOf = async ({ email }: Person) =>
    (await app.ctx.db.waitlistEntry.findFirstOrThrow({ where: { email } })).status;

  return {
    join,
    /** Somebody who waits, from a later moment than those before. */
    waiting: async (ticketTypeId: string, quantity = 1): Promise<Person> => {
      const person = somebody();
      app.clock.now = new Date(app.clock.now.getTime() + 1);
      const { errors } = await join(ticketTypeId, person, quantity);
      if (errors[0]) throw new Error(JSON.stringify(errors[0]));
      return person;
    },
    /** The secret of the offer that somebody got last. */
    offerTo: (person: Person) => secretIn(person, 'orders', /^Tickets available/),
    leave: async (person: Person) =>
      app.graphql('mutation ($secret: String!) { leaveWaitlist(secret: $secret) }', {
        secret: await secretIn(person, 'waitlist', /^You.re on/),
      }),
    statusOf,
    statuses: (people: Person[]) => Promise.all(people.map(statusOf)),
  };
}

/** An event whose tickets are all sold, each in an order of its own. */
export async function soldOut(app: TestApp, quantity = 1, type: object = {}) {
  const event = await makeEvent(app, { types: [{ quantity, ...type }] });
  const orders = [];
  for (let n = 0; n < quantity; n += 1) {
    orders.push(await bought(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]));
  }
  return { ...event, orders, secret: orders[0].secret as string };
}
