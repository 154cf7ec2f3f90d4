import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { MAX_QUERY_COST } from './core/query-points.ts';
import { spaceName } from './core/validation.ts';
import {
  DEFAULT_CONNECTIONS,
  MAX_CONNECTIONS,
  MIN_CONNECTIONS,
} from './db/postgres/connection-sizes.ts';
import { DomainError } from './errors.ts';
import type { QueryBudgetConfig } from './graphql/query-budget.ts';
import type { TrustedDocumentsConfig } from './graphql/trusted-documents/trusted-documents.ts';
import type { StripeConfig } from './integrations/payments/stripe/stripe-provider.ts';
import { LANGUAGE_CODES, type Language } from './languages/languages.ts';

/** The environment variables, parsed and validated at startup. */
export interface Config {
  port: number;
  host: string;
  /** The public URL of the service, possibly with a path. Never ends in a slash. */
  baseUrl: string;
  databaseUrl: string | undefined;
  /** How many connections to PostgreSQL this process can open. */
  databaseConnections: number;
  dataDir: string;
  /** Whether the embedded database flushes to the disk before it acknowledges. */
  dataFsync: boolean;
  /** How long everything is still served after SIGTERM, while /readyz tells load balancers to use other instances. */
  shutdownDelayMs: number;
  /** The first owner, with the language and the name of the space. */
  admin:
    | {
        email: string;
        password: string;
        language: Language | undefined;
        spaceName: string | undefined;
      }
    | undefined;
  logLevel: string;
  /** The number of reverse proxies in front of the service. Only their X-Forwarded-For is trusted. */
  trustProxy: number;
  corsOrigins: string[];
  /** The SMTP server. Without one, emails are stored and shown in the panel, but not sent. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Whether this is the demo, which stores the emails to its invented people and sends none. */
  isDemo: boolean;
  /** Where people report security problems. */
  securityContact: string | undefined;
  /** Whether webhooks can target private networks and this machine. */
  allowPrivateWebhookTargets: boolean;
  /** The HTTP proxy through which webhooks are sent. Undefined: they are sent directly. */
  webhookProxy: string | undefined;
  /** A disk with less free space is a problem on the system page. */
  diskWarningBytes: number;
  /** After so many days without a backup there is a problem on the system page. 0: never. */
  backupMaxAgeDays: number;
  /** Where the service writes a backup every night, as an absolute path. Undefined: it writes none. */
  backupDir: string | undefined;
  /** How many of these backups are kept. */
  backupKeep: number;
  /** The points for GraphQL queries. */
  queryBudget: QueryBudgetConfig;
  trustedDocuments: TrustedDocumentsConfig;
  /** A token protects /metrics. If `port` is set, /metrics is served only there. */
  metrics: { token: string | undefined; port: number | undefined; host: string };
  telemetry: TelemetryConfig;
  /** What still works and will not in a later version, to be logged at startup. */
  deprecations: string[];
  payments:
    | { provider: 'on_site' }
    | { provider: 'sandbox' }
    | ({ provider: 'stripe' } & StripeConfig);
}

/** What is exported to a collector of OpenTelemetry. */
export interface TelemetryConfig {
  /** Where traces are sent. Undefined: nowhere. */
  traces: string | undefined;
  metrics: string | undefined;
  protocol: 'http/protobuf' | 'http/json';
  metricIntervalMs: number;
}

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });
const postgresUrl = z
  .string()
  .refine(isPostgresUrl, 'must look like postgresql://user:password@host:5432/database');
const smtpUrl = z
  .url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' })
  .refine((url) => URL.canParse(url) && new URL(url).hostname !== '', 'must name a host');

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
  .transform(Number)
  .refine((port) => port <= 65_535, 'must be a number from 0 to 65535');

const connectionsError = `must be a number of connections from ${MIN_CONNECTIONS} to ${MAX_CONNECTIONS}`;

const MAX_SHUTDOWN_DELAY_SECONDS = 600;
/** Three failed health checks, one a second, and some time to spare. */
const DEFAULT_SHUTDOWN_DELAY_SECONDS = 5;
const shutdownDelayError = `must be a number of seconds from 0 to ${MAX_SHUTDOWN_DELAY_SECONDS}`;

const queryBudgetError = `must be a number of points from ${MAX_QUERY_COST} to 1000000000`;
const queryBudget = z
  .string()
  .regex(/^\d{1,10}$/, queryBudgetError)
  .transform(Number)
  .refine((points) => points >= MAX_QUERY_COST && points <= 1_000_000_000, queryBudgetError);

const DEFAULT_DISK_WARNING_MB = 500;
const DEFAULT_BACKUP_MAX_AGE_DAYS = 7;
const DEFAULT_BACKUP_KEEP = 14;

const DEFAULT_METRICS_HOST = '127.0.0.1';

const environmentSchema = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1).default('0.0.0.0'),
  BASE_URL: httpUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_CONNECTIONS: z
    .string()
    .regex(/^\d{1,3}$/, connectionsError)
    .transform(Number)
    .refine((count) => count >= MIN_CONNECTIONS && count <= MAX_CONNECTIONS, connectionsError)
    .default(DEFAULT_CONNECTIONS),
  DATA_DIR: z.string().min(1).default('.data/main'),
  DATA_FSYNC: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SHUTDOWN_DELAY: z
    .string()
    .regex(/^\d{1,3}$/, shutdownDelayError)
    .transform(Number)
    .refine((seconds) => seconds <= MAX_SHUTDOWN_DELAY_SECONDS, shutdownDelayError)
    .optional(),
  ADMIN_EMAIL: z.email('must be an email address').optional(),
  ADMIN_PASSWORD: z.string().optional(),
  SPACE_LANGUAGE: z.enum(LANGUAGE_CODES, `must be one of ${LANGUAGE_CODES.join(', ')}`).optional(),
  SPACE_NAME: z
    .string()
    .refine((name) => spaceName.safeParse(name).success, 'must have 1 to 100 visible characters')
    .pipe(spaceName)
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUST_PROXY: z
    .string()
    .regex(/^\d$/, 'must be the number of reverse proxies in front of Foyer, from 0 to 9')
    .transform(Number)
    .default(0),
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .pipe(z.array(httpUrl.transform((url) => new URL(url).origin)))
    .default([]),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must look like "Foyer <foyer@example.org>" or "foyer@example.org"',
    )
    .optional(),
  SECURITY_CONTACT: z
    .url({
      protocol: /^(mailto|https|tel)$/,
      error: 'must look like mailto:security@example.org or https://example.org/security',
    })
    .optional(),
  WEBHOOK_PRIVATE_ADDRESSES: z
    .enum(['reject', 'allow', 'refuse'], 'must be reject or allow')
    .default('reject'),
  WEBHOOK_PROXY: z
    .url({ protocol: /^http$/, error: 'must look like http://user:password@host:3128' })
    .refine((url) => URL.canParse(url) && new URL(url).hostname !== '', 'must name a host')
    .optional(),
  DISK_WARNING_MB: z
    .string()
    .regex(/^\d{1,8}$/, 'must be a number of megabytes')
    .transform(Number)
    .default(DEFAULT_DISK_WARNING_MB),
  BACKUP_MAX_AGE_DAYS: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number of days, or 0')
    .transform(Number)
    .default(DEFAULT_BACKUP_MAX_AGE_DAYS),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number of backups from 1 to 9999')
    .transform(Number)
    .default(DEFAULT_BACKUP_KEEP),
  QUERY_BUDGET: queryBudget.default(60_000),
  ANONYMOUS_QUERY_BUDGET: queryBudget.default(12_000),
  TRUSTED_DOCUMENTS: z
    .enum(['off', 'anonymous', 'all'], 'must be off, anonymous or all')
    .default('off'),
  TRUSTED_DOCUMENTS_FILE: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must have at least 16 characters and no spaces')
    .optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).optional(),
  // The SDK of OpenTelemetry reads further variables itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], 'must be http/protobuf or http/json')
    .default('http/protobuf'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
  OTEL_METRICS_EXPORTER: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
  OTEL_METRIC_EXPORT_INTERVAL: z
    .string()
    .regex(/^[1-9]\d{2,7}$/, 'must be a number of milliseconds from 100')
    .transform(Number)
    .default(60_000),
  OTEL_SDK_DISABLED: z
    .string()
    .transform((text) => text.toLowerCase() === 'true')
    .default(false),
  PAYMENTS: z.enum(['on_site', 'sandbox'], 'must be on_site or sandbox').optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?!pk_|whsec_)\S+$/, 'must be a secret key, which begins with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^(?!sk_|rk_|pk_)\S+$/, "must be the webhook's signing secret, which begins with whsec_")
    .optional(),
  // Tests point it to a fake Stripe.
  STRIPE_API_BASE: httpUrl.optional(),
});

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 * @throws VALIDATION with one line that names every invalid variable.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(variables);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path[0]?.toString()}: ${issue.message}`,
    );
    throw new DomainError('VALIDATION', `Configuration: ${problems.join('; ')}`, {
      reason: 'INVALID_CONFIGURATION',
    });
  }
  const { data } = parsed;
  if ((data.ADMIN_EMAIL === undefined) !== (data.ADMIN_PASSWORD === undefined)) {
    throw new DomainError(
      'VALIDATION',
      'Configuration: ADMIN_EMAIL and ADMIN_PASSWORD go together; set both or neither',
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
  if (data.METRICS_HOST !== undefined && data.METRICS_PORT === undefined) {
    throw new DomainError(
      'VALIDATION',
      'Configuration: METRICS_HOST needs METRICS_PORT; without it, /metrics is served on PORT',
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
  const backupDir = data.BACKUP_DIR && resolve(data.BACKUP_DIR);
  if (
    backupDir &&
    !data.DATABASE_URL &&
    isWithin(resolveLinks(backupDir), resolveLinks(resolve(data.DATA_DIR)))
  ) {
    throw new DomainError(
      'VALIDATION',
      'Configuration: BACKUP_DIR is in DATA_DIR, which contains only the database; choose a directory outside of it, if possible on another disk',
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
  const baseUrl = (data.BASE_URL ?? `http://localhost:${data.PORT}`).replace(/(?<!\/)\/+$/, '');
  return {
    port: data.PORT,
    host: data.HOST,
    baseUrl,
    databaseUrl: data.DATABASE_URL,
    databaseConnections: data.DATABASE_CONNECTIONS,
    dataDir: data.DATA_DIR,
    dataFsync: data.DATA_FSYNC === 'on',
    // Only one process can use the embedded database, so no other instance could take over.
    shutdownDelayMs:
      1_000 * (data.SHUTDOWN_DELAY ?? (data.DATABASE_URL ? DEFAULT_SHUTDOWN_DELAY_SECONDS : 0)),
    admin:
      data.ADMIN_EMAIL && data.ADMIN_PASSWORD
        ? {
            email: data.ADMIN_EMAIL,
            password: data.ADMIN_PASSWORD,
            language: data.SPACE_LANGUAGE,
            spaceName: data.SPACE_NAME,
          }
        : undefined,
    logLevel: data.LOG_LEVEL,
    trustProxy: data.TRUST_PROXY,
    corsOrigins: data.CORS_ORIGINS,
    smtpUrl: data.SMTP_URL,
    isDemo: false,
    mailFrom: data.MAIL_FROM ?? `Foyer <no-reply@${new URL(baseUrl).hostname}>`,
    securityContact: data.SECURITY_CONTACT,
    deprecations:
      data.WEBHOOK_PRIVATE_ADDRESSES === 'refuse'
        ? [
            'WEBHOOK_PRIVATE_ADDRESSES=refuse is deprecated: set WEBHOOK_PRIVATE_ADDRESSES=reject, or remove it',
          ]
        : [],
    allowPrivateWebhookTargets: data.WEBHOOK_PRIVATE_ADDRESSES === 'allow',
    webhookProxy: data.WEBHOOK_PROXY,
    diskWarningBytes: data.DISK_WARNING_MB * 1024 ** 2,
    backupMaxAgeDays: data.BACKUP_MAX_AGE_DAYS,
    backupDir,
    backupKeep: data.BACKUP_KEEP,
    queryBudget: {
      pointsPerMinute: data.QUERY_BUDGET,
      anonymousPointsPerMinute: data.ANONYMOUS_QUERY_BUDGET,
    },
    trustedDocuments: { mode: data.TRUSTED_DOCUMENTS, file: data.TRUSTED_DOCUMENTS_FILE },
    metrics: {
      token: data.METRICS_TOKEN,
      port: data.METRICS_PORT,
      host: data.METRICS_HOST ?? DEFAULT_METRICS_HOST,
    },
    telemetry: toTelemetryConfig(data),
    payments: toPaymentsConfig(data),
  };
}

/** Nothing is exported without an endpoint, although OpenTelemetry has a default. */
function toTelemetryConfig(data: z.output<typeof environmentSchema>): TelemetryConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: isDisabled } = data;
  const findUrl = (exporter: 'otlp' | 'none', path: string, ownEndpoint: string | undefined) => {
    if (isDisabled || exporter === 'none') return undefined;
    return ownEndpoint ?? (endpoint && `${endpoint.replace(/\/$/, '')}${path}`);
  };
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT } = data;
  return {
    traces: findUrl(data.OTEL_TRACES_EXPORTER, '/v1/traces', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    metrics: findUrl(
      data.OTEL_METRICS_EXPORTER,
      '/v1/metrics',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    ),
    protocol: data.OTEL_EXPORTER_OTLP_PROTOCOL,
    metricIntervalMs: data.OTEL_METRIC_EXPORT_INTERVAL,
  };
}

function toPaymentsConfig(data: z.output<typeof environmentSchema>): Config['payments'] {
  const { PAYMENTS, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = data;
  if (secretKey === undefined && webhookSecret === undefined) {
    return { provider: PAYMENTS ?? 'on_site' };
  }
  if (secretKey === undefined || webhookSecret === undefined) {
    throw new DomainError(
      'VALIDATION',
      'Configuration: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together; set both or neither',
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
  if (PAYMENTS !== undefined) {
    throw new DomainError(
      'VALIDATION',
      `Configuration: PAYMENTS is ${PAYMENTS}, but STRIPE_SECRET_KEY is set too; remove one of them`,
      { reason: 'INVALID_CONFIGURATION' },
    );
  }
  return { provider: 'stripe', secretKey, webhookSecret, apiBase: data.STRIPE_API_BASE };
}

const MAX_LINKS = 40;

/** Resolves the symbolic links of a path that may not exist yet, also those that lead to what does not exist yet. */
function resolveLinks(path: string, links = 0): string {
  if (existsSync(path)) return realpathSync(path);
  if (path === dirname(path)) return path;
  const resolved = join(resolveLinks(dirname(path), links), basename(path));
  if (!isLink(resolved) || links === MAX_LINKS) return resolved;
  return resolveLinks(resolve(dirname(resolved), readlinkSync(resolved)), links + 1);
}

/** A path that cannot be read is no link: whoever uses it reports why. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

const isWithin = (path: string, directory: string) => `${path}/`.startsWith(`${directory}/`);

function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
}
