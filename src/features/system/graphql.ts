import { builder } from '../../graphql/builder.ts';
import { withCost } from '../../graphql/query-cost.ts';
import { Policy as RetentionPolicy } from '../personal-data/graphql.ts';
import { findProblems } from './service/find-problems.ts';
import { readSystemStatus } from './service/read-status.ts';
import { readKnownSince } from './service/watch-problems.ts';
import {
  type Backup,
  type JobStatus,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode as ProblemCodeValue,
  type Reachability,
  type SystemStatus,
} from './types.ts';

const BYTES = 'in bytes';

const ProblemCode = builder.enumType('SystemProblemCode', {
  description: 'A kind of problem of the installation',
  values: Object.fromEntries(
    Object.entries(PROBLEM_CODES).map(([code, description]) => [code, { description }]),
  ) as Record<ProblemCodeValue, { description: string }>,
});

const SystemProblem = builder
  .objectRef<Problem & { since: Date | null }>('SystemProblem')
  .implement({
    description: 'Something that is wrong with the installation',
    fields: (t) => ({
      code: t.expose('code', { type: ProblemCode, description: 'The kind of problem' }),
      message: t.exposeString('message', { description: 'What is wrong, as a sentence' }),
      remedy: t.exposeString('remedy', { description: 'What to do, as a sentence' }),
      isOfInstance: t.exposeBoolean('isOfInstance', {
        description:
          'Whether it concerns only the instance that answers. Another one can have other problems',
      }),
      since: t.expose('since', {
        type: 'DateTime',
        nullable: true,
        description:
          'When it was first seen; null for a problem of one instance, and in the first minute',
      }),
    }),
  });

const Versions = builder.objectRef<SystemStatus['versions']>('SystemVersions').implement({
  description: 'The versions that run',
  fields: (t) => ({
    foyer: t.exposeString('foyer', { description: 'The version of Foyer on this instance' }),
    node: t.exposeString('node', { description: 'The version of Node.js on this instance' }),
    database: t.exposeString('database', { description: 'The database and its version' }),
    migration: t.exposeString('migration', {
      description: 'The newest change of the database schema that is applied',
    }),
  }),
});

const Instance = builder.objectRef<SystemStatus['instance']>('SystemInstance').implement({
  description:
    'The process that answers. With several instances, the next request can reach another one',
  fields: (t) => ({
    host: t.exposeString('host', { description: 'The name of its machine' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it started' }),
  }),
});

const DatabaseKind = builder.enumType('DatabaseKind', {
  description: 'Where the data is',
  values: {
    EMBEDDED: { value: 'embedded', description: 'In the process of Foyer, in DATA_DIR' },
    POSTGRES: { value: 'postgres', description: 'On a server of PostgreSQL' },
  } as const,
});

const Connections = builder
  .objectRef<NonNullable<SystemStatus['database']['connections']>>('SystemConnections')
  .implement({
    description: 'The connections of a server of PostgreSQL',
    fields: (t) => ({
      used: t.exposeInt('used', { description: 'Open connections of all programs' }),
      limit: t.exposeInt('limit', { description: 'The setting max_connections' }),
    }),
  });

const Pool = builder.objectRef<SystemStatus['database']['pools'][number]>('SystemPool').implement({
  description: 'The connections to the database that this instance has opened for one purpose',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in the metrics' }),
    used: t.exposeInt('used', { description: 'Connections in use' }),
    idle: t.exposeInt('idle', { description: 'Open connections without work' }),
    waiting: t.exposeInt('waiting', { description: 'Callers that wait for a connection' }),
  }),
});

const SystemDatabase = builder.objectRef<SystemStatus['database']>('SystemDatabase').implement({
  description: 'The state of the database',
  fields: (t) => ({
    kind: t.expose('kind', { type: DatabaseKind, description: 'Where the data is' }),
    bytes: t.exposeFloat('bytes', { description: `The size of the database, ${BYTES}` }),
    freeBytes: t.exposeFloat('freeBytes', {
      nullable: true,
      description: `The free space of the disk with DATA_DIR, ${BYTES}; null on PostgreSQL`,
    }),
    temporaryFreeBytes: t.exposeFloat('temporaryFreeBytes', {
      description: `The free space of the disk for temporary files of this instance, ${BYTES}`,
    }),
    connections: t.expose('connections', {
      type: Connections,
      nullable: true,
      description: 'Null for the embedded database',
    }),
    pools: t.expose('pools', { type: [Pool], description: 'The connections of this instance' }),
    responseMs: t.exposeFloat('responseMs', {
      description: 'How long this instance waited for an answer of the database just now, in ms',
    }),
    isReadOnly: t.exposeBoolean('isReadOnly', {
      description: 'Whether changes are rejected, for example because the disk is full',
    }),
  }),
});

const Clock = builder.objectRef<SystemStatus['clock']>('SystemClock').implement({
  description: 'The clock of this instance',
  fields: (t) => ({
    databaseAheadMs: t.exposeFloat('databaseAheadMs', {
      description: 'How far the clock of the database is ahead, in ms; negative if it is behind',
    }),
    journalAheadMs: t.exposeFloat('journalAheadMs', {
      description: 'How far the newest recorded change is in the future, in ms; 0 if it is not',
    }),
  }),
});

const Reached = builder.interfaceRef<Reachability>('SystemReachability').implement({
  description: 'Whether another service can be reached',
  fields: (t) => ({
    respondedAt: t.expose('respondedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last responded; null if it never has',
    }),
    failedAt: t.expose('failedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it could last not be reached; null if it always could',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it could last not be reached',
    }),
  }),
});

const SystemEmail = builder.objectRef<SystemStatus['email']>('SystemEmail').implement({
  description: 'The sending of emails',
  interfaces: [Reached],
  fields: (t) => ({
    server: t.exposeString('server', {
      nullable: true,
      description: 'The host and port of the mail server; null if emails are only stored',
    }),
    waiting: t.exposeInt('waiting', { description: 'Emails that wait to be sent' }),
    failed: t.exposeInt('failed', { description: 'Emails of the last 7 days that have failed' }),
  }),
});

const SystemPayments = builder.objectRef<SystemStatus['payments']>('SystemPayments').implement({
  description: 'The payment provider. Refunds show whether it can be reached',
  interfaces: [Reached],
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'stripe, sandbox or on_site' }),
    isLive: t.exposeBoolean('isLive', {
      description: 'Whether payments are real, and not simulated or made with test keys',
    }),
    lastEventAt: t.expose('lastEventAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the provider last sent an event',
    }),
    stuckEvents: t.exposeInt('stuckEvents', {
      description: 'Events of the provider that have failed at least three times and are retried',
    }),
    stuckEventError: t.exposeString('stuckEventError', {
      nullable: true,
      description: 'Why one of them failed',
    }),
    rejection: t.exposeString('rejection', {
      nullable: true,
      description:
        'Why the provider rejected the payment of the last order that someone wanted to pay; null if it did not',
    }),
  }),
});

const SystemWebhooks = builder.objectRef<SystemStatus['webhooks']>('SystemWebhooks').implement({
  description: 'The sending of webhooks. With a proxy, the reachability is that of the proxy',
  interfaces: [Reached],
  fields: (t) => ({
    proxy: t.exposeString('proxy', {
      nullable: true,
      description: 'The host and port of the proxy; null if webhooks are sent directly',
    }),
    waiting: t.exposeInt('waiting', { description: 'Deliveries that wait' }),
    paused: t.exposeInt('paused', { description: 'Deliveries that wait for a disabled webhook' }),
    failed: t.exposeInt('failed', { description: 'Deliveries of the last 7 days that failed' }),
    disabled: t.exposeInt('disabled', {
      description: 'Webhooks that Foyer has disabled, because of failures or lost permissions',
    }),
  }),
});

const SystemJob = builder.objectRef<JobStatus>('SystemJob').implement({
  description: 'A job, which one of the instances runs at its times',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in the log and in the metrics' }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last began; null if it never has',
      resolve: ({ lastRun }) => lastRun?.startedAt ?? null,
    }),
    durationMs: t.int({
      nullable: true,
      description: 'How long it last took, in ms',
      resolve: ({ lastRun }) => lastRun?.durationMs ?? null,
    }),
    failedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last failed; null if it never has',
      resolve: ({ lastFailure }) => lastFailure?.at ?? null,
    }),
    error: t.string({
      nullable: true,
      description: 'Why it last failed',
      resolve: ({ lastFailure }) => lastFailure?.error ?? null,
    }),
    nextRunAt: t.expose('nextRunAt', { type: 'DateTime', description: 'When it is due next' }),
    isFailing: t.exposeBoolean('isFailing', { description: 'Whether its last run failed' }),
    isLate: t.exposeBoolean('isLate', {
      description: 'Whether it is due for more than 15 minutes and has not begun',
    }),
  }),
});

const SystemDisplays = builder.objectRef<SystemStatus['displays']>('SystemDisplays').implement({
  description: 'The number of displays by status',
  fields: (t) => ({
    online: t.exposeInt('online', { description: 'Displays that respond' }),
    stale: t.exposeInt('stale', { description: 'Displays that have just stopped responding' }),
    offline: t.exposeInt('offline', { description: 'Displays that do not respond' }),
  }),
});

const BackupWay = builder.enumType('BackupWay', {
  description: 'How a backup is made',
  values: {
    COMMAND: {
      value: 'command',
      description: 'By Foyer: every night, or by the command foyer backup',
    },
    WAL_ARCHIVE: { value: 'wal_archive', description: 'By the log archive of PostgreSQL' },
  } as const,
});

const SystemBackup = builder.objectRef<Backup>('SystemBackup').implement({
  description: 'A backup',
  fields: (t) => ({
    way: t.expose('way', { type: BackupWay, description: 'How it was made' }),
    at: t.expose('at', { type: 'DateTime', description: 'The time of its data' }),
    bytes: t.exposeFloat('bytes', {
      nullable: true,
      description: `The size of its file, ${BYTES}; null for an archive`,
    }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'How long it took, in ms; null for an archive',
    }),
    file: t.exposeString('file', {
      nullable: true,
      description: 'The file on the machine that made it; null for an archive',
    }),
  }),
});

const SystemBackups = builder.objectRef<SystemStatus['backups']>('SystemBackups').implement({
  description: 'The backups of which Foyer knows',
  fields: (t) => ({
    last: t.expose('last', {
      type: SystemBackup,
      nullable: true,
      description: 'The newest one; null if there is none',
    }),
    isArchiveFailing: t.exposeBoolean('isArchiveFailing', {
      nullable: true,
      description: 'Whether PostgreSQL cannot archive its log; null if it does not archive it',
    }),
    maxAgeDays: t.exposeInt('maxAgeDays', {
      nullable: true,
      description: 'After how many days without a backup there is a problem; null for never',
    }),
    directory: t.exposeString('directory', {
      nullable: true,
      description: 'Where Foyer writes a backup every night (BACKUP_DIR); null if it does not',
    }),
    keep: t.exposeInt('keep', { description: 'How many of the nightly backups it keeps' }),
  }),
});

const Status = builder
  .objectRef<SystemStatus & { problems: (Problem & { since: Date | null })[] }>('SystemStatus')
  .implement({
    description:
      'The state of the installation. The instance, the clock, the disks, the pools and the response time are those of the instance that answers',
    fields: (t) => ({
      checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When it was read' }),
      problems: t.expose('problems', {
        type: [SystemProblem],
        description: 'What is wrong, most urgent first; empty if all is well',
      }),
      versions: t.expose('versions', { type: Versions, description: 'The versions that run' }),
      instance: t.expose('instance', { type: Instance, description: 'The process that answers' }),
      database: t.expose('database', { type: SystemDatabase, description: 'The database' }),
      clock: t.expose('clock', { type: Clock, description: 'The clock of this instance' }),
      email: t.expose('email', { type: SystemEmail, description: 'The sending of emails' }),
      payments: t.expose('payments', { type: SystemPayments, description: 'The payments' }),
      webhooks: t.expose('webhooks', { type: SystemWebhooks, description: 'The webhooks' }),
      jobs: t.expose('jobs', {
        type: [SystemJob],
        description: 'All jobs',
        ...withCost({ items: 40 }),
      }),
      displays: t.expose('displays', { type: SystemDisplays, description: 'The displays' }),
      backups: t.expose('backups', { type: SystemBackups, description: 'The backups' }),
      retention: t.expose('retention', {
        type: [RetentionPolicy],
        description: 'What is deleted, and after how long',
        ...withCost({ items: 20 }),
      }),
    }),
  });

builder.queryField('systemStatus', (t) =>
  t.field({
    type: Status,
    description: 'The state of the installation: what is wrong, and what to do about it',
    authScopes: { access: 'staff:manage' },
    ...withCost({ points: 20 }),
    resolve: async (_, __, { ctx, deps: { installation } }) => {
      const [status, knownSince] = await Promise.all([
        readSystemStatus(ctx, installation),
        readKnownSince(ctx),
      ]);
      const problems = findProblems(status, installation.config).map((problem) => ({
        ...problem,
        since: problem.isOfInstance ? null : (knownSince.get(problem.code) ?? null),
      }));
      return { ...status, problems };
    },
  }),
);
