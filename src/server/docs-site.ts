import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { anonymous } from '../auth/viewer.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { createSharedCalls } from '../core/shared-calls.ts';
import { notFound } from '../errors.ts';
import { type CacheableBody, sendCacheable, toCacheableBody } from './cacheable-response.ts';
import type { Dependencies } from './dependencies.ts';
import { toPageHeaders } from './page-template.ts';
import { BASE_PATH_PLACEHOLDER, BASE_URL_PLACEHOLDER } from './site-placeholders.ts';

const DIRECTORY = fileURLToPath(new URL('../../dist/docs/', import.meta.url));

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const BINARY = new Set(['.png', '.woff2']);
/** What a page costs of the budget of an address, as other pages do. Scripts and styles cost nothing. */
const PAGE_POINTS = 100;
const CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=3600';
/** The names of these files change with their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const MAX_KEPT_BYTES = 16_000_000;

interface File {
  body: CacheableBody;
  headers: Record<string, string>;
}

/**
 * Serves the documentation site that the build has made, at /docs: each page as HTML and, with `.md`, as Markdown; and its index
 * and whole text for language models. Answers with 404 if the site is not built.
 */
export function registerDocsSite(
  app: Express,
  { config, queryBudget }: Pick<Dependencies, 'config' | 'queryBudget'>,
): void {
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const names = new Set(existsSync(DIRECTORY) ? listFiles() : []);
  const kept = new LRUCache<string, File>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ body }) => body.text.length + body.compressed.length,
  });

  const share = createSharedCalls();

  async function read(name: string): Promise<File> {
    const text = (await readFile(DIRECTORY + name, 'utf8'))
      .replaceAll(BASE_PATH_PLACEHOLDER, () => `${basePath}/`)
      .replaceAll(BASE_URL_PLACEHOLDER, () => `${config.baseUrl}/`);
    const type = TYPES[extname(name)] ?? 'text/plain';
    const body = await toCacheableBody(type, text);
    const headers = type === 'text/html' ? toPageHeaders({ scripts: findScripts(text) }) : {};
    const file = { body, headers };
    kept.set(name, file);
    return file;
  }

  async function sendFile(req: Request, res: Response, name: string, status = 200) {
    const isAsset = name.startsWith('assets/');
    if (BINARY.has(extname(name)))
      return res.sendFile(name, { root: DIRECTORY, maxAge: isAsset ? '1y' : '1h' });
    const isPage = /\.(html|md|txt)$/.test(name);
    if (isPage)
      queryBudget.charge(anonymous, findClientAddress(req, config.trustProxy), PAGE_POINTS);
    const { body, headers } = kept.get(name) ?? (await share(name, () => read(name)));
    const cacheControl = isAsset ? IMMUTABLE : CACHE_CONTROL;
    sendCacheable(req, res, body, { status, cacheControl, headers });
  }

  const sendText = (name: string) => async (req: Request, res: Response) => {
    if (!names.has(name)) throw notFound('page');
    await sendFile(req, res, name);
  };
  app.get('/llms.txt', sendText('llms.txt'));
  app.get('/llms-full.txt', sendText('llms-full.txt'));

  app.get(['/docs', '/docs/*path'], async (req, res, next) => {
    // Relative links of the site need the slash.
    if (req.path === '/docs') return res.redirect(301, `${basePath}/docs/`);
    const path = req.path.slice('/docs/'.length);
    const page = path === '' || path.endsWith('/') ? `${path}index` : path;
    const prefersMarkdown = req.accepts(['html', 'text/markdown']) === 'text/markdown';
    const candidates = prefersMarkdown
      ? [`${page}.md`, page, `${page}.html`]
      : [page, `${page}.html`];
    const name = candidates.find((candidate) => names.has(candidate));
    res.vary('accept');
    if (name !== undefined) return sendFile(req, res, name);
    if (names.has('404.html') && extname(path) === '' && req.accepts(['json', 'html']) === 'html')
      return sendFile(req, res, '404.html', 404);
    next();
  });
}

const listFiles = () =>
  readdirSync(DIRECTORY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(DIRECTORY, join(entry.parentPath, entry.name)));

/** The site has two short scripts in each page. */
const findScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
