import { readFileSync } from 'node:fs';

// Fails if npm would install a package without comparing it with a checksum, or from a fixed registry. Workspaces are folders
// of this repository. npm leaves checksums out for packages of other platforms that it has not downloaded. Add them from
// `npm view NAME@VERSION dist.integrity`.

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(process.argv[2] ?? new URL('../../package-lock.json', import.meta.url), 'utf8'),
);
const problems = Object.entries(packages).flatMap(([path, { integrity, resolved, link }]) => {
  if (!path.includes('node_modules/') || link) return [];
  if (!integrity?.startsWith('sha512-')) return [`${path} has no sha512 integrity`];
  return resolved === undefined ? [] : [`${path} has "resolved"`];
});

for (const problem of problems) console.error(`package-lock.json: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
