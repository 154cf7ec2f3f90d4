import type { Credential } from '../../support/clients/api.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
beforeAll(async () => {
  app = await startApp({ config: { WEBHOOK_PRIVATE_ADDRESSES: 'reject' } });
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const create = (url: string) =>
  app.graphql(
    'mutation ($url: String!) { created: createWebhook(input: { url: $url, events: ["member.*"] }) { webhook { id url } } }',
    { url },
    owner,
  );
const update = (id: string, url: string) =>
  app.graphql(
    'mutation ($id: ID!, $url: String!) { updateWebhook(input: { id: $id, url: $url }) { webhook { url } } }',
    { id, url },
    owner,
  );

const PRIVATE = {
  code: 'VALIDATION',
  reason: 'PRIVATE_ADDRESS',
  fields: [{ field: 'url', message: expect.stringContaining('Use a public address') }],
};

describe('a webhook', () => {
  it.each([
    'http://localhost:8080',
    'https://Hooks.localhost./',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://10.1.2.3/',
    'http://192.168.1.1:9/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[fd00::1]/',
  ])('cannot be created for or moved to %s', async (url) => {
    const { errors } = await create(url);
    expect(errors.map(({ extensions }) => extensions)).toEqual([expect.objectContaining(PRIVATE)]);
    const { data } = await create('https://hooks.example.org/');
    const { errors: rejected } = await update(data.created.webhook.id, url);
    expect(rejected.map(({ extensions }) => extensions)).toEqual([
      expect.objectContaining(PRIVATE),
    ]);
  });

  it.each(['https://localhost.example.org/', 'http://8.8.8.8/', 'http://[2001:4860:4860::8888]/'])(
    'can be created for %s',
    async (url) => {
      expect((await create(url)).data.created.webhook.url).toBe(url);
    },
  );
});
