import { existsSync, readFileSync } from 'node:fs';
import type { Express, Request, RequestHandler, Response } from 'express';
import { readSessionCookie } from '../auth/cookies.ts';
import { anonymous } from '../auth/viewer.ts';
import type { Config } from '../config.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { html, renderHtmlPage, toHtmlPageHeaders } from '../core/html-page.ts';
import { slug as slugSchema, uuid } from '../core/validation.ts';
import { notFound, toDomainError } from '../errors.ts';
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGE_CODES } from '../languages/languages.ts';
import type { SpaceSettings } from '../languages/space-settings.ts';
import { sendCacheable } from './cacheable-response.ts';
import type { Dependencies } from './dependencies.ts';
import { DEFAULT_PAGE_SETTINGS } from './page-settings.ts';
import { BUILD_DIRECTORY, createShell, isPageBuilt, toPageHeaders } from './page-template.ts';
import type { PageName, RenderedPages } from './rendered-pages.ts';
import { prefersHtml } from './site-files.ts';
import { serveImmutableFiles } from './static-files.ts';

const PAGE_HEADERS = toPageHeaders();

/** Pages with a router in the browser, which handles the paths below them. */
const PANEL_PAGES = ['/admin', '/admin/*rest'];
const MEMBER_PAGES = ['/my', '/my/*rest'];
/** Pages in the language of the space, and with its name. */
const SPACE_PAGES = [
  '/kiosk',
  '/kiosk/:location',
  '/display',
  '/events',
  '/orders',
  '/ticket',
  '/waitlist',
  '/day-passes',
  '/email-preferences',
];
const SETUP_PAGES = ['/setup', '/setup/:step'];
/** What a page costs of the budget of an address, about as much as its queries. */
const PAGE_POINTS = 100;
const INDEXABLE_PATHS = /^\/(events|day-passes)(\/|$)/;

type Next = () => void;

/** Decides whether the visitor who sends the request can see an event. */
type EventLookup = (req: Request, slug: string) => Promise<boolean>;

/**
 * Serves the admin panel, the member pages and the public pages, which are one app, and the API explorer, which is another
 * entry of the same Vite build. To people who are not signed in, the service sends the public pages with their content.
 */
export function registerWebAssets(
  app: Express,
  {
    config,
    log,
    queryBudget,
    readPageSettings,
  }: Pick<Dependencies, 'config' | 'log' | 'queryBudget' | 'readPageSettings'>,
  {
    isEventVisible,
    isSetupOpen,
    pages,
  }: {
    isEventVisible: EventLookup;
    isSetupOpen: () => Promise<boolean>;
    pages: RenderedPages;
  },
): void {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const sendPage = async (
    file: string,
    req: Request,
    res: Response,
    next: Next,
    {
      status = 200,
      isForMembers = false,
      settings = DEFAULT_PAGE_SETTINGS,
    }: { status?: number; isForMembers?: boolean; settings?: SpaceSettings } = {},
  ) => {
    if (!isPageBuilt(file) || isFile(req)) return next();
    const isIndexable = status === 200 && INDEXABLE_PATHS.test(req.path);
    const page = await createShell(file, basePath, { isIndexable, isForMembers, settings });
    res.set({ ...PAGE_HEADERS, 'cache-control': 'no-cache' });
    res.status(status).type('html').send(page);
  };

  const sendSpacePage = async (req: Request, res: Response, next: Next, status = 200) =>
    sendPage('index.html', req, res, next, { status, settings: await readPageSettings() });

  const isSignedIn = ({ headers }: Request) =>
    headers.authorization !== undefined || readSessionCookie(headers.cookie, config) !== undefined;

  /** Sends a page with its content, unless the browser must load it: for people who are signed in, and during an outage. */
  const sendRendered =
    (toName: (req: Request) => PageName | null): RequestHandler =>
    async (req, res, next) => {
      res.vary('cookie');
      const name = isSignedIn(req) || isFile(req) ? null : toName(req);
      if (name === null) return next();
      if (name.page === 'not-found') return sendNotFound(req, res, next);
      try {
        queryBudget.charge(anonymous, findClientAddress(req, config.trustProxy), PAGE_POINTS);
        const page = await pages.get(name);
        if (page === null) return next();
        sendCacheable(req, res, page, { headers: PAGE_HEADERS });
      } catch (thrown) {
        const error = toDomainError(thrown);
        // Browsers load the page themselves, which costs what their queries cost.
        if (error.code === 'RATE_LIMITED') return next();
        if (error.code !== 'NOT_FOUND') log.warn({ err: error }, 'could not render a page');
        if (error.code !== 'NOT_FOUND') return next();
        return sendNotFound(req, res, next);
      }
    };

  const sendNotFound = async (req: Request, res: Response, next: Next) => {
    if (isFile(req)) return next();
    const page = await pages.get({ page: 'not-found' });
    if (page === null) return sendSpacePage(req, res, next, 404);
    sendCacheable(req, res, page, {
      status: 404,
      cacheControl: 'no-cache',
      headers: PAGE_HEADERS,
    });
  };

  // Programs have got links to the APIs at this path.
  app.get('/', async (_req, res) => {
    // During an outage, the page of events says what is wrong.
    const isOpen = await isSetupOpen().catch(() => false);
    res.vary('accept').redirect(302, `${basePath}/${isOpen ? 'setup' : 'events'}`);
  });
  app.use('/admin/assets', serveImmutableFiles(`${BUILD_DIRECTORY}assets/`));
  // The names of these scripts have no hash, since others refer to them.
  const sendScript =
    (name: string, cacheControl: string): RequestHandler =>
    (_req, res) => {
      const script = BUILD_DIRECTORY + name;
      if (!existsSync(script)) throw notFound('page');
      res.set({ 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' });
      res.type('js').send(readFileSync(script, 'utf8'));
    };
  app.get('/offline-worker.js', sendScript('offline-worker.js', 'no-cache'));
  app.get('/embed.js', sendScript('embed.js', 'public, max-age=3600'));
  app.get('/events', sendRendered(toEventsPage));
  app.get('/day-passes', sendRendered(toPassesPage));
  app.get('/events/:slug', sendRendered(toEventPage));
  app.get(PANEL_PAGES, (req, res, next) => sendPage('index.html', req, res, next));
  app.get(MEMBER_PAGES, async (req, res, next) =>
    sendPage('index.html', req, res, next, {
      isForMembers: true,
      settings: await readPageSettings(),
    }),
  );
  app.get(SPACE_PAGES, (req, res, next) => sendSpacePage(req, res, next));
  // Before a language is chosen, the page has that of the browser.
  app.get(SETUP_PAGES, async (req, res, next) => {
    const isOpen = await isSetupOpen().catch(() => false);
    const accepted = isOpen ? req.acceptsLanguages(...LANGUAGE_CODES) : false;
    res.vary('accept-language');
    await sendPage('index.html', req, res, next, {
      settings: {
        ...DEFAULT_PAGE_SETTINGS,
        language: isLanguage(accepted) ? accepted : DEFAULT_LANGUAGE,
      },
    });
  });
  app.get('/graphiql', (req, res, next) => sendPage('graphiql.html', req, res, next));
  app.get('/events/:slug', async (req, res, next) => {
    // If the lookup fails, the page loads, shows the error and offers to retry.
    const { slug } = req.params;
    const isVisible = isEventName(slug) && (await isEventVisible(req, slug).catch(() => true));
    await sendSpacePage(req, res, next, isVisible ? 200 : 404);
  });
  app.get('/events/*rest', sendNotFound);
  app.get('/kiosk/*rest', (req, res, next) => sendSpacePage(req, res, next, 404));
}

// Parameters that no page knows are ignored, since messengers and newsletters add some to links.

const MAX_TAG_LENGTH = 100;

function toEventsPage(req: Request): PageName | null {
  const parameters = readParameters(req);
  const tag = parameters.get('tag')?.trim() ?? '';
  const isRendered = tag.length <= MAX_TAG_LENGTH && !/\p{Cc}/u.test(tag) && !parameters.get('q');
  return isRendered ? { page: 'events', tag } : null;
}

function toPassesPage(req: Request): PageName | null {
  const parameters = readParameters(req);
  return parameters.get('day') || parameters.get('location') ? null : { page: 'day-passes' };
}

function toEventPage({ params: { slug } }: Request): PageName | null {
  return isEventName(slug) ? { page: 'event', slug } : { page: 'not-found' };
}

const isEventName = (name: unknown): name is string =>
  slugSchema.safeParse(name).success || uuid.safeParse(name).success;

const isFile = ({ path }: Request) => /\.\w+$/.test(path);

const readParameters = ({ url }: Request) => new URLSearchParams(url.split('?')[1] ?? '');

/** Below these, every response is JSON in the envelope, as specified. */
const SPECIFIED_PATHS = /^\/(bookings|public|displays)(\/|$)/;

/** Shows browsers a page at unknown paths, instead of the JSON envelope that programs get. */
export function createNotFoundPage({ baseUrl }: Config): RequestHandler {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  return (req, res, next) => {
    const hasPages = !SPECIFIED_PATHS.test(req.path) && !req.path.startsWith('/admin/assets/');
    if (!isReadRequest(req) || !prefersHtml(req) || !hasPages) return next();
    const page = renderHtmlPage(
      'Page not found',
      html`<p>There is no page at this address. Check it for typos.</p>
<p><a href="${basePath}/events">See upcoming events</a></p>
<p><a href="${basePath}/my">Sign in as a member</a></p>`,
    );
    res.writeHead(404, { ...toHtmlPageHeaders(), 'content-length': Buffer.byteLength(page) });
    res.end(page);
  };
}

const isReadRequest = ({ method }: Request) => method === 'GET' || method === 'HEAD';
