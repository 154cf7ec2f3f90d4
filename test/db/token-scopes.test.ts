import { createPglite } from '../../src/db/embedded.ts';
import { readMigrations } from '../../src/db/migrations.ts';

const NAME = '20261122050000_tokens_and_webhook_owners';

it('moves existing tokens to the scopes there are, and lets existing webhooks go on', async () => {
  const database = await createPglite();
  const run = async (which: (name: string) => boolean) => {
    for (const { name, sql } of readMigrations()) if (which(name)) await database.exec(sql);
  };
  try {
    await run((name) => name < NAME);
    await database.exec(`
      INSERT INTO api_tokens (id, name, prefix, hash, scopes) VALUES
        (gen_random_uuid(), 'all', 'x', '\\x01', ARRAY['*']),
        (gen_random_uuid(), 'members', 'x', '\\x02', ARRAY['members:read', 'members:write', 'reports:read']),
        (gen_random_uuid(), 'reports', 'x', '\\x03', ARRAY['reports:read', 'reports:write']),
        (gen_random_uuid(), 'spaces', 'x', '\\x04', ARRAY['spaces:read']);
      INSERT INTO webhook_endpoints (id, url, events, secret)
      VALUES (gen_random_uuid(), 'https://example.org', ARRAY['*'], 'whsec_x');`);
    await run((name) => name === NAME);
    const { rows } = await database.query('SELECT name, scopes FROM api_tokens ORDER BY name');
    expect(rows).toEqual([
      { name: 'all', scopes: ['*'] },
      { name: 'members', scopes: ['members:read', 'members:write', 'plans:read'] },
      { name: 'reports', scopes: [] },
      { name: 'spaces', scopes: ['spaces:read'] },
    ]);
    const { rows: webhooks } = await database.query('SELECT owner_kind FROM webhook_endpoints');
    expect(webhooks).toEqual([{ owner_kind: 'system' }]);
    const without = database.exec(`INSERT INTO webhook_endpoints (id, url, events, secret)
      VALUES (gen_random_uuid(), 'https://example.org', ARRAY['*'], 'whsec_x')`);
    await expect(without).rejects.toThrow(/owner_kind/);
  } finally {
    await database.close();
  }
});
