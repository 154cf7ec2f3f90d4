import { Alert, Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { toLimitProps } from '../../components/input-values.ts';
import { getText } from '../../language/page-texts.ts';

interface TicketGroup {
  id: string;
  name: string;
  count: number;
}

interface Props {
  groups: TicketGroup[];
  attendees: Record<string, AttendeeValues[]>;
  error: string | undefined;
  onChange: (attendees: Record<string, AttendeeValues[]>) => void;
}

/** Names are optional. A ticket without a name is issued to the buyer and can be changed later. */
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
        leftSection={isShown ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        onClick={() => setIsOpen(!isShown)}
      >
        {getText('order.attendeeNames')}
      </Button>
      <Stack id={id} gap="sm" mt="xs" display={isShown ? 'flex' : 'none'}>
        {error && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          {getText('order.attendeeHelp')}
        </Text>
        {groups.flatMap(({ id, name, count }) =>
          padAttendees(attendees[id] ?? [], count).map((attendee, index) => {
            const label = count === 1 ? name : `${name} ${index + 1}`;
            const change = (changes: Partial<AttendeeValues>) =>
              onChange({
                ...attendees,
                [id]: padAttendees(
                  attendees[id] ?? [],
                  Math.max(count, attendees[id]?.length ?? 0),
                ).map((current, n) => (n === index ? { ...current, ...changes } : current)),
              });
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: tickets differ by number only
              <SimpleGrid key={`${id} ${index}`} cols={{ base: 1, xs: 2 }} spacing="xs">
                <TextInput
                  label={getText('order.nameOf', { label })}
                  {...toLimitProps('GuestInput', 'name')}
                  value={attendee.name}
                  onChange={({ currentTarget: { value } }) => change({ name: value })}
                />
                <TextInput
                  label={getText('page.optional', { label: getText('order.emailOf', { label }) })}
                  type="email"
                  {...toLimitProps('GuestInput', 'email')}
                  value={attendee.email}
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

export interface AttendeeValues {
  name: string;
  email: string;
}

const EMPTY_ATTENDEE: AttendeeValues = { name: '', email: '' };

/** Returns one entry per ticket, however many were filled in. */
const padAttendees = (attendees: AttendeeValues[], count: number): AttendeeValues[] =>
  Array.from({ length: count }, (_, index) => attendees[index] ?? EMPTY_ATTENDEE);

/** Fills in the buyer for tickets without a name. Returns null if no name was entered at all. */
export function toAttendees(attendees: AttendeeValues[], count: number, buyer: AttendeeValues) {
  const all = padAttendees(attendees, count);
  if (all.every(({ name }) => name.trim() === '')) return null;
  return all.map(({ name, email }) =>
    name.trim() ? { name: name.trim(), email: email.trim() || null } : buyer,
  );
}
