import { Alert, Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { IconDown, IconRight } from '../../ui/icons.tsx';
import { type Person, seats } from './people.ts';

export interface Party {
  id: string;
  name: string;
  count: number;
}

interface Props {
  parties: Party[];
  people: Record<string, Person[]>;
  error: string | undefined;
  onChange: (people: Record<string, Person[]>) => void;
}

/** Nobody must be named: whatever is left empty is the buyer's, and can be changed later. */
export function WhoComes({ parties, people, error, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const isShown = isOpen || error !== undefined;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        aria-expanded={isShown}
        aria-controls={id}
        leftSection={isShown ? <IconDown size={16} /> : <IconRight size={16} />}
        onClick={() => setIsOpen(!isShown)}
      >
        Who comes? (optional)
      </Button>
      <Stack id={id} gap="sm" mt="xs" display={isShown ? 'flex' : 'none'}>
        {error && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          What you leave empty is written to you. You can change it until the end.
        </Text>
        {parties.flatMap(({ id, name, count }) =>
          seats(people[id] ?? [], count).map((person, at) => {
            const words = count === 1 ? name : `${name} ${at + 1}`;
            const change = (changes: Partial<Person>) =>
              onChange({
                ...people,
                [id]: seats(people[id] ?? [], Math.max(count, people[id]?.length ?? 0)).map(
                  (one, n) => (n === at ? { ...one, ...changes } : one),
                ),
              });
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its number
              <SimpleGrid key={`${id} ${at}`} cols={{ base: 1, xs: 2 }} spacing="xs">
                <TextInput
                  label={`Name: ${words}`}
                  maxLength={100}
                  value={person.name}
                  onChange={({ currentTarget: { value } }) => change({ name: value })}
                />
                <TextInput
                  label={`E-mail: ${words} (optional)`}
                  type="email"
                  maxLength={254}
                  value={person.email}
                  onChange={({ currentTarget: { value } }) => change({ email: value })}
                />
              </SimpleGrid>
            );
          }),
        )}
      </Stack>
    </div>
  );
}
