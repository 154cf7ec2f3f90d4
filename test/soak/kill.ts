import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphql, signIn } from '../support/app.ts';
import { killAll, type Service, serve } from '../support/processes.ts';

// Kills the service with SIGKILL during writes, repeatedly. Every acknowledged write must still exist afterwards.

const TRIALS = 20;
const WRITERS = 8;
const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };

const directory = mkdtempSync(join(tmpdir(), 'foyer-kill-'));
const env = { DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'info', ...OWNER };

/** Acknowledged writes: names of members and tokens. */
const acknowledged = { members: new Set<string>(), apiTokens: new Set<string>() };

async function main(): Promise<number> {
  let service = await serve(env);
  const cookie = await signIn(service.url, OWNER.ADMIN_EMAIL, OWNER.ADMIN_PASSWORD);
  let lost = 0;
  for (let trial = 1; trial <= TRIALS; trial += 1) {
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
    service = await serve(env);
    const missing = await missingFrom(service, cookie);
    lost += missing.length;
    console.log(
      `trial ${trial}: killed after ${Math.round(after)} ms, ${count() - before} acknowledged, lost: ${missing.join(', ') || 'none'}`,
    );
  }
  await service.stop();
  console.log(`${TRIALS} trials, ${count()} acknowledged writes, ${lost} lost`);
  return lost;
}

const count = () => acknowledged.members.size + acknowledged.apiTokens.size;

async function write(service: Service, cookie: string, writer: string, stop: () => boolean) {
  for (let n = 1; !stop(); n += 1) {
    const name = `w-${writer}-${n}`;
    const isMember = n % 2 === 0;
    const mutation = isMember
      ? `createMember(input: { name: "${name}", email: "${name}@example.org" }) { name }`
      : `createApiToken(input: { name: "${name}", scopes: ["bookings:read"] }) { token { name } }`;
    // Refused or cut off: then it was not acknowledged.
    const answer = await graphql(service.url, `mutation { ${mutation} }`, {}, { cookie }).catch(
      () => undefined,
    );
    if (answer?.data) acknowledged[isMember ? 'members' : 'apiTokens'].add(name);
    else if (answer) throw new Error(`not written: ${JSON.stringify(answer.errors)}`);
  }
}

async function missingFrom(service: Service, cookie: string): Promise<string[]> {
  const missing: string[] = [];
  for (const list of ['members', 'apiTokens'] as const) {
    const there = await namesIn(service, cookie, list);
    missing.push(...[...acknowledged[list]].filter((name) => !there.has(name)));
  }
  return missing;
}

async function namesIn(service: Service, cookie: string, list: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (let after: string | null = null; ; ) {
    const query = `query ($after: String) { page: ${list}(first: 100, after: $after) {
      edges { node { name } } pageInfo { hasNextPage endCursor } } }`;
    const { data } = await graphql(service.url, query, { after }, { cookie });
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
