import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

// Prints how many bytes the client adds to a page, minified and compressed: its core, and what one generated document adds.

const SOURCES = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));
const ENTRY = 'virtual:entry';

async function measure(code: string): Promise<number> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      rollupOptions: { input: ENTRY, preserveEntrySignatures: 'strict' },
    },
  });
  const [result] = [output].flat();
  if (result === undefined || !('output' in result)) throw new Error('Vite returned no bundle.');
  const [{ code: bundle }] = result.output;
  return gzipSync(bundle, { level: 9 }).length;
}

const core = `export * from '${SOURCES}index.ts';`;
const document = `export { createBooking } from '${SOURCES}generated/operations.ts';`;
const coreSize = await measure(core);
const sizes = { core: coreSize, document: (await measure(core + document)) - coreSize };
console.log(JSON.stringify(sizes));
