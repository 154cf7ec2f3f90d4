import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { route } from '../../rest/route.ts';
import { calendarOf } from './calendar.ts';
import { entries } from './entries.ts';

export const routes = [
  route({
    method: 'GET',
    path: '/calendars/{secret}.ics',
    access: 'public',
    summary: 'The live bookings of a resource or a member, for a calendar program that subscribes',
    query: z.object({}), // calendar programs keep caches away by whatever parameters
    data: z.string(),
    mediaType: 'text/calendar',
    guess: ({ params: { secret = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'calendarFeed', secret),
    answer: async (ctx, { params: { secret = '' }, baseUrl }) => {
      const data = calendarOf(await entries(ctx, secret), new URL(baseUrl).host);
      return { data, etag: createHash('sha256').update(data).digest('base64url') };
    },
  }),
];
