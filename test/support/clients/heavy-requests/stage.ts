import { schema } from '../../../../src/graphql/schema.ts';
import { routes } from '../../../../src/rest/route-table.ts';
import { STAFF, startApp, type TestApp } from '../../harness/app.ts';
import { createDocumentRequests } from './graphql-documents.ts';
import { createVariableRequests, type FindId } from './graphql-variables.ts';
import type { HeavyRequest } from './heavy-request.ts';
import { createRestRequests } from './rest-requests.ts';

/** Starts a seeded service for heavy requests, and generates all of them from the schema and the route table. */
export async function startHeavyRequestStage() {
  const app = await startApp({ config: { TRUST_PROXY: '1' } });
  const findId = await createIdLookup(app);
  const owner = { cookie: await app.signIn(STAFF.owner) };
  const token = { authorization: `Bearer ${await app.token('*')}` };
  const requests: HeavyRequest[] = [
    ...createDocumentRequests({}),
    ...createVariableRequests(schema, findId, owner),
    ...createRestRequests(routes, findId, token),
  ];
  return { app, requests };
}

/** Finds ids in the seed, so that requests come as far as the work of their operation. */
async function createIdLookup({ ctx: { db } }: TestApp): Promise<FindId> {
  const location = await db.location.findFirstOrThrow();
  const ids: [name: RegExp, id: string][] = [
    [/location|place/i, location.id],
    [/resource|room/i, (await db.resource.findFirstOrThrow()).id],
    [/member/i, (await db.member.findFirstOrThrow({ where: { email: 'ben@example.org' } })).id],
    [/ticketType/i, (await db.ticketType.findFirstOrThrow()).id],
    [/event/i, (await db.event.findFirstOrThrow()).id],
    [/plan/i, (await db.plan.findFirstOrThrow()).id],
    [/booking/i, (await db.booking.findFirstOrThrow()).id],
    [/order/i, (await db.order.findFirstOrThrow()).id],
    [/display|kiosk|device/i, (await db.display.findFirstOrThrow()).id],
    [/staff|user/i, (await db.user.findFirstOrThrow()).id],
  ];
  const find = (text: string) => ids.find(([pattern]) => pattern.test(text))?.[1];
  return (name, operation) => find(name) ?? find(operation) ?? location.id;
}
