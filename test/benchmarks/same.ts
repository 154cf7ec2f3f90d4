import { isDeepStrictEqual } from 'node:util';
import type { Ask, Path } from './paths.ts';

const TRIED = 20;
// What differs from one answer to the next.
const OF_THE_MOMENT = new Set([
  'server_time',
  'next_heartbeat_seconds',
  'poll_after_seconds',
  'version',
  'state_version',
]);

/** @throws if ours and raw return different responses, or none. */
export async function mustBeTheSame(path: Path, ours: string, raw: string): Promise<void> {
  for (const ask of path.asks.slice(0, TRIED)) {
    // Something may begin between two answers; hardly twice.
    if ((await agree(ask, ours, raw)) || (await agree(ask, ours, raw))) continue;
    const [left, right] = await Promise.all([fetchText(ask, ours), fetchText(ask, raw)]);
    throw new Error(`${path.name}: the answers differ\nours: ${left}\nraw:  ${right}`);
  }
}

async function agree(ask: Ask, ours: string, raw: string): Promise<boolean> {
  const [left, right] = await Promise.all([fetchJson(ask, ours), fetchJson(ask, raw)]);
  return isDeepStrictEqual(left, right);
}

async function fetchText({ method, path, headers, body }: Ask, url: string): Promise<string> {
  const answer = await fetch(url + path, { method, headers, ...(body ? { body } : {}) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

const fetchJson = async (ask: Ask, url: string): Promise<unknown> =>
  JSON.parse(await fetchText(ask, url), (key, value) =>
    OF_THE_MOMENT.has(key) ? typeof value : value,
  );

/** The same asks, each with the version that this server gives now. */
export async function withVersions(asks: Ask[], url: string): Promise<Ask[]> {
  const versioned: Ask[] = [];
  for (const ask of asks) {
    const { headers } = await fetch(url + ask.path);
    versioned.push({ ...ask, headers: { 'if-none-match': headers.get('etag') ?? '' } });
  }
  return versioned;
}
