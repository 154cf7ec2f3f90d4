import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type RequestHandler } from 'express';
import type { Config } from './config.ts';
import { notFound } from './errors.ts';

const BUILT = fileURLToPath(new URL('../dist/web/', import.meta.url));

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

/** The admin panel and the members' pages, one build by Vite. The paths below /admin and /my are its own business. */
export function panel(app: Express, config: Config): void {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  app.use(
    '/admin/assets',
    compressed,
    express.static(`${BUILT}assets`, {
      immutable: true,
      maxAge: '1y',
      index: false,
      redirect: false,
    }),
  );
  app.get(['/admin', '/admin/*rest', '/my', '/my/*rest'], (req, res) => {
    if (!existsSync(`${BUILT}index.html`) || /\.\w+$/.test(req.path)) throw notFound('page');
    const page = readFileSync(`${BUILT}index.html`, 'utf8').replace(
      '<head>',
      `<head><base href="${basePath}/admin/">`,
    );
    res.set({
      'content-security-policy': POLICY,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    res.type('html').send(page);
  });
}

/** The build lays a compressed twin beside what is worth it; nothing is compressed while people wait. */
const compressed: RequestHandler = (req, res, next) => {
  const isText = /^\/[\w.-]+\.(js|css)$/.test(req.path);
  if (isText && existsSync(`${BUILT}assets${req.path}.gz`)) {
    res.vary('accept-encoding');
    if (req.acceptsEncodings('gzip')) {
      res.type(extname(req.path)).set('content-encoding', 'gzip');
      req.url = `${req.path}.gz`;
    }
  }
  next();
};
