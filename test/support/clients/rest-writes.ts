import type { TestApp } from '../harness/app.ts';
import type { Credential } from './api.ts';

interface PostOptions {
  as?: Credential;
  headers?: Record<string, string>;
}

/** Sends writes through REST, by default with a token for bookings, members and spaces. */
export async function createRestWriter(app: TestApp) {
  const scopes = ['bookings', 'members', 'spaces'].flatMap((it) => [`${it}:read`, `${it}:write`]);
  const all = { token: await app.token(...scopes) };
  const atelier = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
  return {
    all,
    atelier,
    ben: await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } }),
    /** Posts a value as JSON, or text as it is. */
    post: (path: string, body: unknown, { as = all, headers = {} }: PostOptions = {}) =>
      app.rest(path, as, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    at: getTime,
    /** The body of a booking of the atelier for an hour. */
    toBooking: (day: number, more: object) => ({
      resource_id: atelier.id,
      starts_at: getTime(day),
      ends_at: getTime(day, 1),
      ...more,
    }),
  };
}

/** Ten in the morning in Berlin plus some hours, on working days without bookings of the seed. */
const getTime = (day: number, hours = 0) =>
  new Date(Date.UTC(2026, 4, 4 + day + 2 * Math.floor(day / 5), 8 + hours)).toISOString();

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
export const getData = ({ body }: { body: { data: unknown } }) => body.data as any;
