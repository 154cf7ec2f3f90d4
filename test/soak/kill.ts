import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendGraphql, signIn } from '../support/clients/api.ts';
import { killAll, type Service, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Kills the service with SIGKILL during writes, repeatedly. Every acknowledged write must still exist afterwards.

const { trials } = readSizes({ trials: [20, 1] });
const WRITERS = 8;
const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };

const directory = mkdtempSync(join(tmpdir(), 'foyer-kill-'));
const env = { DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'info', ...OWNER };

/** The names of members and tokens in acknowledged writes. */
const acknowledged = { members: new Set<string>(), apiTokens: new Set<string>() };

async function main(): Promise<number> {
  let service = await startService(env);
  const cookie = await signIn(service.url, OWNER.ADMIN_EMAIL, OWNER.ADMIN_PASSWORD);
  let lost = 0;
  for (let trial = 1; trial <= trials; trial += 1) {
    const before = count();
    let killed = false;
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      write(service, cookie, `${trial}-${writer}`, () => killed),
    );
    const after = 200 + Math.random() * 1_000;
    await new Promise((resolve) => setTimeout(resolve, after));
    service.signal('SIGKILL');
    killed = true;
    await Promise.all([service.ended, ...writers]);
    service = await startService(env);
    const missing = await findMissing(service, cookie);
    lost += missing.length;
    console.log(
      `trial ${trial}: killed after ${Math.round(after)} ms, ${count() - before} acknowledged, lost: ${missing.join(', ') || 'none'}`,
    );
  }
  await service.stop();
  console.log(`${trials} trials, ${count()} acknowledged writes, ${lost} lost`);
  return lost;
}

const count = () => acknowledged.members.size + acknowledged.apiTokens.size;

async function write(service: Service, cookie: string, writer: string, stop: () => boolean) {
  for (let n = 1; !stop(); n += 1) {
    const name = `w-${writer}-${n}`;
    const isMember = n % 2 === 0;
    const mutation = isMember
      ? `createMember(input: { name: "${name}", email: "${name}@example.org" }) { member { name } }`
      : `createApiToken(input: { name: "${name}", scopes: ["bookings:read"] }) { apiToken { name } }`;
    // A failed request was not acknowledged.
    const response = await sendGraphql(
      service.url,
      `mutation { ${mutation} }`,
      {},
      { cookie },
    ).catch(() => undefined);
    if (response?.data) acknowledged[isMember ? 'members' : 'apiTokens'].add(name);
    else if (response) throw new Error(`not written: ${JSON.stringify(response.errors)}`);
  }
}

async function findMissing(service: Service, cookie: string): Promise<string[]> {
  const missing: string[] = [];
  for (const list of ['members', 'apiTokens'] as const) {
    const existing = await listNames(service, cookie, list);
    missing.push(...[...acknowledged[list]].filter((name) => !existing.has(name)));
  }
  return missing;
}

async function listNames(service: Service, cookie: string, list: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (let after: string | null = null; ; ) {
    const query = `query ($after: String) { page: ${list}(first: 100, after: $after) {
      edges { node { name } } pageInfo { hasNextPage endCursor } } }`;
    const { data } = await sendGraphql(service.url, query, { after }, { cookie });
    for (const { node } of data.page.edges) names.add(node.name);
    if (!data.page.pageInfo.hasNextPage) return names;
    after = data.page.pageInfo.endCursor;
  }
}

try {
  process.exitCode = (await main()) === 0 ? 0 : 1;
} finally {
  killAll();
  rmSync(directory, { recursive: true, force: true });
}
