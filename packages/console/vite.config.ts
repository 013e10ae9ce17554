import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './build/precompress.ts';

export default defineConfig({
  // Relative to wherever the page is: the server fills in `<base href>`, so that a proxy's sub-path works.
  base: './',
  plugins: [react(), tailwind(), precompress()],
  build: {
    // `light-dark()` and nesting stay as written.
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    modulePreload: { polyfill: false },
    // A `data:` font or script would not pass the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    manifest: true,
  },
  server: {
    port: 7071,
    proxy: { '/api': { target: process.env.KITH_URL ?? 'http://127.0.0.1:7070', changeOrigin: true } },
  },
});
