import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Config } from '../config.ts';
import { html, renderHtmlPage, toHtmlPageHeaders } from '../core/html-page.ts';
import { notFound } from '../errors.ts';

const BUILD_DIRECTORY = fileURLToPath(new URL('../../dist/web/', import.meta.url));

const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

/** Pages with a router in the browser, which handles the paths below them. */
const ROUTED_PAGES = ['/admin', '/admin/*rest', '/my', '/my/*rest', '/kiosk', '/kiosk/:location'];
const SINGLE_PAGES = [
  '/events',
  '/orders',
  '/ticket',
  '/waitlist',
  '/day-passes',
  '/display',
  '/email-preferences',
];
const INDEXABLE_PATHS = /^\/(events|day-passes)(\/|$)/;
const NOINDEX_TAG = '<meta name="robots" content="noindex" />';

type Next = () => void;

/** Decides whether the visitor who sends the request can see an event. */
type EventLookup = (req: Request, slug: string) => Promise<boolean>;

/**
 * Serves the admin panel, the member pages and the public pages, which are one app, and the API explorer, which is another
 * entry of the same Vite build.
 */
export function registerWebAssets(
  app: Express,
  config: Config,
  { isEventVisible }: { isEventVisible: EventLookup },
): void {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const sendPage = (file: string, status: number, req: Request, res: Response, next: Next) => {
    if (!existsSync(BUILD_DIRECTORY + file) || /\.\w+$/.test(req.path)) return next();
    const page = readFileSync(BUILD_DIRECTORY + file, 'utf8')
      .replace('<head>', `<head><base href="${basePath}/admin/">`)
      .replace(status === 200 && INDEXABLE_PATHS.test(req.path) ? NOINDEX_TAG : '', '');
    res.set({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    res.status(status).type('html').send(page);
  };
  const sendApp = (req: Request, res: Response, next: Next, status = 200) =>
    sendPage('index.html', status, req, res, next);

  // Other clients get the JSON envelope at the root path.
  app.get('/', (req, res, next) => {
    if (prefersHtml(req)) res.redirect(302, `${basePath}/events`);
    else next();
  });
  app.use(
    '/admin/assets',
    servePrecompressed,
    express.static(`${BUILD_DIRECTORY}assets`, {
      immutable: true,
      maxAge: '1y',
      index: false,
      redirect: false,
    }),
  );
  app.get('/offline-worker.js', (_req, res) => {
    const worker = `${BUILD_DIRECTORY}offline-worker.js`;
    if (!existsSync(worker)) throw notFound('page');
    res.set({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
    res.type('js').send(readFileSync(worker, 'utf8'));
  });
  app.get([...ROUTED_PAGES, ...SINGLE_PAGES], (req, res, next) => sendApp(req, res, next));
  app.get('/graphiql', (req, res, next) => sendPage('graphiql.html', 200, req, res, next));
  app.get('/events/:slug', async (req, res, next) => {
    // If the lookup fails, the page loads, shows the error and offers to retry.
    const isVisible = await isEventVisible(req, req.params.slug).catch(() => true);
    sendApp(req, res, next, isVisible ? 200 : 404);
  });
  app.get(['/events/*rest', '/kiosk/*rest'], (req, res, next) => sendApp(req, res, next, 404));
}

/** Shows browsers a page at unknown paths, instead of the JSON envelope that programs get. */
export function createNotFoundPage({ baseUrl }: Config): RequestHandler {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  return (req, res, next) => {
    if (!isReadRequest(req) || !prefersHtml(req) || req.path.startsWith('/admin/assets/'))
      return next();
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

const prefersHtml = (req: Request) => req.accepts(['json', 'html']) === 'html';

/** Serves the compressed copy that the build stores next to each large file, so nothing is compressed per request. */
const servePrecompressed: RequestHandler = (req, res, next) => {
  const isText = /^\/[\w.-]+\.(js|css)$/.test(req.path);
  if (isText && existsSync(`${BUILD_DIRECTORY}assets${req.path}.gz`)) {
    res.vary('accept-encoding');
    if (req.acceptsEncodings('gzip')) {
      res.type(extname(req.path)).set('content-encoding', 'gzip');
      req.url = `${req.path}.gz`;
    }
  }
  next();
};
