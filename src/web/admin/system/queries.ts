import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { SystemStatusQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type SystemStatus = SystemStatusQuery['systemStatus'];
export type SystemProblem = SystemStatus['problems'][number];
export type SystemJob = SystemStatus['jobs'][number];

const SYSTEM_STATUS_QUERY = graphql(`
  query SystemStatus {
    systemStatus {
      checkedAt
      problems {
        code
        message
        remedy
        isOfInstance
        since
      }
      versions {
        foyer
        node
        database
        migration
      }
      instance {
        host
        startedAt
      }
      database {
        kind
        bytes
        freeBytes
        temporaryFreeBytes
        connections {
          used
          limit
        }
        pools {
          name
          used
          idle
          waiting
        }
        responseMs
        isReadOnly
      }
      clock {
        databaseAheadMs
        journalAheadMs
      }
      email {
        server
        waiting
        failed
        respondedAt
        failedAt
        error
      }
      payments {
        provider
        isLive
        lastEventAt
        stuckEvents
        respondedAt
        failedAt
        error
      }
      webhooks {
        proxy
        waiting
        paused
        failed
        disabled
        respondedAt
        failedAt
        error
      }
      jobs {
        name
        startedAt
        durationMs
        failedAt
        error
        nextRunAt
        isFailing
        isLate
      }
      displays {
        online
        stale
        offline
      }
      backups {
        last {
          way
          at
          bytes
          durationMs
          file
        }
        isArchiveFailing
        maxAgeDays
        directory
        keep
      }
      retention {
        key
        title
        description
        days
      }
    }
  }
`);

const REFRESH_INTERVAL_MS = 10_000;

export const useSystemStatus = () =>
  useQuery({
    queryKey: ['system-status'],
    queryFn: async () => (await request(SYSTEM_STATUS_QUERY)).systemStatus,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
