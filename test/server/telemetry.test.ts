import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { enqueueEmail } from '../../src/integrations/email/outbox.ts';
import { createSmtpTransport } from '../../src/integrations/email/smtp.ts';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { runJob } from '../../src/jobs/job-queue.ts';
import type { Telemetry } from '../../src/server/open-telemetry.ts';
import { startTelemetry } from '../../src/server/telemetry.ts';
import { createWebhookActions, transport } from '../support/factories/webhooks.ts';
import { type ReceivedSpan, startCollector, toObject } from '../support/fakes/collector.ts';
import { startSmtp } from '../support/fakes/smtp.ts';
import { startReceiver } from '../support/fakes/webhook-receiver.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

const log = pino({ level: 'silent' });
const TRACE = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const PARENT = 'bbbbbbbbbbbbbbbb';
const REQUEST = 'a-request-of-the-test';
/** What must not reach the collector. */
const SECRETS = ['secret-name', 'secret@example.net', 'hook-secret', 'foyerd_', 'foyer_'];

let collector: Awaited<ReturnType<typeof startCollector>>;
let telemetry: Telemetry;
let app: TestApp;
let secrets: string[];
const lines: string[] = [];

const find = (name: string, attributes: Record<string, unknown> = {}): ReceivedSpan => {
  const span = collector.spans.find(
    (one) =>
      one.name === name &&
      Object.entries(attributes).every(([key, value]) => one.attributes[key] === value),
  );
  if (span === undefined) throw new Error(`no span ${name}`);
  return span;
};

/** Returns the names of a span and its ancestors. */
const toPath = (span: ReceivedSpan): string[] => {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? toPath(parent) : [])];
};

beforeAll(async () => {
  collector = await startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
  const started = await startTelemetry(readConfig(env), log);
  if (started?.tracer === undefined) throw new Error('no tracer');
  telemetry = started;
  app = await startApp({ tracer: started.tracer, logTo: (line) => lines.push(line) });
  telemetry.startMetrics(app.app.collectMetrics);
  await act();
  await telemetry.stop();
});
afterAll(async () => {
  await app.stop();
  await collector.stop();
});

/** Does one of everything that has a span. */
async function act(): Promise<void> {
  const cookie = await app.signIn(STAFF.owner);
  const token = await app.token('*');
  const display = await app.ctx.db.location
    .findFirstOrThrow()
    .then(({ id: locationId }) => app.display({ name: 'A screen', kind: 'welcome', locationId }));
  secrets = [...SECRETS.slice(0, 3), token, display.deviceToken];
  await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-request-id': REQUEST,
      traceparent: `00-${TRACE}-${PARENT}-01`,
      origin: 'http://foyer.test',
      cookie,
    },
    body: JSON.stringify({
      query: `mutation AddMember { createMember(input: { name: "secret-name", email: "secret@example.net" }) { member { id } } }`,
    }),
  });
  for (let count = 0; count < 2; count += 1)
    await app.graphql('query Names { members(first: 1) { nodes { name } } }', {}, { token });
  await app.rest('/members?q=secret-name', { token });
  await fetch(`${app.url}/displays/state/${display.deviceToken}`);
  await fetch(`${app.url}/displays/heartbeat/nonsense`);

  const [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()]);
  const mail = createSmtpTransport({ url: smtp.url, from: 'Foyer <no-reply@foyer.test>' });
  const ctx = app.app.systemContext;
  await app.ctx.db.webhookEndpoint.deleteMany();
  const webhooks = createWebhookActions(app, receiver, { cookie });
  await webhooks.create({ url: `${receiver.url}/hook-secret` });
  await webhooks.publish();
  await enqueueEmail(ctx, { to: 'secret@example.net', subject: 'Hello', text: 'secret-name' });
  const services = { mail, webhooks: transport, signal: new AbortController().signal };
  for (const job of jobs.filter(({ name }) => ['mail.deliver', 'webhooks.deliver'].includes(name)))
    await runJob(
      { ...job, run: async (ctx, services) => ctx.log.info('in a job') ?? job.run(ctx, services) },
      ctx,
      services,
    );
  mail.close();
  await Promise.all([smtp.stop(), receiver.stop()]);
}

describe('traces', () => {
  it('continue the trace of the caller, down to the statement', () => {
    const insert = find('INSERT members');
    expect(toPath(insert)).toEqual([
      'INSERT members',
      'transaction',
      'createMember',
      'mutation AddMember',
      'POST /graphql',
    ]);
    expect(insert.traceId).toBe(TRACE);
    const request = find('POST /graphql', { 'foyer.request_id': REQUEST });
    expect([request.traceId, request.parentSpanId]).toEqual([TRACE, PARENT]);
    expect(request.attributes['http.response.status_code']).toBe(200);
  });

  it('have the request id that the journal has', async () => {
    const changes = await app.ctx.db.change.findMany({ where: { requestId: REQUEST } });
    expect(changes.map(({ type }) => type)).toEqual(['member.created']);
  });

  it('name planned queries, routes and their statements', () => {
    const queries = collector.spans.filter(({ name }) => name === 'query Names');
    expect(queries.length).toBeGreaterThanOrEqual(2);
    expect(toPath(find('listMembers'))).toEqual(['listMembers', 'GET /members']);
    const state = find('GET /displays/state/{device_token}');
    expect(state.attributes).toMatchObject({ 'http.response.status_code': 200 });
    const read = collector.spans.find(({ parentSpanId }) => parentSpanId === state.spanId);
    expect(read?.attributes['db.query.text']).toContain('FROM');
  });

  it('follow jobs to what they send', () => {
    expect(toPath(find('send email'))).toEqual(['send email', 'attempt mails', 'job mail.deliver']);
    const post = find('POST', { 'server.address': '127.0.0.1' });
    expect(toPath(post)).toEqual(['POST', 'attempt webhooks', 'job webhooks.deliver']);
    expect(post.attributes['http.response.status_code']).toBe(204);
    expect(find('attempt webhooks').attributes).toMatchObject({ 'foyer.outcome': 'succeeded' });
  });

  it('contain no secrets and nothing that callers have sent', () => {
    const sent = collector.texts.join('\n');
    for (const secret of secrets) expect([secret, sent.includes(secret)]).toEqual([secret, false]);
  });

  it('name the service', () => {
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'foyer' });
  });

  it('are in the lines of the log', () => {
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'in a job');
    expect(logged.map(({ trace_id }) => trace_id)).toEqual([
      find('job mail.deliver').traceId,
      find('job webhooks.deliver').traceId,
    ]);
  });
});

describe('exported metrics', () => {
  it('are those of /metrics, with the same names and labels', () => {
    const findMetric = (name: string) => collector.metrics.find((metric) => metric.name === name);
    const runs = findMetric('foyer_job_runs_total');
    const points = (runs?.sum?.dataPoints ?? []).map(({ attributes, asDouble }) => ({
      ...toObject(attributes),
      count: asDouble,
    }));
    expect(runs?.sum?.isMonotonic).toBe(true);
    expect(points).toContainEqual({ job: 'mail.deliver', outcome: 'succeeded', count: 1 });
    expect(findMetric('foyer_displays')?.gauge?.dataPoints).toHaveLength(4);
    for (const { bucketCounts, count } of findMetric('foyer_request_duration_seconds')?.histogram
      ?.dataPoints ?? [])
      expect(bucketCounts.map(Number).reduce((sum, one) => sum + one)).toBe(Number(count));
  });
});

describe('without an endpoint', () => {
  it.each<Record<string, string>>([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'true' },
    {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces',
      OTEL_TRACES_EXPORTER: 'none',
    },
  ])('nothing is exported: %j', async (env) => {
    expect(await startTelemetry(readConfig(env), log)).toBeUndefined();
  });

  it('a protocol that is not supported is an error of the configuration', () => {
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
      'OTEL_EXPORTER_OTLP_PROTOCOL',
    );
  });
});
