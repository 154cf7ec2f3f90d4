import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { DateTime } from '../../components/browser-time.tsx';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { WebhookDeliveryState } from '../../gql/graphql.ts';
import { DeliveryLog } from './DeliveryLog.tsx';
import { useWebhookPage } from './delivery-queries.ts';
import { formatWebhookName, type Webhook } from './queries.ts';
import { WebhookActions } from './WebhookActions.tsx';
import { EventBadges, WebhookStatus } from './WebhookBadges.tsx';

export function WebhookPage() {
  const { webhookId = '' } = useParams();
  const [state, setState] = useState<WebhookDeliveryState | null>(null);
  const pages = useWebhookPage(webhookId, state);
  return (
    <>
      <BackLink to="/settings/webhooks">All webhooks</BackLink>
      <QueryBoundary query={{ ...pages, data: pages.firstPage?.webhook }} height={400}>
        {(webhook) => (
          <>
            <PageHeader
              title={formatWebhookName(webhook)}
              description="Sends events to another program. Failed deliveries are retried for three days."
              action={<WebhookActions webhook={webhook} />}
            />
            <Stack>
              <SectionCard title="Webhook">
                <WebhookDetails webhook={webhook} />
              </SectionCard>
              <DeliveryLog
                pages={pages}
                state={state}
                onState={setState}
                isDisabled={webhook.disabledAt !== null}
              />
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

const WebhookDetails = ({ webhook }: { webhook: Webhook }) => (
  <DescriptionList
    items={[
      ['URL', webhook.url],
      ['Status', <WebhookStatus key="state" webhook={webhook} />],
      ['Events', <EventBadges key="events" names={webhook.events} isExpanded />],
      [
        'Old secret',
        webhook.previousSecretUntil && <OldSecretExpiry until={webhook.previousSecretUntil} />,
      ],
      ['Owner', formatOwner(webhook)],
      ['Created', <DateTime key="created" at={webhook.createdAt} format="day" />],
    ]}
  />
);

/** A webhook has the permissions of its owner and stops without them. */
const formatOwner = ({ owner: { kind, name } }: Webhook) => {
  if (kind === 'SYSTEM') return 'Unknown (created before owners were recorded)';
  if (kind === 'TOKEN') return name === null ? 'A deleted API key' : `API key ${name}`;
  return name ?? 'A deleted person';
};

const OldSecretExpiry = ({ until }: { until: string }) =>
  new Date(until) > new Date() ? (
    <>
      Valid, expires <DateTime at={until} format="until" />
    </>
  ) : (
    <>
      Expired <DateTime at={until} format="since" />
    </>
  );
