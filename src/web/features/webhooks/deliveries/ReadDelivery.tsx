import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Facts } from '../../../ui/Facts.tsx';
import { FormFailure } from '../../../ui/FormFailure.tsx';
import { Moment } from '../../../ui/Moment.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Attempts } from './Attempts.tsx';
import { DeliveryState } from './DeliveryState.tsx';
import { type Delivery, useReplay } from './queries.ts';

interface Props {
  delivery: Delivery;
  isDisabled: boolean;
  mayReplay: boolean;
  onClose: () => void;
}

export function ReadDelivery({ delivery, isDisabled, mayReplay, onClose }: Props) {
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
