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

/** Pages whose router runs in the browser and knows the paths below them. */
const ROUTED_PAGES = ['/admin', '/admin/*rest', '/my', '/my/*rest', '/kiosk', '/kiosk/:location'];
const SINGLE_PAGES = ['/events', '/orders', '/ticket', '/waitlist', '/day-passes', '/display'];
/** Paths that belong to the pages: a browser gets a page there even if nothing is found. */
const PAGE_PREFIXES = ['/admin', '/my', '/kiosk', ...SINGLE_PAGES, '/pay'];

const INDEXABLE_PATHS = /^\/(events|day-passes)(\/|$)/;
const NOINDEX_TAG = '<meta name="robots" content="noindex" />';

/** Decides whether the visitor who sends the request can see an event. */
type EventLookup = (req: Request, slug: string) => Promise<boolean>;

/** Serves the admin panel, the member pages and the public pages, which are one Vite build. */
export function registerWebAssets(
  app: Express,
  config: Config,
  { isEventVisible }: { isEventVisible: EventLookup },
): void {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const sendApp = (req: Request, res: Response, next: () => void, status = 200) => {
    if (!existsSync(`${BUILD_DIRECTORY}index.html`) || /\.\w+$/.test(req.path)) return next();
    const page = readFileSync(`${BUILD_DIRECTORY}index.html`, 'utf8')
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

  // Programs get the JSON envelope at the bare address.
  app.get('/', (req, res, next) => {
    if (acceptsHtml(req)) res.redirect(302, `${basePath}/events`);
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
  app.get('/front-door-worker.js', (_req, res) => {
    const worker = `${BUILD_DIRECTORY}front-door-worker.js`;
    if (!existsSync(worker)) throw notFound('page');
    res.set({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
    res.type('js').send(readFileSync(worker, 'utf8'));
  });
  app.get([...ROUTED_PAGES, ...SINGLE_PAGES], (req, res, next) => sendApp(req, res, next));
  app.get('/events/:slug', async (req, res, next) => {
    // If the lookup itself fails, the page shows the error and a button to try again.
    const isVisible = await isEventVisible(req, req.params.slug).catch(() => true);
    sendApp(req, res, next, isVisible ? 200 : 404);
  });
  app.get(['/events/*rest', '/kiosk/*rest'], (req, res, next) => sendApp(req, res, next, 404));
  app.get(
    PAGE_PREFIXES.flatMap((prefix) => [prefix, `${prefix}/*rest`]),
    (req, res, next) => {
      if (!acceptsHtml(req) || req.path.startsWith('/admin/assets/')) return next();
      const page = renderHtmlPage(
        'Page not found',
        html`<p>There is no page at this address. Check it for typos.</p>
<p><a href="${basePath}/events">See upcoming events</a></p>`,
      );
      res.writeHead(404, { ...toHtmlPageHeaders(), 'content-length': Buffer.byteLength(page) });
      res.end(page);
    },
  );
}

const acceptsHtml = ({ headers }: Request) => /\btext\/html\b/.test(headers.accept ?? '');

/** The build puts a compressed copy beside each large file, so nothing is compressed per request. */
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
