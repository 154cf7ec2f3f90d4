import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const webRoot = fileURLToPath(new URL('.', import.meta.url));
const serviceOrigin = 'http://localhost:4000';

/** In production the service says where the panel lives; while developing, this does. */
const devBaseTag: Plugin = {
  name: 'base-while-developing',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/admin/' }, injectTo: 'head-prepend' }],
};

/** A twin of each file, made once here, so that the service need not compress on every request. */
const gzipAssets: Plugin = {
  name: 'compressed-twins',
  apply: 'build',
  writeBundle: ({ dir }, bundle) => {
    for (const file of Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))) {
      writeFileSync(`${dir}/${file}.gz`, gzipSync(readFileSync(`${dir}/${file}`), { level: 9 }));
    }
  },
};

export default defineConfig(({ command }) => ({
  root: webRoot,
  publicDir: false, // `public` holds the public pages, not files to hand out as they are
  // The service may live below a path that is known only when it runs: nothing built may name one.
  base: command === 'build' ? './' : '/admin/',
  plugins: [react(), devBaseTag, gzipAssets],
  server: { proxy: { '/graphql': serviceOrigin, '/displays': serviceOrigin } },
  build: {
    outDir: `${webRoot}../../dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      input: [`${webRoot}index.html`, `${webRoot}offline/worker.ts`],
      output: {
        // Browsers find a worker again by its name; the service hands it out at its own top.
        entryFileNames: ({ name }) =>
          name === 'worker' ? 'front-door-worker.js' : 'assets/[name]-[hash].js',
      },
    },
  },
}));
