/**
 * What lives as long as a worker of Jest, outside of the sandboxes of its test files: the service's modules, libraries
 * and databases. Jest would evaluate and compile them anew for each of a hundred files, which took most of the time.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const modules = new Map();
let ready;

/** TypeScript can be imported from then on, and hashing a password takes no longer than a test should. */
function prepare() {
  ready ??= (async () => {
    makeHashingCheap();
    const { register } = await import('tsx/esm/api');
    register();
  })();
  return ready;
}

/** What a module of ours exports. There is one of it in this worker. */
export async function load(path) {
  await prepare();
  const found = modules.get(path) ?? (await import(pathToFileURL(path).href));
  modules.set(path, found);
  return found;
}

/** What a module of a library exports. */
export function loadLibrary(path) {
  const found = modules.get(path) ?? require(path);
  modules.set(path, found);
  return found;
}

/** The same, of one that was loaded before. */
export const loaded = (path) => modules.get(path);

/** The least that argon2 allows. The parameters stand in each hash, so that verifying is as cheap. */
function makeHashingCheap() {
  const argon2 = require('@node-rs/argon2');
  const { hash } = argon2;
  argon2.hash = (password, options) =>
    hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1, ...options });
}
