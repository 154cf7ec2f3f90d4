import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Facts } from '../../../ui/Facts.tsx';
import { FormFailure } from '../../../ui/FormFailure.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Moment } from '../../../ui/Moment.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Attempts } from './Attempts.tsx';
import { DeliveryState } from './DeliveryState.tsx';
import { type FullDelivery, useDelivery, useReplay } from './queries.ts';

interface Props {
  isDisabled: boolean;
  mayReplay: boolean;
  onClose: () => void;
}

/** Follows one that is on its way. */
export const ReadDelivery = ({ id, ...props }: Props & { id: string }) => (
  <Loaded query={useDelivery(id)} height={320}>
    {(delivery) => <Shown delivery={delivery} {...props} />}
  </Loaded>
);

function Shown({ delivery, isDisabled, mayReplay, onClose }: Props & { delivery: FullDelivery }) {
  const replay = useReplay(() => {
    notifyDone('It is sent again, with the same webhook-id.');
    onClose();
  });
  const { id, messageId, createdAt, attempts, body } = delivery;
  return (
    <Stack>
      <FormFailure error={replay.error} />
      <Facts
        of={[
          ['State', <DeliveryState key="state" delivery={delivery} isDisabled={isDisabled} />],
          ['Happened', <Moment key="created" at={createdAt} as="since" />],
          ['webhook-id', messageId],
        ]}
      />
      <Title order={3} size="h6">
        Attempts
      </Title>
      <Attempts attempts={attempts} />
      <Title order={3} size="h6">
        Message
      </Title>
      {body === null ? (
        <Text size="sm" c="dimmed">
          You may not read what this is about.
        </Text>
      ) : (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {JSON.stringify(JSON.parse(body), null, 2)}
        </Code>
      )}
      {mayReplay && (
        <Group justify="flex-end">
          {isDisabled ? (
            <Text size="sm" c="dimmed">
              Enable the webhook to send this again.
            </Text>
          ) : (
            <Button loading={replay.isPending} onClick={() => replay.mutate(id)}>
              Send again
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}
