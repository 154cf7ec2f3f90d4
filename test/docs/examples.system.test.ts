import { z } from 'zod';
import { LOCAL, SANDBOX, startApp, type TestApp } from '../support/harness/app.ts';
import { PAGES, readBlocks } from './pages.ts';
import { startShell } from './shell.ts';

// Every `sh` block of every page is run, in order, on one demo space; a page is one shell, so its variables stay. Blocks
// of other languages, such as `console`, show what cannot be run here: installing, building images, starting services.
// Payments are simulated, as in the demo. first-steps.test.ts runs the page that begins with an empty space.

const FIRST_STEPS = 'docs/guides/first-steps.md';
const hasExamples = (page: string) => readBlocks(page).some(({ language }) => language === 'sh');

let app: TestApp;
let shell: Awaited<ReturnType<typeof startShell>>;
let token: string;

beforeAll(async () => {
  app = await startApp({ config: { ...LOCAL, ...SANDBOX } });
  const location = await app.ctx.db.location.findFirstOrThrow();
  const { deviceToken } = await app.display({
    name: 'Hall',
    kind: 'welcome',
    locationId: location.id,
  });
  token = await app.token('*');
  shell = await startShell(app, { TOKEN: token, DEVICE: deviceToken });
});
afterAll(async () => {
  await shell.stop();
  await app.stop();
});

describe('the examples', () => {
  it('are in the README and in every guide', () => {
    const guides = PAGES.filter((page) => page.startsWith('docs/guides/'));
    expect(guides.length).toBeGreaterThanOrEqual(10);
    expect(['README.md', ...guides].filter((page) => !hasExamples(page))).toEqual([]);
  });

  it.each(PAGES.filter((page) => page !== FIRST_STEPS && hasExamples(page)))(
    'of %s do what they say',
    async (page) => {
      await shell.runPage(page);
    },
  );

  it('of the README ask for REST, GraphQL and a display', async () => {
    const examples = readBlocks('README.md').map(({ text }) => text);
    for (const path of ['/public/events', '/bookings', '/displays/state', '/graphql'])
      expect([path, examples.some((example) => example.includes(`$FOYER${path}`))]).toEqual([
        path,
        true,
      ]);
  });
});

describe('JSON examples', () => {
  it('are JSON, and as /openapi.json and the event catalog describe them', async () => {
    const description = JSON.parse(
      await (await fetch(`${app.url}/openapi.json`)).text(),
    ) as Description;
    const { data } = await app.graphql('{ webhookEvents { name schema } }', {}, { token });
    for (const page of PAGES)
      for (const { language, text, note, line } of readBlocks(page)) {
        if (language !== 'json') continue;
        const value = JSON.parse(text);
        const [kind, rest = ''] = note.split(': ');
        const event = data.webhookEvents.find(({ name }: { name: string }) => name === rest);
        const found =
          kind === 'openapi'
            ? findSchema(description, rest)
            : kind === 'webhook'
              ? event && JSON.parse(event.schema)
              : {};
        if (found === undefined) throw new Error(`${page}:${line}: nothing describes ${rest}`);
        const checked = kind === 'webhook' ? value.data : value;
        const schema = z.fromJSONSchema(found);
        expect([page, line, schema.safeParse(checked).error]).toEqual([page, line, undefined]);
      }
  });
});

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Content> };
}
interface Operation {
  requestBody?: Content;
  responses: Record<string, Content | { $ref: string }>;
}
interface Content {
  content: { 'application/json': { schema: object } };
}

/** The schema of "POST /bookings request" or "POST /bookings 201". */
function findSchema({ paths, components }: Description, note: string) {
  const [method = '', path = '', what = ''] = note.split(' ');
  const operation = paths[path]?.[method.toLowerCase()];
  const found = what === 'request' ? operation?.requestBody : findResponse(operation, what);
  const content =
    found && '$ref' in found ? components.responses[found.$ref.split('/').at(-1) ?? ''] : found;
  const schema = content?.content['application/json'].schema;
  if (schema === undefined) return undefined;
  return JSON.parse(
    JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
      '"#/components/schemas/',
      '"#/$defs/',
    ),
  );
}

/** The response with this status, or the one that all of its kind share. */
const findResponse = (operation: Operation | undefined, status: string) =>
  operation?.responses[status] ?? operation?.responses[`${status.charAt(0)}XX`];
