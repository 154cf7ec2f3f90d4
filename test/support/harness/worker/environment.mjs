import childProcess from 'node:child_process';
import { createRequire } from 'node:module';
import { loaded } from './host.mjs';

const { TestEnvironment } = createRequire(import.meta.url)('jest-environment-node');

// Jest stops listening for messages when a worker is done, and ends its process after half a second. Only idle databases in memory are
// left then. Exiting would wait for the thread of the loader and for PostgreSQL, which takes longer on a busy machine.
if (process.send)
  process.on('removeListener', (event) => {
    if (event === 'message' && process.listenerCount('message') === 0)
      process.kill(process.pid, 'SIGKILL');
  });

// Every asynchronous way to start a process ends in the first of these.
const { spawn } = childProcess.ChildProcess.prototype;
const { spawnSync, execFileSync, execSync } = childProcess;

function allowProcesses() {
  childProcess.ChildProcess.prototype.spawn = spawn;
  Object.assign(childProcess, { spawnSync, execFileSync, execSync });
}

function refuseProcesses() {
  const refuse = () => {
    throw new Error(
      'Tests of `npm test` run in one process. Name this file *.system.test.ts, so that `npm run test:system` runs it.',
    );
  };
  childProcess.ChildProcess.prototype.spawn = refuse;
  Object.assign(childProcess, { spawnSync: refuse, execFileSync: refuse, execSync: refuse });
}

/** Gives the sandbox of a test file access to the modules of its worker; see `facade.mjs`. */
export default class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global[Symbol.for('foyer.loaded')] = loaded;
    // Objects that cross the border of the sandbox must pass `instanceof` checks on the other side.
    for (const type of [Date, Error, TypeError, RangeError, AggregateError, Map, Set])
      this.global[type.name] = type;
    const { mayStartProcesses } = config.projectConfig.testEnvironmentOptions;
    if (!mayStartProcesses) refuseProcesses();
  }

  async teardown() {
    allowProcesses(); // Jest and its watch mode start processes themselves
    await super.teardown();
  }
}
