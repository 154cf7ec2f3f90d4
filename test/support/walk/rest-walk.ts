import { extractText, getDocumentProxy } from 'unpdf';
import { routes } from '../../../src/rest/route-table.ts';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import type { Findings } from './findings.ts';

/** What no route of the table serves. */
const OTHER_PATHS = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/nowhere',
  '/pay/none',
];

const QUERIES: Record<string, string> = {
  '/changes': '?limit=100',
  '/bookings': '?limit=100',
  '/members': '?limit=100',
  '/resources/{id}/availability': '?from=2026-03-19T09:00:00Z&to=2026-03-19T12:00:00Z',
};

const MAX_PAGES = 5;

/** Ids for the parameters of the paths. Secrets are guessed by ids, which many callers know. */
export async function readPathValues(app: TestApp): Promise<Record<string, string[]>> {
  const find = async (sql: string) =>
    (await app.ctx.db.$queryRawUnsafe<{ id: string }[]>(sql)).map(({ id }) => id);
  const orders = await find(`SELECT o.id FROM orders o WHERE o.status = 'paid'
    AND (EXISTS (SELECT 1 FROM tickets t WHERE t.order_id = o.id AND t.status = 'valid')
      OR EXISTS (SELECT 1 FROM day_passes p WHERE p.order_id = o.id AND p.status = 'valid')) ORDER BY o.id DESC LIMIT 3`);
  return {
    '/bookings/{id}': await find('SELECT id FROM bookings ORDER BY id DESC LIMIT 3'),
    '/orders/{id}/tickets.pdf': orders,
    '/public/events/{id_or_slug}': await find(
      `SELECT slug AS id FROM events WHERE status = 'published' ORDER BY id DESC LIMIT 3`,
    ),
    '/resources/{id}/availability': await find('SELECT id FROM resources ORDER BY id DESC LIMIT 1'),
    other: orders.slice(0, 1),
  };
}

/** Reads every GET route, and every page of its lists, with its headers and files. */
export async function walkRest(
  app: TestApp,
  { credential: { token, cookie } }: { credential: Credential },
  values: Record<string, string[]>,
  findings: Findings,
): Promise<void> {
  const headers = {
    accept: 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(cookie ? { cookie } : {}),
  };
  const read = async (path: string, where: string) => {
    const response = await fetch(app.url + path, { headers, redirect: 'manual' });
    findings.addHeaders(response.headers, where);
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    if (type === 'application/pdf') {
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
      for (const page of text) findings.addText(page, where);
      return null;
    }
    if (!type.startsWith('application/json')) {
      for (const line of bytes.toString().split(/\r?\n/)) findings.addText(line, where);
      return null;
    }
    const body = JSON.parse(bytes.toString());
    for (const text of listStrings(body)) findings.addText(text, where);
    return body.data?.pagination?.next_cursor as string | null | undefined;
  };

  for (const path of OTHER_PATHS) await read(path, `GET ${path}`);
  for (const { method, path } of routes) {
    if (method !== 'GET') continue;
    const where = `GET ${path}`;
    for (const value of path.includes('{') ? (values[path] ?? values.other ?? []) : ['']) {
      const target = path.replaceAll(/\{\w+\}/g, value) + (QUERIES[path] ?? '');
      let cursor = await read(target, where);
      for (let page = 1; cursor && page < MAX_PAGES; page += 1)
        cursor = await read(`${target}${target.includes('?') ? '&' : '?'}cursor=${cursor}`, where);
    }
  }
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}
