import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

const webRoot = fileURLToPath(new URL('.', import.meta.url));
const serviceOrigin = 'http://localhost:4000';

/** Sets the base path in development. In production the service does. */
const devBaseTag: Plugin = {
  name: 'dev-base',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/admin/' }, injectTo: 'head-prepend' }],
};

/** Compresses each file at build time, so that the service does not compress on each request. */
const gzipAssets: Plugin = {
  name: 'gzip-assets',
  apply: 'build',
  writeBundle: ({ dir }, bundle) => {
    for (const file of Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))) {
      writeFileSync(`${dir}/${file}.gz`, gzipSync(readFileSync(`${dir}/${file}`), { level: 9 }));
    }
  },
};

/** Keeps the names of the widgets' script to itself, since it runs in the pages of other websites. */
const wrapWidgetScript: Plugin = {
  name: 'wrap-widget-script',
  apply: 'build',
  renderChunk: (code, { name }) => (name === 'embed' ? `(()=>{${code}})();` : null),
};

/** Copies the manifest of the documents of this build, which the service reads from here. */
const documentManifest: Plugin = {
  name: 'document-manifest',
  apply: 'build',
  generateBundle() {
    const name = 'gql/persisted-documents.json';
    this.emitFile({ type: 'asset', fileName: name, source: readFileSync(`${webRoot}${name}`) });
  },
};

export default defineConfig(({ command }) => ({
  root: webRoot,
  publicDir: false, // `public` holds the public pages, not static files
  // The base path of the service is only known at run time, so built files must not contain one.
  base: command === 'build' ? './' : '/admin/',
  // The sources of the client package, so that the pages never contain an old build of it.
  resolve: { conditions: ['@foyer/source', ...defaultClientConditions] },
  plugins: [react(), devBaseTag, wrapWidgetScript, gzipAssets, documentManifest],
  server: { proxy: { '/graphql': serviceOrigin, '/displays': serviceOrigin } },
  build: {
    outDir: `${webRoot}../../dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'manifest.json', // from which the service finds the styles and scripts of the pages that it renders
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 3_000, // Monaco, the editor of the API explorer
    rollupOptions: {
      // GraphiQL is full of directives for the React compiler, which has already run.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
      input: [
        `${webRoot}index.html`,
        `${webRoot}graphiql.html`,
        `${webRoot}offline/offline-worker.ts`,
        `${webRoot}app/color-scheme.ts`,
        `${webRoot}embeds/embed.ts`,
      ],
      output: {
        // Browsers update a worker under the path of its registration, and websites refer to the script of the widgets, so
        // their names have no hash.
        entryFileNames: ({ name }) =>
          ['offline-worker', 'embed'].includes(name) ? `${name}.js` : 'assets/[name]-[hash].js',
      },
    },
  },
}));
