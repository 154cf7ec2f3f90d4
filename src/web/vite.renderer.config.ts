import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const webRoot = fileURLToPath(new URL('.', import.meta.url));

/** Builds the public pages as one bundle for the service, which renders them. It contains React, so that no package is needed. */
export default defineConfig({
  root: webRoot,
  publicDir: false,
  plugins: [react()],
  ssr: { noExternal: true, target: 'node' },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  // Relative to the <base> of the page.
  experimental: { renderBuiltUrl: (file) => file },
  build: {
    ssr: `${webRoot}public/rendering/renderer.tsx`,
    outDir: `${webRoot}../../dist/renderer`,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    minify: true,
    reportCompressedSize: false,
    rollupOptions: {
      output: { codeSplitting: false },
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
