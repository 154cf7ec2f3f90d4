import { Alert, Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { IconDown, IconRight } from '../../ui/icons.tsx';

interface TicketGroup {
  id: string;
  name: string;
  count: number;
}

interface Props {
  groups: TicketGroup[];
  attendees: Record<string, AttendeeValues[]>;
  error: string | undefined;
  onChange: (people: Record<string, AttendeeValues[]>) => void;
}

/** Nobody must be named: whatever is left empty is the buyer's, and can be changed later. */
export function AttendeeFields({ groups, attendees, error, onChange }: Props) {
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
        {groups.flatMap(({ id, name, count }) =>
          padAttendees(attendees[id] ?? [], count).map((person, at) => {
            const words = count === 1 ? name : `${name} ${at + 1}`;
            const change = (changes: Partial<AttendeeValues>) =>
              onChange({
                ...attendees,
                [id]: padAttendees(
                  attendees[id] ?? [],
                  Math.max(count, attendees[id]?.length ?? 0),
                ).map((one, n) => (n === at ? { ...one, ...changes } : one)),
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

/** Who comes, as far as it was filled in. */
export interface AttendeeValues {
  name: string;
  email: string;
}

const EMPTY_ATTENDEE: AttendeeValues = { name: '', email: '' };

/** As many as there are tickets, whatever has been filled in so far. */
const padAttendees = (people: AttendeeValues[], count: number): AttendeeValues[] =>
  Array.from({ length: count }, (_, at) => people[at] ?? EMPTY_ATTENDEE);

/** Those left out are the buyer's; null where nobody was named. */
export function toAttendees(people: AttendeeValues[], count: number, buyer: AttendeeValues) {
  const all = padAttendees(people, count);
  if (all.every(({ name }) => name.trim() === '')) return null;
  return all.map(({ name, email }) =>
    name.trim() ? { name: name.trim(), email: email.trim() || null } : buyer,
  );
}
