import { readFileSync } from 'node:fs';
import { formatChangeTypes, ignoreColumnWidths, replacePart } from '../../prisma/scripts/docs.ts';
import { CHANGE_TYPES, describeChange } from '../../src/journal/catalog.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const described = Object.fromEntries(CHANGE_TYPES.map((type) => [type, describeChange(type)]));

describe('the types of changes', () => {
  it('are those of the documentation', () => {
    const page = readFileSync('docs/guides/changes.md', 'utf8');
    const generated = replacePart(page, 'types', formatChangeTypes());
    expect(ignoreColumnWidths(page)).toBe(ignoreColumnWidths(generated));
  });

  it('are those of the messages in the OpenAPI document', async () => {
    const { body } = await app.rest('/openapi.json');
    const { components } = body as unknown as { components: { schemas: Record<string, object> } };
    const messages = Object.entries(components.schemas).filter(isMessage);
    const types: [string, string][] = [];
    JSON.stringify(messages, (_, value) => {
      if (value?.enum?.length === 1 && value.description)
        types.push([value.enum[0], value.description]);
      return value;
    });
    expect(Object.fromEntries(types)).toEqual(described);
  });

  it('are those that webhooks can subscribe to', async () => {
    const token = await app.token('webhooks:read');
    const { data } = await app.graphql('{ webhookEvents { name description } }', {}, { token });
    const events: { name: string; description: string }[] = data.webhookEvents;
    expect(Object.fromEntries(events.map((one) => [one.name, one.description]))).toEqual(described);
  });

  it('have a description', () => {
    expect(Object.values(described).filter((text) => !/^[A-Z].{8,}$/.test(text))).toEqual([]);
  });
});

const isMessage = ([name]: [string, object]) => name.endsWith('Message');
