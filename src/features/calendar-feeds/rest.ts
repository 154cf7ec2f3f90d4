import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import { toEtag } from '../../rest/envelope.ts';
import { defineRoute } from '../../rest/route.ts';
import { getFeedContents, renderFeed } from './ical-feed.ts';

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/calendars/{secret}.ics',
    access: 'public',
    summary: 'Get the bookings of a calendar feed',
    description: 'Those of a resource or a member, as iCalendar, for calendar apps.',
    query: z.object({}), // calendar programs add parameters of any name to bypass caches
    data: z.string(),
    mediaType: 'text/calendar',
    guess: ({ params: { secret = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'calendarFeed', secret),
    handler: async (ctx, { params: { secret = '' }, baseUrl }) => {
      const data = renderFeed(await getFeedContents(ctx, secret), new URL(baseUrl).host);
      return { data, etag: toEtag(data) };
    },
  }),
];
