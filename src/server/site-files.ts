import type { Express, Request } from 'express';
import type { Config } from '../config.ts';
import { DAY_MS } from '../core/time/time-zone.ts';
import { notFound } from '../errors.ts';
import { sendResponse, toSuccessBody } from '../rest/envelope.ts';

/** Pages that search engines do not need. `noindex` and sign-in keep the others out of their results. */
const UNLISTED_PATHS = ['/admin/', '/my', '/orders', '/ticket', '/waitlist', '/graphql', '/pay/'];

/** What programs find here, by the names of link relations. */
const API_LINKS = {
  openapi: { path: '/openapi.json', type: 'application/vnd.oai.openapi+json', rel: 'service-desc' },
  graphql: { path: '/graphql', type: 'application/graphql-response+json', rel: 'item' },
  schema: { path: '/schema.graphql', type: 'text/plain', rel: 'describedby' },
  documentation: { path: '/docs/', type: 'text/html', rel: 'service-doc' },
  llms: { path: '/llms.txt', type: 'text/plain', rel: 'service-doc' },
  graphiql: { path: '/graphiql', type: 'text/html', rel: 'service-doc' },
  health: { path: '/healthz', type: 'application/json', rel: 'status' },
} as const;

const API_CATALOG_PATH = '/.well-known/api-catalog';
const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const CACHE_CONTROL = 'public, max-age=3600';
const SECURITY_FILE_DAYS = 180;

/** Registers the files that tell programs what this site offers: links, the catalog of APIs, robots.txt and security.txt. */
export function registerSiteFiles(
  app: Express,
  { config, now }: { config: Config; now: () => Date },
): void {
  const { baseUrl, securityContact } = config;

  app.get('/', (req, res, next) => {
    if (prefersHtml(req)) return next();
    const links = Object.entries(API_LINKS).map(([name, { path }]) => [name, baseUrl + path]);
    const body = toSuccessBody({
      name: 'Foyer',
      links: {
        ...Object.fromEntries(links),
        api_catalog: baseUrl + API_CATALOG_PATH,
        events: `${baseUrl}/events`,
        events_calendar: `${baseUrl}/public/events.ics`,
      },
    });
    res.vary('accept');
    sendResponse(res, 200, body, {
      'cache-control': CACHE_CONTROL,
      link: `<${baseUrl}${API_CATALOG_PATH}>; rel="api-catalog"`,
    });
  });

  app.get(API_CATALOG_PATH, (_req, res) => {
    const relations: Record<string, { href: string; type: string }[]> = {};
    for (const { path, type, rel } of Object.values(API_LINKS)) {
      relations[rel] = [...(relations[rel] ?? []), { href: baseUrl + path, type }];
    }
    const linkset = [{ anchor: `${baseUrl}/`, ...relations }];
    sendResponse(res, 200, JSON.stringify({ linkset }), {
      'content-type': API_CATALOG_TYPE,
      'cache-control': CACHE_CONTROL,
      link: `<${baseUrl}${API_CATALOG_PATH}>; rel="api-catalog"`,
    });
  });

  app.get('/robots.txt', (_req, res) => {
    const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
    const lines = [
      'User-agent: *',
      `Allow: ${basePath}/admin/assets/`,
      ...UNLISTED_PATHS.map((path) => `Disallow: ${basePath}${path}`),
      '',
      `Sitemap: ${baseUrl}/sitemap.xml`,
    ];
    sendText(res, lines);
  });

  // RFC 9116.
  app.get('/.well-known/security.txt', (_req, res) => {
    if (securityContact === undefined) throw notFound('security contact');
    const today = Math.floor(now().getTime() / DAY_MS) * DAY_MS;
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(today + SECURITY_FILE_DAYS * DAY_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${baseUrl}/.well-known/security.txt`,
    ];
    sendText(res, lines);
  });
}

const sendText = (res: Parameters<typeof sendResponse>[0], lines: string[]) =>
  sendResponse(res, 200, `${lines.join('\n')}\n`, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': CACHE_CONTROL,
  });

/** Whether the client is a browser. Programs accept anything, or JSON. */
export const prefersHtml = (req: Request): boolean => req.accepts(['json', 'html']) === 'html';
