import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { createPglite } from '../../src/db/embedded/embedded-database.ts';
import { readMigrations } from '../../src/db/migrations.ts';

const SCHEMA = new URL('../schema/', import.meta.url);

/** Computes the SQL that turns the migrated schema into the schema files, empty if they agree. Downloads nothing. */
export async function computeDrift(): Promise<string> {
  const files = readdirSync(SCHEMA)
    .sort()
    .map((name) => ({ path: name, content: readFileSync(new URL(name, SCHEMA), 'utf8') }));
  const { SchemaEngine } = await loadEngine();
  // Only the shadow database is used, and creating a database takes seconds.
  const pglite = await createPglite();
  const connect = () => new PrismaPGlite(pglite).connect();
  const engine = await SchemaEngine.new(
    { datamodels: files.map(({ path, content }) => [path, content] as [string, string]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory({
      provider: 'postgres',
      adapterName: 'pglite-prisma-adapter',
      connect,
      connectToShadowDb: connect,
    }),
  );
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...toMigrationList() },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      shadowDatabaseUrl: null,
      filters: { externalTables: [], externalEnums: [] },
    } as Parameters<typeof engine.diff>[0]);
    return isEmpty(stdout ?? '') ? '' : (stdout ?? '');
  } finally {
    engine.free();
    await pglite.close();
  }
}

const isEmpty = (script: string) =>
  script.trim() === '' || /^-- This is an empty migration/.test(script);

function toMigrationList() {
  return {
    baseDir: 'prisma/migrations',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations().map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

/** The package expects a bundler to load its WebAssembly, so this loads it by hand. */
async function loadEngine() {
  const script = createRequire(import.meta.url).resolve(
    '@prisma/schema-engine-wasm/schema_engine_bg',
  );
  const path = script.replace(/\.js$/, '.wasm');
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const module = await WebAssembly.compile(readFileSync(path));
  const { exports } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(exports);
  (exports.__wbindgen_start as () => void)();
  return engine;
}
