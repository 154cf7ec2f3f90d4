import type { Express } from 'express';
import { z } from 'zod';
import { html } from '../../core/html-page.ts';
import { toSnakeCaseKeys } from '../../core/letter-case.ts';
import { RawJson, toEtag } from '../../rest/envelope.ts';
import { toRestQuery } from '../../rest/input-schema.ts';
import {
  defineRoute,
  emptyQuery,
  pageParameters,
  paginationSchema,
  toPaginatedJson,
} from '../../rest/route.ts';
import { createCacheableFile, sendCacheable } from '../../server/cacheable-response.ts';
import type { Dependencies } from '../../server/dependencies.ts';
import { eventFilter } from './inputs.ts';
import { eventJson } from './rest-object.ts';
import { getListedEvent, listEventsAsJson } from './service/get-event.ts';
import { listEventPages, renderEventCalendar } from './service/public-calendar.ts';
import type { ListedEvent } from './types.ts';

/** Counters of tickets are at most 30 seconds old, which is less than a person takes to order. */
const cache = { maxAgeSeconds: 10, staleWhileRevalidateSeconds: 20 };

export const eventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/public/events',
    fastPath: true,
    access: 'public',
    cache,
    summary: 'List public events',
    description: 'The published ones that are not over yet, soonest first.',
    query: toRestQuery(
      eventFilter
        .pick({ from: true, to: true, locationId: true, tag: true, q: true })
        .extend(pageParameters),
    ),
    data: z.object({
      events: z.array(eventJson).meta({ description: 'One page of the events' }),
      pagination: paginationSchema,
    }),
    handler: async (ctx, { query: { limit, cursor, ...filter } }) => {
      const page = await listEventsAsJson(ctx, filter, { limit, cursor });
      return { data: new RawJson(toPaginatedJson('events', page, limit)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/public/events/{id_or_slug}',
    access: 'public',
    cache,
    summary: 'Get a public event',
    description: 'Also if it is over or was cancelled after it was published.',
    query: emptyQuery,
    data: z.object({ event: eventJson.meta({ description: 'The event' }) }),
    handler: async (ctx, { params: { id_or_slug: idOrSlug = '' } }) =>
      toEventResponse(await getListedEvent(ctx, idOrSlug)),
  }),
  defineRoute({
    method: 'GET',
    path: '/public/events.ics',
    access: 'public',
    summary:
      'Get public events from 30 days ago until 400 days ahead as iCalendar, for calendar apps; cancelled ones say so',
    query: toRestQuery(eventFilter.pick({ locationId: true, tag: true })),
    data: z.string(),
    mediaType: 'text/calendar',
    cache: { maxAgeSeconds: 300, staleWhileRevalidateSeconds: 3600 },
    handler: async (ctx, { query }) => {
      const data = await renderEventCalendar(ctx, query);
      return { data, etag: toEtag(data) };
    },
  }),
];

/** Registers the sitemap, which lists the pages that search engines can show. */
export function registerSitemap(app: Express, { anonymousContext, config }: Dependencies): void {
  const toBody = createCacheableFile('application/xml');
  app.get('/sitemap.xml', async (req, res) => {
    const events = await listEventPages(anonymousContext);
    const pages = [
      ...['events', 'day-passes'].map((path) => ({ path })),
      ...events.map(({ slug, updatedAt }) => ({ path: `events/${slug}`, updatedAt })),
    ];
    sendCacheable(req, res, await toBody(renderSitemap(config.baseUrl, pages)), {
      cacheControl: 'public, max-age=300, stale-while-revalidate=3600',
    });
  });
}

const renderSitemap = (baseUrl: string, pages: { path: string; updatedAt?: string }[]) =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(
  ({ path, updatedAt }) =>
    html`<url><loc>${baseUrl}/${path}</loc>${
      updatedAt === undefined ? '' : html`<lastmod>${updatedAt}</lastmod>`
    }</url>
`,
)}</urlset>
`.text;

const toEventResponse = ({ ticketTypes, ...event }: ListedEvent) => ({
  data: {
    event: { ...toSnakeCaseKeys(event), ticket_types: ticketTypes.map(toSnakeCaseKeys) },
  },
});
