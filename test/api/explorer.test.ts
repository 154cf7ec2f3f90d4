import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { startApp, type TestApp } from '../support/harness/app.ts';

const EXAMPLES = new URL('../../src/web/graphiql/examples/', import.meta.url);
const BUILT_PAGE = new URL('../../dist/web/graphiql.html', import.meta.url);

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startApp({ config: { BASE_URL: 'http://foyer.test/base' } });
  token = await app.token('*');
});
afterAll(() => app.stop());

describe('the examples of the API explorer', () => {
  const files = readdirSync(EXAMPLES);

  it.each(files)('%s has a title and returns data of the demo', async (file) => {
    const query = readFileSync(new URL(file, EXAMPLES), 'utf8');
    expect(query).toMatch(/^# \S.*\n(query|subscription) [A-Z]\w+\b/);
    const { data, errors } = await app.graphql(query, {}, { token });
    expect(errors ?? []).toEqual([]);
    const [first] = Object.values(data as Record<string, { edges?: unknown[] }>);
    expect(first?.edges ?? first).not.toEqual([]);
  });
});

describe('the address of GraphQL', () => {
  const get = (accept: string, query = '') =>
    fetch(`${app.url}/graphql${query}`, { headers: { accept }, redirect: 'manual' });
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it('leads a browser to the explorer', async () => {
    const { status, headers } = await get(BROWSER);
    expect([status, headers.get('location')]).toEqual([302, '/base/graphiql']);
  });

  it('answers programs, and queries of whoever sends them', async () => {
    expect((await get('*/*')).status).toBe(400);
    const { status, headers } = await get(BROWSER, '?query={viewer{kind}}');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });
});

describe('/schema.graphql', () => {
  it('is the schema of the service, and cacheable', async () => {
    const response = await fetch(`${app.url}/schema.graphql`);
    expect(await response.text()).toBe(readFileSync('schema.graphql', 'utf8'));
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${app.url}/schema.graphql`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('the page of the API explorer', () => {
  it('is part of the build', () => {
    expect(existsSync(BUILT_PAGE)).toBe(true); // else run `npm run build:web`
  });

  it('is served with the same content security policy as the panel', async () => {
    const open = (path: string) => fetch(app.url + path, { headers: { accept: 'text/html' } });
    const [explorer, panel] = [await open('/graphiql'), await open('/admin')];
    expect(explorer.status).toBe(200);
    expect(explorer.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(explorer.headers.get('content-security-policy')).toBe(
      panel.headers.get('content-security-policy'),
    );
    const page = await explorer.text();
    expect(page).toContain('<base href="/base/admin/">');
    const script = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"/.exec(page)?.[1];
    const asset = await fetch(`${app.url}/admin/${script}`, { method: 'HEAD' });
    expect(asset.status).toBe(200);
    expect(await panel.text()).not.toContain(script);
  });

  it('refers to nothing outside the service', () => {
    const page = readFileSync(BUILT_PAGE, 'utf8');
    expect(page.match(/(?:src|href)="(?!\.\/)[^"]*"/g)).toBeNull();
  });
});
