import { schema } from '../../src/graphql/schema.ts';
import { routes } from '../../src/rest/route-table.ts';
import {
  type Blocking,
  createBlockingMeter,
  MAX_BLOCKING_RATIO,
} from '../support/clients/heavy-requests/measure-blocking.ts';
import { startHeavyRequestStage } from '../support/clients/heavy-requests/stage.ts';

// `npm run soak -- requests` sends all of them. Only this and `npm run test:nightly` compare times, since these depend on what else runs.

const comparesTimes = process.env.PROPERTY_RUNS !== undefined;

/** Sends one of so many of the generated requests, and twice as many if it compares times. */
const STEP = comparesTimes ? 251 : 503;

/** Each of these has blocked the service for seconds. */
const SENT_ALWAYS = [
  'checkIn(input: many unknown keys)',
  'createMailing(input: many unknown keys)',
  'announcements(filter: a long unknown key)',
  'nodes(ids: many wrong items)',
  'nodes(ids: many objects)',
  'nodes(ids: many different items)',
  'events(first: letters)',
  'events(first: names of fields)',
  'events(first: error messages)',
  'events(orderBy: letters)',
  'bookings(filter.from: letters)',
  'a document of 194000 characters: aliases of __typename',
  'a document of 194000 characters: a long name of a variable',
  'a document of 19700 characters: overlapping fields in fragments',
  'a document of 19700 characters: a chain of fragments that doubles',
  'a document of 19700 characters: fields that conflict',
  'POST /bookings with many unknown keys',
  'POST /bookings with title: spaces',
];

let stage: Awaited<ReturnType<typeof startHeavyRequestStage>>;
const measured: Blocking[] = [];

beforeAll(async () => {
  stage = await startHeavyRequestStage();
  const { app, requests } = stage;
  const chosen = requests.filter(({ name }, n) => n % STEP === 0 || SENT_ALWAYS.includes(name));
  const meter = createBlockingMeter(app.port, { maxTries: comparesTimes ? 5 : 1 });
  for (const request of chosen) measured.push(await meter.measure(request));
  await meter.close();
});
afterAll(() => stage.app.stop());

it('answers requests of the largest size', () => {
  expect(measured.filter(({ status }) => status < 200 || status > 499)).toEqual([]);
  expect(measured.length).toBeGreaterThan(50);
});

if (comparesTimes)
  it('blocks others no longer than parsing explains', () => {
    expect(measured.filter(({ ratio }) => ratio > MAX_BLOCKING_RATIO)).toEqual([]);
  });

it('generates requests for every root field with arguments, and for every route', () => {
  const names = stage.requests.map(({ name }) => name);
  const fields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    .flatMap((root) => Object.values(root?.getFields() ?? {}))
    .filter(({ args }) => args.length > 0);
  const starts = [
    ...fields.map(({ name }) => `${name}(`),
    ...routes.map(({ method, path }) => `${method} ${path} with `),
  ];
  expect(starts.filter((start) => !names.some((name) => name.startsWith(start)))).toEqual([]);
  expect(SENT_ALWAYS.filter((name) => !names.includes(name))).toEqual([]);
});
