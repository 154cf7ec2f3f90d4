import { Badge, Group } from '@mantine/core';
import { eventTitle } from './event-words.ts';

const SHOWN = 3;

export function EventNames({ names, isWhole }: { names: string[]; isWhole?: boolean }) {
  const shown = isWhole || names.length <= SHOWN + 1 ? names : names.slice(0, SHOWN);
  return (
    <Group gap={6}>
      {shown.map((name) => (
        <Badge key={name} variant="light" tt="none">
          {eventTitle(name)}
        </Badge>
      ))}
      {shown.length < names.length && <span>and {names.length - shown.length} more</span>}
    </Group>
  );
}
