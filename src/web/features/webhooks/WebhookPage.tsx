import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Deliveries } from './deliveries/Deliveries.tsx';
import { EventNames } from './EventNames.tsx';
import { useWebhook, type Webhook } from './queries.ts';
import { WebhookActions } from './WebhookActions.tsx';
import { WebhookState } from './WebhookState.tsx';
import { nameOf } from './webhook-form.ts';

export function WebhookPage() {
  const { webhookId = '' } = useParams();
  const mayChange = may(useStaff(), 'webhooks:write');
  const webhook = useWebhook(webhookId);
  return (
    <>
      <BackLink to="/settings/webhooks">All webhooks</BackLink>
      <Loaded query={webhook} height={400}>
        {(webhook) => (
          <>
            <PageHeader
              title={nameOf(webhook)}
              description="Is told what happens here. Messages that are not taken are sent again for three days, less and less often."
              action={mayChange && <WebhookActions webhook={webhook} />}
            />
            <Stack>
              <Panel title="Webhook">
                <WebhookFacts webhook={webhook} />
              </Panel>
              <Deliveries webhook={webhook} mayChange={mayChange} />
            </Stack>
          </>
        )}
      </Loaded>
    </>
  );
}

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <Facts
    of={[
      ['Address', webhook.url],
      ['State', <WebhookState key="state" webhook={webhook} />],
      ['Is told of', <EventNames key="events" names={webhook.events} isWhole />],
      [
        'Old secret',
        webhook.previousSecretUntil && <OldSecret until={webhook.previousSecretUntil} />,
      ],
      ['Owner', ownerWords(webhook)],
      ['Created', <Moment key="created" at={webhook.createdAt} as="day" />],
    ]}
  />
);

/** Its rights are used: the webhook stops when they end. */
const ownerWords = ({ owner: { kind, name } }: Webhook) => {
  if (kind === 'SYSTEM') return 'Nobody: it is from before owners were recorded';
  if (kind === 'TOKEN') return name === null ? 'A deleted API token' : `The API token ${name}`;
  return name ?? 'A deleted person';
};

const OldSecret = ({ until }: { until: string }) =>
  new Date(until) > new Date() ? (
    <>
      signs, too, and ends <Moment at={until} as="until" />
    </>
  ) : (
    <>
      ended <Moment at={until} as="since" />
    </>
  );
