import { z } from 'zod';
import { CHANGE_TYPES } from '../../src/journal/catalog.ts';
import { buildOpenapiDocument } from '../../src/rest/openapi/document.ts';
import { routes } from '../../src/rest/route-table.ts';

// What the document says, without a service. `npm run lint` checks it with the rules of Spectral and Redocly.

type Json = Record<string, unknown>;
interface Operation extends Json {
  operationId: string;
  tags: string[];
  parameters: Json[];
}

const MAX_BYTES = 210_000;

const document = JSON.parse(
  JSON.stringify(
    buildOpenapiDocument(routes, {
      baseUrl: 'https://foyer.test',
      mailFrom: 'Foyer <a@foyer.test>',
    }),
  ),
) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  tags: { name: string }[];
  components: Record<string, Record<string, Json>>;
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const schemas = document.components.schemas ?? {};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Visits every object of the document except for examples. */
function* walk(value: unknown, path = ''): Generator<[path: string, value: Json]> {
  if (!isObject(value)) return;
  yield [path, value];
  for (const [key, inner] of Object.entries(value))
    if (!['example', 'examples', 'default', 'enum'].includes(key))
      yield* walk(inner, `${path}/${key}`);
}

const follow = ($ref: string): unknown =>
  $ref
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/'))
    .reduce((value: unknown, key) => (isObject(value) ? value[key] : undefined), document);

const isDescribed = (value: unknown): boolean =>
  isObject(value) &&
  (typeof value.description === 'string' ||
    (typeof value.$ref === 'string' && isDescribed(follow(value.$ref))) ||
    (value.type === 'array' && isDescribed(value.items)));

describe('the OpenAPI document', () => {
  it('has the same operation ids in every version', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
    for (const [path, ids] of Object.entries(OPERATION_IDS))
      expect([
        path,
        Object.values(document.paths[path] ?? {})
          .map(({ operationId }) => operationId)
          .sort(),
      ]).toEqual([path, ids]);
  });

  it('describes every operation, parameter, property and named schema', () => {
    // The description of the document is that of the envelope, and the base of messages describes what they have in common.
    const isDescribedOnce = (path: string) =>
      /\/schema\.(success|data)$|Message\/allOf\/1\.(type|data)$/.test(path);
    const missing = [...walk(document)].flatMap(([path, value]) => {
      const properties =
        isObject(value.properties) && !path.endsWith('/properties')
          ? Object.entries(value.properties).map(([name, property]) => [
              `${path}.${name}`,
              property,
            ])
          : [];
      const isOperation = 'operationId' in value;
      const isParameter = 'in' in value && 'schema' in value;
      const own = isOperation || isParameter ? [[path, value]] : [];
      return [...own, ...properties].filter(([, described]) => !isDescribed(described));
    });
    expect(missing.map(([path]) => String(path)).filter((path) => !isDescribedOnce(path))).toEqual(
      [],
    );
    const unnamed = Object.entries(schemas).filter(([, schema]) => !isDescribed(schema));
    expect(unnamed.map(([name]) => name)).toEqual([]);
  });

  it('uses the names of REST, not those of GraphQL', () => {
    const texts = [...walk(document)].flatMap(([, { description }]) =>
      typeof description === 'string' ? [description] : [],
    );
    const names = texts.flatMap((text) => text.match(/\b[a-z]+[A-Z]\w*/g) ?? []);
    expect([...new Set(names)].sort()).toEqual(['errorReasons', 'iCalendar']);
  });

  it('has a tag with a description for each operation', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name)).toEqual([...used].sort());
  });

  it('has examples that its schemas accept', () => {
    const toStrict = (schema: Json) =>
      z.fromJSONSchema(
        JSON.parse(
          JSON.stringify({ ...schema, $defs: schemas }).replaceAll(
            '"#/components/schemas/',
            '"#/$defs/',
          ),
        ),
      );
    const withExamples = [...walk(schemas)].filter(([, { examples }]) => Array.isArray(examples));
    for (const [path, { examples, ...schema }] of withExamples)
      for (const example of examples as unknown[])
        expect([path, toStrict(schema).safeParse(example).error]).toEqual([path, undefined]);
    const nouns = ['Booking', 'Change', 'CheckIn', 'DayPassType', 'DisplayState', 'Error', 'Event'];
    const names = withExamples.map(([path]) => path.slice(1));
    expect(names).toEqual(
      expect.arrayContaining([...nouns, 'Member', 'Order', 'Resource', 'Slot']),
    );
  });

  it('describes limits as integers', () => {
    expect(document.components.parameters?.Limit).toMatchObject({
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    });
  });

  it('describes webhooks, which need no credentials, with the headers of their signature', () => {
    for (const { post } of Object.values(document.webhooks)) {
      const names = post.parameters.map(({ $ref }) => (follow(String($ref)) as Json).name);
      expect([post.security, names]).toEqual([
        [],
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      ]);
    }
  });

  it('describes the messages about every type of change', () => {
    const { oneOf } = follow(
      '#/webhooks/message/post/requestBody/content/application~1json/schema',
    ) as { oneOf: { $ref: string }[] };
    const messages = oneOf.map(({ $ref }) => follow($ref));
    const types = [...walk(messages)].flatMap(([path, value]) =>
      /\/properties\/type(\/oneOf\/\d+)?$/.test(path) && Array.isArray(value.enum)
        ? value.enum
        : [],
    );
    expect(types.sort()).toEqual([...CHANGE_TYPES].sort());
  });

  it('describes the headers of responses', () => {
    const { responses = {} } = document.components;
    expect(Object.keys(responses.Error?.headers ?? {})).toEqual([
      ...['Foyer-Error-Reason', 'Preference-Applied', 'Retry-After', 'WWW-Authenticate'],
      'X-Request-Id',
    ]);
    expect(responses.NotModified?.headers).toHaveProperty('ETag');
    const events = document.paths['/public/events']?.get?.responses as Json[];
    expect(events[200]?.headers).toHaveProperty('ETag');
  });

  it(`has at most ${MAX_BYTES} bytes`, () => {
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(MAX_BYTES);
  });
});

/** Generated clients call these names, so they never change. */
const OPERATION_IDS = {
  '/bookings': ['createBooking', 'listBookings'],
  '/bookings/{id}': ['getBooking'],
  '/bookings/{id}/cancel': ['cancelBooking'],
  '/calendars/{secret}.ics': ['getCalendar'],
  '/changes': ['listChanges'],
  '/displays/heartbeat': ['sendDisplayHeartbeatWithHeader'],
  '/displays/heartbeat/{device_token}': ['sendDisplayHeartbeat'],
  '/displays/pairings': ['createDisplayPairing'],
  '/displays/pairings/{poll_token}': ['getDisplayPairing'],
  '/displays/state': ['getDisplayStateWithHeader'],
  '/displays/state/{device_token}': ['getDisplayState'],
  '/members': ['createMember', 'listMembers'],
  '/orders/{id}/tickets.pdf': ['getOrderTickets'],
  '/public/check-ins': ['checkIn'],
  '/public/check-ins/{check_out_token}/check-out': ['checkOut'],
  '/public/day-passes': ['listPublicDayPasses'],
  '/public/day-passes/orders': ['createPublicDayPassOrder'],
  '/public/email-preferences/{secret}/unsubscribe': ['unsubscribe'],
  '/public/events': ['listPublicEvents'],
  '/public/events/{id_or_slug}': ['getPublicEvent'],
  '/public/events/{id_or_slug}/orders': ['createPublicEventOrder'],
  '/public/member-lookup': ['lookUpMembers'],
  '/public/orders/find': ['findPublicOrders'],
  '/public/orders/{secret}': ['getPublicOrder'],
  '/public/orders/{secret}/calendar.ics': ['getPublicOrderCalendar'],
  '/public/orders/{secret}/cancel': ['cancelPublicOrder'],
  '/public/orders/{secret}/codes/{id}': ['getPublicOrderCode'],
  '/public/orders/{secret}/confirm': ['confirmPublicOrder'],
  '/public/orders/{secret}/receipt': ['getPublicOrderReceipt'],
  '/public/orders/{secret}/tickets.pdf': ['getPublicOrderTickets'],
  '/resources': ['listResources'],
  '/resources/{id}/availability': ['getResourceAvailability'],
};
