import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { startApp, type TestApp } from '../support/harness/app.ts';

// The site that "npm run build" makes of the documentation, as the service sends it.

const BASE_PATH = '/house';
const OUTPUT = 'dist/docs';

let app: TestApp;
beforeAll(async () => {
  // Every page is read, which is more than one address may do in a minute.
  app = await startApp({
    config: { BASE_URL: `https://house.example${BASE_PATH}`, ANONYMOUS_QUERY_BUDGET: '1000000' },
  });
});
afterAll(() => app.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers: { accept: 'text/html', ...headers } });

const pages = existsSync(OUTPUT)
  ? readdirSync(OUTPUT, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.html') && file !== '404.html',
    )
  : [];
const toPath = (file: string) =>
  `${BASE_PATH}/docs/${file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`;

interface Page {
  links: string[];
  ids: Set<string>;
  scripts: string[];
}

function readPage(html: string): Page {
  const page: Page = { links: [], ids: new Set(), scripts: [] };
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) {
      const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
      const id = attributes.get('id');
      if (id !== undefined) page.ids.add(id);
      const link = node.tagName === 'a' ? attributes.get('href') : undefined;
      if (link !== undefined) page.links.push(link);
      if (node.tagName === 'script' && !attributes.has('src'))
        page.scripts.push(
          node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''),
        );
    }
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return page;
}

describe('the documentation site', () => {
  it('has no broken link: every page, and every section that a link names, is there', async () => {
    expect(pages.length).toBeGreaterThan(50);
    const found = new Map<string, Page>();
    for (const file of pages) {
      const response = await get(toPath(file));
      expect([file, response.status]).toEqual([file, 200]);
      found.set(toPath(file), readPage(await response.text()));
    }
    const others = new Map<string, number>();
    const broken: string[] = [];
    for (const [path, { links }] of found) {
      for (const link of links) {
        const url = new URL(link, `https://house.example${path}`);
        if (url.host !== 'house.example') continue;
        const target = found.get(url.pathname.replace(/\.html$/, '').replace(/index$/, ''));
        const id = decodeURIComponent(url.hash.slice(1));
        if (target === undefined) {
          const status = others.get(url.pathname) ?? (await get(url.pathname)).status;
          others.set(url.pathname, status);
          if (status !== 200) broken.push(`${path}: ${link}`);
        } else if (id !== '' && !target.ids.has(id)) broken.push(`${path}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('has the Markdown of each page, at its path with .md and by its type', async () => {
    for (const file of pages.filter((file) => !file.startsWith('rest-explorer/'))) {
      const path = `${BASE_PATH}/docs/${file.replace(/html$/, 'md')}`;
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    }
    const negotiated = await get(`${BASE_PATH}/docs/guides/rest`, { accept: 'text/markdown' });
    expect(await negotiated.text()).toMatch(/^# /);
  });

  it('allows only its own scripts: each one in a page by its hash', async () => {
    for (const path of ['docs/', 'docs/guides/rest', 'docs/rest-explorer/']) {
      const response = await get(`${BASE_PATH}/${path}`);
      const policy = response.headers.get('content-security-policy') ?? '';
      const { scripts } = readPage(await response.text());
      for (const script of scripts) {
        const hash = createHash('sha256').update(script).digest('base64');
        expect(policy).toContain(`'sha256-${hash}'`);
      }
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    }
  });

  it('gives language models an index and the whole text', async () => {
    const index = await (await get(`${BASE_PATH}/llms.txt`)).text();
    expect(index).toMatch(/^# Foyer\n\n> /);
    const links = [...index.matchAll(/\]\((https:[^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(30);
    for (const link of links) {
      const { host, pathname } = new URL(link);
      expect(host).toBe('house.example');
      const response = await get(pathname);
      expect([link, response.status]).toEqual([link, 200]);
    }
    const text = await (await get(`${BASE_PATH}/llms-full.txt`)).text();
    for (const title of ['# First steps', '# Errors', '# Webhooks']) expect(text).toContain(title);
  });

  it('finds error reasons and fields of the GraphQL schema by its search', async () => {
    const file = readdirSync(`${OUTPUT}/assets/chunks`).find((name) =>
      name.startsWith('@localSearchIndexroot'),
    );
    const index = await (await get(`${BASE_PATH}/docs/assets/chunks/${file}`)).text();
    for (const section of [
      'reference/error-reasons#SLOT_TAKEN',
      'queries#bookings',
      'rest#listBookings',
    ])
      expect([section, index.includes(section)]).toEqual([section, true]);
    expect(index.toLowerCase()).toContain('cancellationhours');
  });

  it('leads people who mistype an address to the search, and programs to an error', async () => {
    const missing = await get(`${BASE_PATH}/docs/guides/nothing`);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('<title>Page not found | Foyer</title>');
    const program = await get(`${BASE_PATH}/docs/../../package.json`, { accept: '*/*' });
    expect(program.status).toBe(404);
    expect((await get(`${BASE_PATH}/docs/%2e%2e/docs-source/index.md`)).status).toBe(404);
  });
});
