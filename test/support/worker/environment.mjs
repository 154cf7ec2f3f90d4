import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loaded } from './host.mjs';

const { TestEnvironment } = createRequire(import.meta.url)('jest-environment-node');

const DATABASES = fileURLToPath(new URL('./embedded.ts', import.meta.url));

// A worker that has no other file by then is at its end, and has half a second for it.
const REST_MS = 200;
let resting;

/** Gives the sandbox of a test file access to what its worker keeps; `facade.mjs` says how it is used. */
export default class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global[Symbol.for('foyer.loaded')] = loaded;
    // What crosses the border of the sandbox is asked `instanceof` on the other side.
    for (const type of [Date, Error, TypeError, RangeError, AggregateError, Map, Set])
      this.global[type.name] = type;
  }

  async setup() {
    clearTimeout(resting);
    await super.setup();
  }

  async teardown() {
    await super.teardown();
    resting = setTimeout(() => loaded(DATABASES)?.closeIdle(), REST_MS);
  }
}
