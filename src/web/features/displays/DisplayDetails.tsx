import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Facts } from '../../ui/Facts.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { fullMomentOf } from '../../ui/time-words.ts';
import { kindName } from './kinds.ts';
import type { Display } from './queries.ts';
import { STATUS, uptimeWords } from './status-words.ts';

interface Props {
  display: Display;
  mayChange: boolean;
  onEdit: (display: Display) => void;
  onRotate: (display: Display) => void;
  onReplace: (display: Display) => void;
}

/** What one display tells of itself, how it came and went, and what may be done about it. */
export function DisplayDetails({ display, mayChange, ...on }: Props) {
  const { status, location, resource, kind, lastSeenAt, createdAt } = display;
  const [color, word] = STATUS[status];
  return (
    <Stack>
      <Facts
        of={[
          [
            'Status',
            <StateBadge key="status" color={color}>
              {word}
            </StateBadge>,
          ],
          ['Last seen', lastSeenAt ? <Moment key="seen" at={lastSeenAt} as="since" /> : 'Never'],
          ['Shows', [kindName(kind), resource?.name].filter(Boolean).join(', ')],
          ['Location', location.name],
          ['Version', display.appVersion],
          [
            'Running for',
            display.uptimeSeconds === null ? null : uptimeWords(display.uptimeSeconds),
          ],
          ['Battery', display.batteryPercent === null ? null : `${display.batteryPercent} %`],
          ['Token', `${display.tokenPrefix}…`],
          ['Added', <Moment key="added" at={createdAt} as="day" />],
        ]}
      />
      <section aria-label="How it came and went">
        <Title order={3} size="h5" mb={4}>
          How it came and went
        </Title>
        <History display={display} />
      </section>
      {mayChange && status !== 'REVOKED' && (
        <Group gap="sm">
          <Button variant="default" onClick={() => on.onEdit(display)}>
            Change
          </Button>
          <Button variant="default" onClick={() => on.onReplace(display)}>
            Replace the screen
          </Button>
          <Button variant="default" onClick={() => on.onRotate(display)}>
            New token
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function History({ display: { statusChanges } }: { display: Display }) {
  if (statusChanges.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing yet.
      </Text>
    );
  }
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.2em' }}>
      {statusChanges.map(({ at, was, status }) => (
        <li key={at}>
          <Text size="sm">
            <time dateTime={at}>{fullMomentOf(new Date(at))}</time>: {STATUS[was][1].toLowerCase()}{' '}
            to {STATUS[status][1].toLowerCase()}
          </Text>
        </li>
      ))}
    </ul>
  );
}
