import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/DateTime.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { BackLink, PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { useWebhook, type Webhook } from './queries.ts';
import { WebhookActions } from './WebhookActions.tsx';
import { EventBadges, WebhookStatus } from './WebhookBadges.tsx';
import { formatWebhookName } from './webhook-form-values.ts';

export function WebhookPage() {
  const { webhookId = '' } = useParams();
  const canChange = can(useStaffViewer(), 'webhooks:write');
  const webhook = useWebhook(webhookId);
  return (
    <>
      <BackLink to="/settings/webhooks">All webhooks</BackLink>
      <QueryBoundary query={webhook} height={400}>
        {(webhook) => (
          <>
            <PageHeader
              title={formatWebhookName(webhook)}
              description="Sends events to another program. Failed deliveries are retried for three days."
              action={canChange && <WebhookActions webhook={webhook} />}
            />
            <Stack>
              <SectionCard title="Webhook">
                <WebhookDetails webhook={webhook} />
              </SectionCard>
              <DeliveryLog webhook={webhook} canChange={canChange} />
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
      ['Events', <EventBadges key="events" names={webhook.events} isWhole />],
      [
        'Old secret',
        webhook.previousSecretUntil && <OldSecretExpiry until={webhook.previousSecretUntil} />,
      ],
      ['Owner', formatOwner(webhook)],
      ['Created', <DateTime key="created" at={webhook.createdAt} format="day" />],
    ]}
  />
);

/** The webhook uses the permissions of its owner and stops when they end. */
const formatOwner = ({ owner: { kind, name } }: Webhook) => {
  if (kind === 'SYSTEM') return 'Unknown (created before owners were recorded)';
  if (kind === 'TOKEN') return name === null ? 'A deleted API key' : `API key ${name}`;
  return name ?? 'A deleted person';
};

const OldSecretExpiry = ({ until }: { until: string }) =>
  new Date(until) > new Date() ? (
    <>
      still signs, ends <DateTime at={until} format="until" />
    </>
  ) : (
    <>
      ended <DateTime at={until} format="since" />
    </>
  );
