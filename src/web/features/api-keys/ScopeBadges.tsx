import { Badge, Group, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { ALL_SCOPES, byNoun, nounTitle } from './scope-words.ts';

const SHOWN_AT_FIRST = 3;

export function ScopeBadges({ scopes }: { scopes: string[] }) {
  const [isWhole, setIsWhole] = useState(false);
  if (scopes.includes(ALL_SCOPES)) return <Badge variant="light">Everything</Badge>;
  const access = byNoun(scopes);
  const isLong = access.length > SHOWN_AT_FIRST + 1;
  const shown = isLong && !isWhole ? access.slice(0, SHOWN_AT_FIRST) : access;
  return (
    <Group gap={6}>
      {shown.map(({ noun, verbs }) => (
        <Badge key={noun} variant="light" color={verbs.includes('write') ? 'indigo' : 'gray'}>
          {nounTitle(noun)}: {verbs.join(' + ')}
        </Badge>
      ))}
      {isLong && (
        <UnstyledButton
          fz="xs"
          td="underline"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'fewer' : `${access.length - SHOWN_AT_FIRST} more`}
        </UnstyledButton>
      )}
    </Group>
  );
}
