import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import type { Config } from './config.ts';
import { notFound } from './errors.ts';

const BUILT = fileURLToPath(new URL('../dist/web/', import.meta.url));

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

/** The admin panel, as Vite has built it. Its paths below /admin are the panel's own business. */
export function panel(app: Express, config: Config): void {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  app.use(
    '/admin/assets',
    express.static(`${BUILT}assets`, {
      immutable: true,
      maxAge: '1y',
      index: false,
      redirect: false,
    }),
  );
  app.get(['/admin', '/admin/*rest'], (req, res) => {
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
