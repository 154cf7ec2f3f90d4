/**
 * Everything that lives as long as a worker of Jest, outside of the sandboxes of its test files: modules of the service,
 * libraries and databases. Otherwise Jest evaluates them again for each test file, which takes most of the time.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const require = createRequire(import.meta.url);
const modules = new Map();
let ready;

/** Enables imports of TypeScript and makes password hashing cheap. */
function prepare() {
  ready ??= (async () => {
    // V8 optimizes PostgreSQL, which takes longer than most test files would gain. So it optimizes only what runs for long.
    setFlagsFromString('--wasm-tiering-budget=200000000');
    makeHashingCheap();
    const { register } = await import('tsx/esm/api');
    register();
  })();
  return ready;
}

/** Loads a module of this project once per worker and returns its exports. */
export async function load(path) {
  await prepare();
  const found = modules.get(path) ?? (await import(pathToFileURL(path).href));
  modules.set(path, found);
  return found;
}

/** Loads a library once per worker and returns its exports. */
export function loadLibrary(path) {
  const found = modules.get(path) ?? require(path);
  modules.set(path, found);
  return found;
}

/** Returns the exports of a module that is loaded already. */
export const loaded = (path) => modules.get(path);

/** Uses the minimum parameters of argon2. Each hash contains them, so that verifying is cheap as well. */
function makeHashingCheap() {
  const argon2 = require('@node-rs/argon2');
  const { hash } = argon2;
  argon2.hash = (password, options) =>
    hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1, ...options });
}
