import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Follows the stages of the Dockerfile in directories below `root`, with the Node in `nodeDirectory`, and returns the directory of the last
 * one. It does what COPY and RUN say, but for what needs a container: users and volumes.
 */
export function followDockerfile(root: string, nodeDirectory: string): string {
  const env = { ...process.env, PATH: `${nodeDirectory}:${process.env.PATH}` };
  const stages = new Map<string, string>();
  let directory = '';
  for (const line of readInstructions()) {
    const [instruction, ...words] = line.split(/\s+/);
    const rest = words.join(' ');
    if (instruction === 'FROM') {
      const [parent = '', , name = ''] = words;
      directory = join(root, name);
      mkdirSync(directory, { recursive: true });
      const copied = stages.get(parent);
      if (copied) cpSync(copied, directory, { recursive: true });
      stages.set(name, directory);
    } else if (instruction === 'COPY') {
      const from = /^--from=(\w+) /.exec(rest)?.[1];
      const paths = words.filter((word) => !word.startsWith('--'));
      const target = join(directory, paths.pop() ?? '');
      for (const path of paths) {
        const source = from ? join(stages.get(from) ?? '', path.replace('/app', '')) : path;
        const isInto = paths.length > 1 || !from;
        const isDirectory = target.endsWith(basename(source));
        cpSync(source, isInto && !isDirectory ? join(target, basename(source)) : target, {
          recursive: true,
        });
      }
    } else if (instruction === 'RUN' && !rest.includes('--owner=')) {
      const command = rest.replace(/^--mount=\S+ /, '');
      execFileSync('sh', ['-c', command], { cwd: directory, env, stdio: 'inherit' });
    }
  }
  return directory;
}

/** The instructions of the Dockerfile, with continued lines joined. */
const readInstructions = (): string[] =>
  readFileSync('Dockerfile', 'utf8')
    .replace(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
