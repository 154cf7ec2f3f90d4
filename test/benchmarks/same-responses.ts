import { isDeepStrictEqual } from 'node:util';
import type { BenchRequest, Path } from './paths.ts';

const MAX_COMPARED = 20;
// The parts that differ between responses.
const VOLATILE_FIELDS = new Set([
  'server_time',
  'next_heartbeat_seconds',
  'poll_after_seconds',
  'version',
  'state_version',
]);

/** @throws if ours and raw return different responses, or none. */
export async function assertSameResponses(path: Path, ours: string, raw: string): Promise<void> {
  for (const request of path.requests.slice(0, MAX_COMPARED)) {
    // Something may begin between two answers; hardly twice.
    if ((await agree(request, ours, raw)) || (await agree(request, ours, raw))) continue;
    const [left, right] = await Promise.all([fetchText(request, ours), fetchText(request, raw)]);
    throw new Error(`${path.name}: the responses differ\nours: ${left}\nraw:  ${right}`);
  }
}

async function agree(request: BenchRequest, ours: string, raw: string): Promise<boolean> {
  const [left, right] = await Promise.all([fetchJson(request, ours), fetchJson(request, raw)]);
  return isDeepStrictEqual(left, right);
}

async function fetchText(
  { method, path, headers, body }: BenchRequest,
  url: string,
): Promise<string> {
  const response = await fetch(url + path, { method, headers, ...(body ? { body } : {}) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** The cost of a query, in `extensions`, differs too. */
const fetchJson = async (request: BenchRequest, url: string): Promise<unknown> =>
  JSON.parse(await fetchText(request, url), (key, value) =>
    key === 'extensions' ? undefined : VOLATILE_FIELDS.has(key) ? typeof value : value,
  );

/** The same asks, each with the version that this server gives now. */
export async function addEtags(requests: BenchRequest[], url: string): Promise<BenchRequest[]> {
  const versioned: BenchRequest[] = [];
  for (const request of requests) {
    const { headers } = await fetch(url + request.path);
    versioned.push({ ...request, headers: { 'if-none-match': headers.get('etag') ?? '' } });
  }
  return versioned;
}
