// Records every change of the files below POWER_ROOT, in order, and when responses were sent. Loaded into the service with
// `node --import`. `trace.ts` describes the format.

import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';

const root = resolve(process.env.POWER_ROOT);
const original = { ...fs };
const trace = original.openSync(process.env.POWER_TRACE, 'a');
let index = Number(process.env.POWER_TRACE_INDEX ?? 0);
/** Node's functions call each other. Only the outermost is recorded. */
let depth = 0;
/** The paths of open files. Null for a file that was deleted or replaced. */
const open = new Map();

function record(header, data) {
  if (data) header.length = data.length;
  const json = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  original.writeSync(trace, Buffer.concat(data ? [size, json, data] : [size, json]));
  index += 1;
}

const isRecorded = (path) =>
  typeof path === 'string' && (resolve(path) === root || resolve(path).startsWith(`${root}/`));
const toName = (path) => resolve(path).slice(root.length + 1);

function wrap(name, replace) {
  fs[name] = (...args) => {
    if (depth > 0) return original[name](...args);
    depth += 1;
    try {
      return replace(...args);
    } finally {
      depth -= 1;
    }
  };
}

const isTruncating = (flags) =>
  typeof flags === 'string' ? flags.startsWith('w') : Boolean(flags & fs.constants.O_TRUNC);

function prepareOpen(path, flags) {
  if (!isRecorded(path)) return () => {};
  const existed = original.existsSync(path);
  return (descriptor) => {
    open.set(descriptor, resolve(path));
    if (!existed) record({ op: 'create', path: toName(path) });
    else if (isTruncating(flags)) record({ op: 'truncate', path: toName(path), size: 0 });
  };
}

wrap('openSync', (path, flags = 'r', ...rest) => {
  const opened = prepareOpen(path, flags);
  const descriptor = original.openSync(path, flags, ...rest);
  opened(descriptor);
  return descriptor;
});
wrap('open', (path, flags, ...rest) => {
  const callback = rest.pop();
  const opened = prepareOpen(path, flags);
  original.open(path, flags, ...rest, (error, descriptor) => {
    if (!error) opened(descriptor);
    callback(error, descriptor);
  });
});
for (const name of ['close', 'closeSync'])
  wrap(name, (descriptor, ...rest) => {
    open.delete(descriptor);
    return original[name](descriptor, ...rest);
  });
wrap('writeSync', (descriptor, buffer, offset, length, position) => {
  const written = original.writeSync(descriptor, buffer, offset, length, position);
  const path = open.get(descriptor);
  if (!path) return written;
  if (typeof position !== 'number') throw new Error('the recorder needs the position of a write');
  const data = Buffer.from(buffer.buffer, buffer.byteOffset + offset, written);
  record({ op: 'write', path: toName(path), position }, data);
  return written;
});
wrap('writeFileSync', (path, data, ...rest) => {
  const opened = prepareOpen(path, 'w');
  original.writeFileSync(path, data, ...rest);
  opened(-1);
  if (isRecorded(path) && data.length > 0)
    record({ op: 'write', path: toName(path), position: 0 }, Buffer.from(data));
});
wrap('ftruncateSync', (descriptor, size = 0) => {
  original.ftruncateSync(descriptor, size);
  const path = open.get(descriptor);
  if (path) record({ op: 'truncate', path: toName(path), size });
});
wrap('truncateSync', (path, size = 0) => {
  original.truncateSync(path, size);
  if (isRecorded(path)) record({ op: 'truncate', path: toName(path), size });
});
wrap('mkdirSync', (path, options) => {
  const created = [];
  for (let name = resolve(path); !original.existsSync(name); name = dirname(name))
    created.unshift(name);
  const result = original.mkdirSync(path, options);
  for (const name of created) if (isRecorded(name)) record({ op: 'mkdir', path: toName(name) });
  return result;
});
wrap('renameSync', (from, to) => {
  original.renameSync(from, to);
  if (!isRecorded(from)) return;
  for (const [descriptor, path] of open) {
    if (path === resolve(to)) open.set(descriptor, null);
    if (path === resolve(from)) open.set(descriptor, resolve(to));
  }
  record({ op: 'rename', path: toName(from), to: toName(to) });
});
wrap('linkSync', (from, to) => {
  original.linkSync(from, to);
  if (isRecorded(from)) record({ op: 'link', path: toName(from), to: toName(to) });
});

function forget(path) {
  for (const [descriptor, name] of open) if (name === resolve(path)) open.set(descriptor, null);
  record({ op: 'unlink', path: toName(path) });
}

for (const name of ['unlinkSync', 'rmdirSync'])
  wrap(name, (path, ...rest) => {
    original[name](path, ...rest);
    if (isRecorded(path)) forget(path);
  });
wrap('rmSync', (path, options) => {
  if (!isRecorded(path) || !original.existsSync(path)) return original.rmSync(path, options);
  const isDirectory = original.statSync(path).isDirectory();
  const below = isDirectory ? original.readdirSync(path, { recursive: true }) : [];
  original.rmSync(path, options);
  for (const name of below.sort().reverse()) forget(join(path, name));
  forget(path);
});

wrap('fsyncSync', (descriptor) => {
  const start = index;
  original.fsyncSync(descriptor);
  const path = open.get(descriptor);
  if (path) record({ op: 'fsync', path: toName(path), start });
});
wrap('fsync', (descriptor, callback) => {
  const start = index;
  const path = open.get(descriptor);
  original.fsync(descriptor, (error) => {
    if (!error && path) record({ op: 'fsync', path: toName(path), start });
    callback(error);
  });
});
syncBuiltinESMExports();

const writeHead = http.ServerResponse.prototype.writeHead;
http.ServerResponse.prototype.writeHead = function (status, ...rest) {
  const operation = this.req?.headers['x-operation'];
  if (operation !== undefined) record({ op: 'response', operation, status });
  return writeHead.call(this, status, ...rest);
};

// The periodic work of the database runs more often than in practice, and also when it is not due.
const { query } = pg.Pool.prototype;
let pool;
pg.Pool.prototype.query = function (...args) {
  pool = this;
  return query.apply(this, args);
};
for (const [statement, everyMs] of [
  ['VACUUM (ANALYZE)', 7_000],
  ['CHECKPOINT', 3_000],
])
  setInterval(() => pool?.query(statement).catch(() => {}), everyMs).unref();
