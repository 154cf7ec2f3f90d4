import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { ALL_LIMITS } from '../auth/rate-limit-rules.ts';
import type { FairQueue } from '../core/fair-queue.ts';
import { toSnakeCase } from '../core/letter-case.ts';
import type { Backlog, WorkMetrics } from '../core/work-metrics.ts';
import type { WatchedPool } from '../db/watched-pool.ts';
import type { ReaderLag } from '../journal/read-changes.ts';

export type Api = 'graphql' | 'rest' | 'mcp';

/** The limits that have no rule in `auth/rate-limit-rules.ts`. `capacity` is that of the process, which all clients share. */
type RequestLimitName = 'requests' | 'connections' | 'capacity' | 'streams' | 'queryBudget';
const REQUEST_LIMITS: RequestLimitName[] = [
  'requests',
  'connections',
  'capacity',
  'streams',
  'queryBudget',
];
export type LimitName = RequestLimitName | keyof typeof ALL_LIMITS;

export type MetricObject = MetricObjectWithValues<MetricValue<string>>;

/** What the process measures. */
export interface Metrics extends WorkMetrics {
  /** Records a finished request. `started` is from `performance.now()`. */
  observe(api: Api, req: IncomingMessage, res: ServerResponse, started: number): void;
  countRejection(limit: LimitName): void;
  /** Returns all metrics as text for Prometheus. */
  render(): Promise<string>;
  /** Returns all metrics as objects. */
  collect(): Promise<MetricObject[]>;
  contentType: string;
}

/** What the metrics read at the moment of a scrape. */
interface Readings {
  /** These two read the database. If they fail, the response lacks their metrics. */
  readLag(): Promise<ReaderLag[]>;
  readBacklog(): Promise<Backlog>;
  countStreams(): number;
  pools: WatchedPool[];
  processMetrics?: Registry | undefined;
  /** The queues of the process, by the names that the metrics give them. */
  queues: Record<string, Pick<FairQueue, 'countWaiting'>>;
  /** The names of the jobs, whose counters start at 0. */
  jobs: string[];
  now(): Date;
}

/** Scrapes within this time share what was read of the database. */
const MAX_READING_AGE_MS = 5_000;
const WORK_QUEUES = ['mails', 'webhooks', 'refunds', 'provider events'];

/** Measures Node: its processor time, memory and event loop. The observers run until the process ends. */
export function createProcessMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function createMetrics(readings: Readings): Metrics {
  const registry = new Registry();
  const lag = addLagMetrics(registry);
  const backlog = addBacklogMetrics(registry);
  addPoolMetrics(registry, readings.pools);
  addQueueMetrics(registry, readings.queues);
  addStreamMetrics(registry, readings.countStreams);
  const durations = new Histogram({
    name: 'foyer_request_duration_seconds',
    help: 'How long requests took, by API, method and status',
    labelNames: ['api', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const refresh = shareReadings(readings.now, async () => {
    lag.set(await readings.readLag().catch(() => []));
    backlog.set(await readings.readBacklog().catch(() => undefined));
  });
  const work = addWorkMetrics(registry, readings.jobs);
  const countRejection = addRejectionMetrics(registry);
  const all = Registry.merge([readings.processMetrics ?? new Registry(), registry]);
  return {
    ...work,
    countRejection,
    observe: (api, req, res, started) => {
      durations.observe(
        { api, method: toMethodLabel(req), status: res.statusCode },
        (performance.now() - started) / 1000,
      );
    },
    render: async () => {
      await refresh();
      return all.metrics();
    },
    collect: async () => {
      await refresh();
      return all.getMetricsAsJSON();
    },
    contentType: all.contentType,
  };
}

/** Returns a function that reads at most once in `MAX_READING_AGE_MS`, however often it is called. */
function shareReadings(now: () => Date, read: () => Promise<void>): () => Promise<void> {
  let latest: { at: number; reading: Promise<void> } | undefined;
  return () => {
    const at = now().getTime();
    if (latest === undefined || Math.abs(at - latest.at) >= MAX_READING_AGE_MS)
      latest = { at, reading: read() };
    return latest.reading;
  };
}

function addLagMetrics(registry: Registry): { set(lags: ReaderLag[]): void } {
  const addGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['reader'], registers: [registry] });
  const changes = addGauge(
    'foyer_journal_lag_changes',
    'The number of changes that a reader of the journal has not handled yet',
  );
  const seconds = addGauge(
    'foyer_journal_lag_seconds',
    'The age of the oldest change that a reader of the journal has not handled yet',
  );
  const skipped = addGauge(
    'foyer_journal_skipped_changes',
    'The number of changes that a reader of the journal has skipped because they failed repeatedly',
  );
  return {
    set: (lags) => {
      for (const gauge of [changes, seconds, skipped]) gauge.reset();
      for (const { reader, ...lag } of lags) {
        changes.set({ reader }, lag.changes);
        seconds.set({ reader }, lag.seconds);
        skipped.set({ reader }, lag.skipped);
      }
    },
  };
}

function addBacklogMetrics(registry: Registry): { set(backlog: Backlog | undefined): void } {
  const addGauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const emails = addGauge(
    'foyer_emails',
    'Emails that wait to be sent, and those of the last 7 days that have failed',
    ['state'],
  );
  const emailDelay = addGauge(
    'foyer_email_delay_seconds',
    'For how long the most overdue email should have been attempted; 0 without a mail server',
  );
  const deliveries = addGauge(
    'foyer_webhook_deliveries',
    'Deliveries of webhooks that wait, that are paused because their webhook is disabled, and those of the last 7 days that have failed',
    ['state'],
  );
  const deliveryDelay = addGauge(
    'foyer_webhook_delivery_delay_seconds',
    'For how long the most overdue delivery of a webhook should have been attempted',
  );
  const disabled = addGauge(
    'foyer_webhooks_disabled',
    'Webhooks that are disabled, or whose owner has lost its permissions',
  );
  const displays = addGauge('foyer_displays', 'Displays by status', ['status']);
  const setAll = (gauge: Gauge, label: string, values: Record<string, number>) => {
    for (const [name, value] of Object.entries(values)) gauge.set({ [label]: name }, value);
  };
  return {
    set: (backlog) => {
      // Without labels, `reset` would set 0, which says that all is well.
      for (const gauge of [emailDelay, deliveryDelay, disabled]) gauge.remove();
      for (const gauge of [emails, deliveries, displays]) gauge.reset();
      if (backlog === undefined) return;
      setAll(emails, 'state', backlog.emails);
      emailDelay.set(backlog.emailDelaySeconds);
      setAll(deliveries, 'state', backlog.deliveries);
      deliveryDelay.set(backlog.deliveryDelaySeconds);
      disabled.set(backlog.disabledWebhooks);
      setAll(displays, 'status', backlog.displays);
    },
  };
}

function addPoolMetrics(registry: Registry, pools: WatchedPool[]): void {
  const connections = new Gauge({
    name: 'foyer_database_pool_connections',
    help: 'Connections to the database, by pool and by whether they are used',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect: () => {
      for (const { name: pool, readUsage } of pools) {
        const { used, idle, waiting: callers } = readUsage();
        connections.set({ pool, state: 'used' }, used);
        connections.set({ pool, state: 'idle' }, idle);
        waiting.set({ pool }, callers);
      }
    },
  });
  const waiting = new Gauge({
    name: 'foyer_database_pool_waiting',
    help: 'Callers that wait for a connection of the pool',
    labelNames: ['pool'],
    registers: [registry],
  });
  const waits = new Histogram({
    name: 'foyer_database_pool_wait_seconds',
    help: 'How long callers waited for a connection of the pool',
    labelNames: ['pool'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  });
  for (const { name, onWait } of pools) {
    const labels = { pool: name };
    onWait((seconds) => waits.observe(labels, seconds));
  }
}

function addQueueMetrics(registry: Registry, queues: Readings['queues']): void {
  new Gauge({
    name: 'foyer_queue_waiting',
    help: 'Work of callers that waits for a place in a queue of the process',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, { countWaiting }] of Object.entries(queues))
        this.set({ queue }, countWaiting());
    },
  });
}

function addStreamMetrics(registry: Registry, countStreams: () => number): void {
  new Gauge({
    name: 'foyer_open_streams',
    help: 'Streams of GraphQL subscriptions that are open',
    registers: [registry],
    collect() {
      this.set(countStreams());
    },
  });
}

function addWorkMetrics(registry: Registry, jobs: string[]): WorkMetrics {
  const runs = new Counter({
    name: 'foyer_job_runs_total',
    help: 'Runs of jobs, by how they ended',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  });
  const runDurations = new Histogram({
    name: 'foyer_job_duration_seconds',
    help: 'How long jobs ran',
    labelNames: ['job'],
    buckets: [0.01, 0.1, 1, 10, 60, 300],
    registers: [registry],
  });
  const attempts = new Counter({
    name: 'foyer_work_attempts_total',
    help: 'Attempts to send emails and webhooks, to refund, and to apply events of payment providers, by how they ended',
    labelNames: ['queue', 'outcome'],
    registers: [registry],
  });
  const attemptDurations = new Histogram({
    name: 'foyer_work_attempt_duration_seconds',
    help: 'How long these attempts took',
    labelNames: ['queue'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60],
    registers: [registry],
  });
  // A counter that begins with its first failure has no increase.
  for (const job of jobs)
    for (const outcome of ['succeeded', 'failed']) runs.inc({ job, outcome }, 0);
  for (const queue of WORK_QUEUES)
    for (const outcome of ['succeeded', 'retried', 'failed']) attempts.inc({ queue, outcome }, 0);
  return {
    countJobRun: (job, outcome, seconds) => {
      runs.inc({ job, outcome });
      runDurations.observe({ job }, seconds);
    },
    countAttempt: (queue, outcome, seconds) => {
      attempts.inc({ queue, outcome });
      attemptDurations.observe({ queue }, seconds);
    },
  };
}

function addRejectionMetrics(registry: Registry): (limit: LimitName) => void {
  const rejections = new Counter({
    name: 'foyer_requests_rate_limited_total',
    help: 'Requests that were rejected because of a limit',
    labelNames: ['limit'],
    registers: [registry],
  });
  const names = [...REQUEST_LIMITS, ...(Object.keys(ALL_LIMITS) as LimitName[])];
  for (const name of names) rejections.inc({ limit: toSnakeCase(name) }, 0);
  return (limit) => rejections.inc({ limit: toSnakeCase(limit) });
}

// Methods that callers invent must not create new time series.
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
const toMethodLabel = ({ method = '' }: IncomingMessage) =>
  KNOWN_METHODS.has(method) ? method : 'other';
