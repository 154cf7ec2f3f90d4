import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type RequestHandler } from 'express';
import type { Config } from '../config.ts';
import { notFound } from '../errors.ts';

const BUILD_DIRECTORY = fileURLToPath(new URL('../dist/web/', import.meta.url));

const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

/** What the pages answer to; the paths below them are the pages' own business. */
const PAGE_PATHS = [
  ...['admin', 'my', 'events', 'kiosk'].flatMap((place) => [`/${place}`, `/${place}/*rest`]),
  '/orders',
  '/ticket',
  '/waitlist',
  '/day-passes',
  '/display',
];

/** What is on, and nobody's own: search engines may show it. */
const INDEXABLE_PATHS = /^\/(events|day-passes)(\/|$)/;
const NOINDEX_TAG = '<meta name="robots" content="noindex" />';

/** The admin panel, the members' pages and those for everybody, one build by Vite. */
export function registerWebAssets(app: Express, config: Config): void {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  // People who type in the bare address; programs are told that there is nothing.
  app.get('/', (req, res, next) => {
    if (/\btext\/html\b/.test(req.headers.accept ?? '')) res.redirect(302, `${basePath}/events`);
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
  app.get(PAGE_PATHS, (req, res) => {
    if (!existsSync(`${BUILD_DIRECTORY}index.html`) || /\.\w+$/.test(req.path))
      throw notFound('page');
    const page = readFileSync(`${BUILD_DIRECTORY}index.html`, 'utf8')
      .replace('<head>', `<head><base href="${basePath}/admin/">`)
      .replace(INDEXABLE_PATHS.test(req.path) ? NOINDEX_TAG : '', '');
    res.set({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    res.type('html').send(page);
  });
}

/** The build lays a compressed twin beside what is worth it; nothing is compressed while people wait. */
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
