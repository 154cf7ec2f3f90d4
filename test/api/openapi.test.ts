import fc from 'fast-check';
import { z } from 'zod';
import { routes } from '../../src/rest/route-table.ts';
import {
  BUYER,
  cancelOrder,
  makeEvent,
  payOrder,
  placeOrder,
  postJson,
} from '../support/factories/events.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

let app: TestApp;
let token: string;
let description: Description;

interface Operation {
  summary: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: BodySchema }> };
  responses: Record<string, { description: string; content?: object }>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  $ref?: string;
}
interface BodySchema {
  properties: Record<string, object>;
  required?: string[];
  additionalProperties: boolean;
}
interface Description {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}

beforeAll(async () => {
  app = await startApp();
  token = await app.token('bookings:read', 'members:read', 'spaces:read');
  description = (await app.rest('/openapi.json')).body as unknown as Description;
});
afterAll(() => app.stop());

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

const resolve = (parameter: Parameter): Parameter => {
  const name = parameter.$ref?.slice('#/components/parameters/'.length);
  return name === undefined ? parameter : (description.components.parameters?.[name] as Parameter);
};

describe('the description at /openapi.json', () => {
  it('is OpenAPI 3.1 and describes exactly the routes of the table', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(description.servers).toEqual([
      { url: 'http://foyer.test', description: 'This service' },
    ]);
    expect(
      operations()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('has no dangling references', () => {
    const text = JSON.stringify(description);
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
    expect(references.length).toBeGreaterThan(4);
    for (const reference of references) {
      const [, kind = '', name] = /^#\/components\/(\w+)\/(\w+)$/.exec(reference ?? '') ?? [];
      expect(Object.keys(description.components[kind] ?? {})).toContain(name);
    }
    expect(text).not.toContain('$defs');
  });

  it('states the access and scope of each path', () => {
    const of = (name: string) => operations().find((entry) => entry.name === name)?.operation;
    expect(of('GET /bookings')).toMatchObject({
      security: [{ bearer: [] }],
      'x-required-scopes': ['bookings:read'],
    });
    expect(of('GET /public/events')?.security).toEqual([]);
    expect(of('POST /public/check-ins')?.security).toEqual([{}, { bearer: [] }]);
    expect(of('GET /displays/state/{device_token}')?.security).toEqual([]);
    expect(of('GET /displays/state')?.security).toEqual([{ bearer: [] }]);
    const named = (name: string, place: string) =>
      of(name)
        ?.parameters.map(resolve)
        .filter((parameter) => parameter.in === place)
        .map((parameter) => [parameter.name, parameter.required ?? false]);
    expect(named('GET /displays/heartbeat/{device_token}', 'path')).toEqual([
      ['device_token', true],
    ]);
    expect(named('GET /bookings', 'query')).toEqual(
      [
        'from',
        'to',
        'resource_id',
        'location_id',
        'member_id',
        'status',
        'ids',
        'limit',
        'cursor',
      ].map((name) => [name, false]),
    );
  });

  it('describes bodies, responses and Idempotency-Key of writes', () => {
    const of = (name: string) => operations().find((entry) => entry.name === name)?.operation;
    const getBody = (name: string) => {
      const { required, content } = of(name)?.requestBody ?? {};
      const { schema } = content?.['application/json'] ?? {};
      const { properties = {}, required: needed = [], additionalProperties } = schema ?? {};
      return { required, fields: Object.keys(properties), needed, additionalProperties };
    };
    expect(getBody('POST /bookings')).toEqual({
      required: true,
      fields: ['resource_id', 'starts_at', 'ends_at', 'member_id', 'guest', 'title', 'notes'],
      needed: ['resource_id', 'starts_at', 'ends_at'],
      additionalProperties: false,
    });
    expect(getBody('POST /bookings/{id}/cancel')).toEqual({
      required: false,
      fields: ['reason'],
      needed: [],
      additionalProperties: false,
    });
    for (const { name, operation } of operations()) {
      const isWrite = name.startsWith('POST ');
      const headers = operation.parameters
        .map(resolve)
        .filter((parameter) => parameter.in === 'header');
      expect([name, headers.map((header) => [header.name, header.required])]).toEqual([
        name,
        [
          ...(isWrite
            ? [
                ['Idempotency-Key', false],
                ['Prefer', false],
              ]
            : []),
          ...(operation.responses[304] ? [['If-None-Match', false]] : []),
        ],
      ]);
      // Email programs send a form to it (RFC 8058), which it ignores.
      const isUnsubscribe = name.endsWith('/unsubscribe');
      expect([name, operation.requestBody !== undefined]).toEqual([
        name,
        isWrite && !isUnsubscribe,
      ]);
    }
  });

  it('describes responses outside the envelope', () => {
    for (const [path, mediaType] of [
      ['/calendars/{secret}.ics', 'text/calendar'],
      ['/public/orders/{secret}/calendar.ics', 'text/calendar'],
      ['/public/orders/{secret}/receipt', 'text/html'],
      ['/public/orders/{secret}/codes/{id}', 'image/svg+xml'],
      ['/public/orders/{secret}/tickets.pdf', 'application/pdf'],
    ] as const) {
      const { content = {} } = description.paths[path]?.get?.responses[200] ?? {};
      expect([path, content]).toEqual([path, { [mediaType]: { schema: { type: 'string' } } }]);
    }
  });

  it('lists the statuses of the contract', () => {
    for (const { name, operation } of operations()) {
      const isVersioned =
        /^GET \/public\/events|\/displays\/state|\.ics$|\/receipt$|\/codes\//.test(name);
      const unchanged = isVersioned ? ['304'] : [];
      const creates = /^POST \/(bookings|members|displays\/pairings|public\/.*\/orders)$/.test(
        name,
      );
      const done = creates ? ['201'] : name === 'POST /public/check-ins' ? ['200', '201'] : ['200'];
      expect([name, Object.keys(operation.responses)]).toEqual([
        name,
        [...done, ...unchanged, '4XX', '5XX'],
      ]);
    }
    const { description: text = '' } = (description.components.responses?.Error ?? {}) as Described;
    expect(text.match(/\b\d{3}\b/g)).toEqual([
      '400',
      '401',
      '403',
      '404',
      '422',
      '429',
      '500',
      '503',
    ]);
  });
});

interface Described {
  description?: string;
}

describe('responses match the description', () => {
  /** Parsing removes unknown keys, so this also detects undocumented ones. */
  async function expectDescribed(path: string, request: string) {
    const entry = routes.find((route) => route.method === 'GET' && route.path === path);
    if (!entry) throw new Error(`${path} is no route`);
    const { status, body } = await app.rest(request, { token });
    expect([request, status]).toEqual([request, 200]);
    expect(z.parse(entry.data, body.data)).toEqual(body.data);
  }

  it('for the bookings and events of the demo', async () => {
    for (const status of ['pending', 'confirmed', 'cancelled', 'no_show'])
      await expectDescribed('/bookings', `/bookings?limit=100&status=${status}`);
    await expectDescribed('/public/events', '/public/events');
    await expectDescribed('/public/events', '/public/events?q=none');
  });

  it('for a booking, members, resources and their free slots', async () => {
    for (const status of ['pending', 'confirmed', 'cancelled', 'no_show'] as const) {
      const { id } = await app.ctx.db.booking.findFirstOrThrow({ where: { status } });
      await expectDescribed('/bookings/{id}', `/bookings/${id}`);
    }
    await expectDescribed('/members', '/members?limit=100');
    await expectDescribed('/resources', '/resources?limit=100');
    const { id } = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
    const period = 'from=2026-05-04T00:00:00Z&to=2026-05-05T00:00:00Z';
    const path = '/resources/{id}/availability';
    await expectDescribed(path, `/resources/${id}/availability?${period}`);
  });

  it('for orders in every state, and for day passes', async () => {
    const event = await makeEvent(app);
    const path = '/public/orders/{secret}';
    const items = [{ ticketTypeId: event.type, quantity: 2 }];
    const { id, secret } = await placeOrder(app, event.id, items);
    await expectDescribed(path, `/public/orders/${secret}`);
    await payOrder(app, { id }, 2_000);
    await expectDescribed(path, `/public/orders/${secret}`);
    await cancelOrder(app, secret);
    await expectDescribed(path, `/public/orders/${secret}`);
    const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
    const { id: typeId } = await app.ctx.db.dayPassType.create({
      data: { locationId, name: 'Free day' },
    });
    const response = await postJson(app, '/public/day-passes/orders', {
      buyer: BUYER,
      day_pass_type_id: typeId,
      valid_on: '2026-03-18',
    });
    const entry = routes.find((route) => route.path === '/public/day-passes/orders');
    expect(response.status).toBe(201);
    expect(entry?.data.parse(response.body.data)).toEqual(response.body.data);
  });

  it('for every kind of display, at any hour', async () => {
    const resource = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
    const place = { locationId: resource.locationId, name: 'Screen' };
    const screens = await Promise.all([
      app.display({ ...place, kind: 'room_panel', resourceId: resource.id }),
      app.display({ ...place, kind: 'event_board' }),
      app.display({ ...place, kind: 'welcome' }),
    ]);
    const hours = fc.integer({ min: -300, max: 300 });
    const now = app.clock.now.getTime();
    await checkProperty(
      fc.asyncProperty(fc.constantFrom(...screens), hours, async ({ deviceToken }, hour) => {
        app.clock.now = new Date(now + hour * 3_600_000);
        for (const what of ['/displays/state', '/displays/heartbeat'])
          await expectDescribed(`${what}/{device_token}`, `${what}/${deviceToken}`);
      }),
      { numRuns: propertyRuns(12) },
    );
  });
});
