import type { ReactNode } from 'react';
import { DateTime } from '../../components/browser-time.tsx';
import { DescriptionList } from '../../components/PageLayout.tsx';
import { formatBytes, formatMs } from './format.ts';
import type { SystemStatus } from './queries.ts';

type Part<Name extends keyof SystemStatus> = Record<Name, SystemStatus[Name]>;

const Since = ({ at }: { at: string | null }) =>
  at === null ? 'Never' : <DateTime at={at} format="since" />;

interface Reachability {
  respondedAt: string | null;
  failedAt: string | null;
  error: string | null;
}

/** When the other side last responded, and why it last did not. */
const toContactItems = ({ respondedAt, failedAt, error }: Reachability): [string, ReactNode][] => [
  ['Last contact', <Since key="contact" at={respondedAt} />],
  [
    'Last outage',
    failedAt && (
      <>
        <DateTime at={failedAt} format="since" />: {error}
      </>
    ),
  ],
];

export const EmailDetails = ({ email }: Part<'email'>) => (
  <DescriptionList
    items={[
      ['Mail server', email.server ?? 'None: emails are only stored'],
      ...toContactItems(email),
      ['Waiting', email.waiting],
      ['Failed', `${email.failed} in the last 7 days`],
    ]}
  />
);

export const BackupDetails = ({
  backups: { last, isArchiveFailing, maxAgeDays, directory, keep },
}: Part<'backups'>) => (
  <DescriptionList
    items={[
      ['Last backup', <Since key="last" at={last?.at ?? null} />],
      ['Made by', last && (last.way === 'COMMAND' ? 'Foyer' : 'The log archive of PostgreSQL')],
      ['File', last?.file],
      ['Size', last?.bytes && formatBytes(last.bytes)],
      ['Duration', last?.durationMs && formatMs(last.durationMs)],
      [
        'Every night',
        directory === null ? 'No: set BACKUP_DIR' : `In ${directory}, the last ${keep} are kept`,
      ],
      ['Log archive', isArchiveFailing === null ? null : isArchiveFailing ? 'Failing' : 'Working'],
      ['Warning', maxAgeDays === null ? 'Off' : `After ${maxAgeDays} days without a backup`],
    ]}
  />
);

export const DatabaseDetails = ({ database, clock }: Part<'database'> & Part<'clock'>) => (
  <DescriptionList
    items={[
      ['Kind', database.kind === 'EMBEDDED' ? 'Embedded' : 'PostgreSQL server'],
      ['Size', formatBytes(database.bytes)],
      ['Free in DATA_DIR', database.freeBytes && formatBytes(database.freeBytes)],
      ['Free for temporary files', formatBytes(database.temporaryFreeBytes)],
      [
        'Connections',
        database.connections && `${database.connections.used} of ${database.connections.limit}`,
      ],
      [
        'Of this instance',
        database.pools
          .map(({ name, used, waiting }) => `${name}: ${used} in use, ${waiting} waiting`)
          .join('; '),
      ],
      ['Response time', formatMs(database.responseMs)],
      ['Changes', database.isReadOnly ? 'Rejected' : 'Accepted'],
      [
        'Clock difference',
        formatMs(Math.max(Math.abs(clock.databaseAheadMs), clock.journalAheadMs)),
      ],
    ]}
  />
);

export const VersionDetails = ({ versions, instance }: Part<'versions'> & Part<'instance'>) => (
  <DescriptionList
    items={[
      ['Foyer', versions.foyer],
      ['Node.js', versions.node],
      ['Database', versions.database],
      ['Schema', versions.migration],
      ['Instance', instance.host],
      ['Started', <Since key="started" at={instance.startedAt} />],
    ]}
  />
);

const PROVIDERS: Record<string, string> = {
  stripe: 'Stripe',
  sandbox: 'Simulated',
  on_site: 'At the front desk',
};

export const PaymentDetails = ({ payments }: Part<'payments'>) => (
  <DescriptionList
    items={[
      ['Provider', PROVIDERS[payments.provider] ?? payments.provider],
      ['Mode', payments.isLive ? 'Live' : 'Test'],
      ...(payments.provider === 'stripe'
        ? ([
            ['Last event', <Since key="event" at={payments.lastEventAt} />],
            ['Events that fail', payments.stuckEvents],
            ...toContactItems(payments),
          ] satisfies [string, ReactNode][])
        : []),
    ]}
  />
);

export const WebhookDetails = ({ webhooks }: Part<'webhooks'>) => (
  <DescriptionList
    items={[
      ['Proxy', webhooks.proxy ?? 'None'],
      ...(webhooks.proxy === null ? [] : toContactItems(webhooks)),
      ['Waiting', webhooks.waiting],
      ['Paused', webhooks.paused],
      ['Failed', `${webhooks.failed} in the last 7 days`],
      ['Disabled by Foyer', webhooks.disabled],
    ]}
  />
);

export const DisplayDetails = ({ displays }: Part<'displays'>) => (
  <DescriptionList
    items={[
      ['Online', displays.online],
      ['Stale', displays.stale],
      ['Offline', displays.offline],
    ]}
  />
);

export const RetentionDetails = ({ retention }: Part<'retention'>) => (
  <DescriptionList
    items={retention.map(({ title, days }) => [
      title,
      days === null ? 'Kept' : days === 1 ? 'After 1 day' : `After ${days} days`,
    ])}
  />
);
