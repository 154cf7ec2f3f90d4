import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { serveImmutableFiles } from '../../src/server/static-files.ts';
import { sendRaw } from '../support/clients/raw-http.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

const BUILT_PAGE = new URL('../../dist/web/index.html', import.meta.url);

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const open = (path: string, accept = 'text/html,application/xhtml+xml', cookie?: string) =>
  fetch(app.url + path, {
    headers: { accept, ...(cookie ? { cookie } : {}) },
    redirect: 'manual',
  });

const UNKNOWN_PAGES = [
  ...['/orders/x', '/ticket/x', '/waitlist/x', '/day-passes/x', '/display/x', '/pay/x/y'],
  ...['/events/x.html', '/my/x.html', '/kiosk/x.png', '/admin/x.html'],
  ...['/nowhere', '/nowhere/at/all', '/index.html', '/login', '/api', '/Bookings'],
];

describe('an unknown path', () => {
  it.each(UNKNOWN_PAGES)('returns a page with status 404 to browsers: %s', async (path) => {
    const response = await open(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    const text = await response.text();
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).toMatch(/<main>[\s\S]*href="\/events"[\s\S]*<\/main>/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  /** Programs get objects at these paths. */
  const OBJECTS = ['/orders/x', '/day-passes/x', '/events/x.html'];

  it.each(UNKNOWN_PAGES)('returns the JSON envelope to API clients: %s', async (path) => {
    for (const accept of ['application/json', '*/*', undefined]) {
      const headers: [string, string][] = accept === undefined ? [] : [['accept', accept]];
      const request = { method: 'GET', target: path, headers, body: '' };
      const response = await sendRaw(app.port, request);
      const isObject = OBJECTS.includes(path) && accept === 'application/json';
      expect(response.status).toBe(isObject ? 401 : 404);
      expect(JSON.parse(response.text)).toEqual({ success: false, data: expect.any(String) });
    }
  });

  it.each([
    ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['a client of pages', 'text/html', true],
    ['a client that prefers pages', 'application/json;q=0.8, text/html', true],
    ['a client that rejects pages', 'application/json, text/html;q=0', false],
    ['a client that prefers JSON', 'text/html;q=0.5, application/json', false],
    ['a client of both', 'application/json, text/html', false],
    ['a client of anything', '*/*', false],
  ])('answers %s by the Accept header: %s', async (_, accept, isPage) => {
    const response = await open('/nowhere', accept);
    const type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
    expect([response.status, response.headers.get('content-type')]).toEqual([404, type]);
    expect((await open('/', accept)).status).toBe(isPage ? 302 : 200);
  });

  it('returns the envelope for other methods', async () => {
    const headers = { accept: 'text/html' };
    const response = await fetch(`${app.url}/orders/x`, { method: 'POST', headers });
    expect([response.status, (await response.json()).success]).toEqual([404, false]);
  });
});

describe('a REST path', () => {
  it.each([
    ...['/bookings', '/bookings/x', '/members?limit=0', '/public/events/nothing'],
    ...['/public/orders/x/receipt', '/displays/state/x', '/admin/assets/nothing.js'],
    // The specification promises JSON under its paths, also where there is nothing.
    ...['/public', '/public/nothing', '/bookings/x/y', '/displays', '/displays/state/x/y'],
    // These have other methods only.
    ...['/bookings/x/cancel', '/public/check-ins', '/public/events/x/orders', '/displays/pairings'],
  ])('returns the JSON envelope even to browsers: %s', async (path) => {
    const response = await open(path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toEqual({ success: false, data: expect.any(String) });
  });
});

describe('the worker that caches pages for offline use', () => {
  it('is served without a redirect', async () => {
    const response = await open('/offline-worker.js', '*/*');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain('skipWaiting');
  });
});

describe('the page of an event', () => {
  it('is part of the build', () => {
    expect(existsSync(BUILT_PAGE)).toBe(true); // else run `npm run build:web`
  });

  it('is served with 200 for visible events and with 404 for others', async () => {
    const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
    const times = {
      startsAt: new Date('2026-05-01T10:00:00Z'),
      endsAt: new Date('2026-05-01T12:00:00Z'),
    };
    const event = { locationId, ...times, status: 'published' as const };
    await app.ctx.db.event.createMany({
      data: [
        { ...event, slug: 'open-day', title: 'Open day' },
        { ...event, slug: 'members-day', title: 'Members day', visibility: 'members' },
        { ...event, slug: 'draft-day', title: 'Draft day', status: 'draft' },
      ],
    });
    const statuses = async (cookie?: string) => {
      const paths = ['open-day', 'members-day', 'draft-day', 'unknown', 'open-day/more'];
      const responses = paths.map((path) => open(`/events/${path}`, undefined, cookie));
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 404, 404, 404, 404]);
    const { id: memberId, name, email } = await app.ctx.db.member.findFirstOrThrow();
    await app.ctx.db.user.create({ data: { name, email, memberId } });
    expect(await statuses(await app.signIn(email))).toEqual([200, 200, 404, 404, 404]);
  });

  it('lets search engines index visible events only', async () => {
    const robots = /<meta name="robots" content="noindex"/;
    expect(await (await open('/events/open-day')).text()).not.toMatch(robots);
    expect(await (await open('/events/unknown')).text()).toMatch(robots);
  });
});

it('serves the files of pages from memory, with their compressed copies', async () => {
  const directory = `${await mkdtemp(`${tmpdir()}/foyer-assets-`)}/`;
  await writeFile(`${directory}a.js`, 'let a;');
  await writeFile(`${directory}a.js.gz`, gzipSync('let a;'));
  const server = createServer(express().use('/assets', serveImmutableFiles(directory)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/assets/`;
  const read = async (name: string, encoding: string) => {
    const response = await fetch(url + name, { headers: { 'accept-encoding': encoding } });
    const { headers } = response;
    return [response.status, headers.get('content-encoding'), await response.text()];
  };
  try {
    expect(await read('a.js', 'gzip')).toEqual([200, 'gzip', 'let a;']);
    // What needs no disk does not wait for the threads that read it.
    await rm(directory, { recursive: true });
    expect(await read('a.js', 'gzip')).toEqual([200, 'gzip', 'let a;']);
    expect(await read('a.js', 'identity')).toEqual([200, null, 'let a;']);
    const headers = (await fetch(`${url}a.js`)).headers;
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('vary')).toBe('accept-encoding');
    for (const name of ['', 'b.js', '..%2fa.js', 'constructor'])
      expect((await fetch(url + name)).status).toBe(404);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
