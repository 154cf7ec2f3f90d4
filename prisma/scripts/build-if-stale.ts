import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';

// `npm ci` already builds everything, so `npm run demo` builds again only after a change. `npm run build` writes the marker.

const MARKER = 'dist/.built';
const SOURCES = [
  'src',
  'packages/client/src',
  'prisma/schema',
  'prisma/migrations',
  'package.json',
  'schema.graphql',
];
/** The build writes these files, so they do not count as changes. */
const GENERATED = ['src/db/generated', 'src/web/gql', 'packages/client/src/generated'];

function findNewestChange(path: string): number {
  if (GENERATED.includes(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => findNewestChange(`${path}/${name}`)));
}

const isStale =
  !existsSync(MARKER) || Math.max(...SOURCES.map(findNewestChange)) > statSync(MARKER).mtimeMs;
if (isStale) {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
