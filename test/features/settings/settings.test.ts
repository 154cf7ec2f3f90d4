import { readSettings, updateSettings } from '../../../src/features/settings/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const update = async (input: object) => {
  const { data, errors } = await app.graphql(
    `mutation ($input: UpdateSettingsInput!) { updateSettings(input: $input) {
      settings { name language taxNote } } }`,
    { input },
    owner,
  );
  return errors.length > 0 ? errors[0]?.message : data.updateSettings.settings;
};

const listChanges = async () => {
  const { data } = await app.graphql(
    '{ changes(filter: { types: ["settings.updated"] }) { nodes { before after actor { name } } } }',
    {},
    owner,
  );
  return data.changes.nodes;
};

describe('updating the settings', () => {
  it('changes only what is given, and records it', async () => {
    expect(await update({ name: ' Kranwerk\n GmbH ', language: 'DE' })).toEqual({
      name: 'Kranwerk  GmbH',
      language: 'DE',
      taxNote: 'NONE',
    });
    expect(await update({ taxNote: 'INCLUDED' })).toMatchObject({ taxNote: 'INCLUDED' });
    expect(await update({ language: 'FR' })).toMatchObject({
      ...{ name: 'Kranwerk  GmbH', language: 'FR', taxNote: 'INCLUDED' },
    });
    expect(await update({ name: 'Kranwerk' })).toMatchObject({ name: 'Kranwerk' });
    expect(await update({})).toMatchObject({ name: 'Kranwerk' });
    expect(await update({ name: null })).toMatchObject({ name: null, language: 'FR' });
    const actor = { name: 'Ada Lindqvist' };
    expect(await listChanges()).toEqual([
      {
        before: { name: null, language: null },
        after: { name: 'Kranwerk  GmbH', language: 'de' },
        actor,
      },
      { before: { tax_note: 'none' }, after: { tax_note: 'included' }, actor },
      { before: { language: 'de' }, after: { language: 'fr' }, actor },
      { before: { name: 'Kranwerk  GmbH' }, after: { name: 'Kranwerk' }, actor },
      { before: { name: 'Kranwerk' }, after: { name: null }, actor },
    ]);
  });

  it('rejects empty and long names, and so does the database', async () => {
    await update({ name: 'Kranwerk' });
    expect(await update({ name: ' ' })).toMatch(/must not be empty/);
    expect(await update({ name: 'x'.repeat(101) })).toMatch(/at most 100 characters/);
    await expect(updateSettings(app.ctx, { name: ' ' })).rejects.toThrow();
    await expect(updateSettings(app.ctx, { name: 'x'.repeat(101) })).rejects.toThrow();
    expect((await readSettings(app.ctx)).name).toBe('Kranwerk');
  });
});
