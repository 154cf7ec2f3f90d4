import { createHash } from 'node:crypto';
import { load, loadLibrary } from './host.mjs';

/*
 * Transformers that replace a module by its exports, taken from the instance in the worker. So the sandbox
 * of a test file links a handful of modules instead of thousands.
 */

const from = (path) => `globalThis[Symbol.for('foyer.loaded')](${JSON.stringify(path)})`;

function moduleFacade(path, exported) {
  const names = Object.keys(exported).filter((name) => /^[\p{L}$_][\p{L}\p{N}$_]*$/u.test(name));
  return [
    `const { ${names.map((name) => `${name}: _${name}`).join(', ')} } = ${from(path)};`,
    `export { ${names.map((name) => `_${name} as ${name}`).join(', ')} };`,
  ].join('\n');
}

const keyOf = (code) => createHash('sha256').update(code).digest('hex');

/** For modules of the service. */
export const ours = {
  processAsync: async (_, path) => ({ code: moduleFacade(path, await load(path)) }),
  getCacheKeyAsync: async (_, path) => keyOf(moduleFacade(path, await load(path))),
};

function libraryFacade(source, path, { supportsStaticESM, supportsDynamicImport }) {
  if (!supportsDynamicImport) return source; // Jest itself, outside of any sandbox
  const exported = loadLibrary(path);
  return supportsStaticESM ? moduleFacade(path, exported) : `module.exports = ${from(path)};`;
}

/** For libraries. */
export const libraries = {
  process: (source, path, options) => ({ code: libraryFacade(source, path, options) }),
  getCacheKey: (source, path, options) => keyOf(libraryFacade(source, path, options)),
};

export default {
  createTransformer: ({ kind }) => ({ ours, libraries })[kind],
};
