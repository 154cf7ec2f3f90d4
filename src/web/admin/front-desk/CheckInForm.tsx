import { Alert, Button, Divider, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { v4 } from 'uuid';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import type { CheckInInput } from '../../gql/graphql.ts';
import { MemberSelect } from '../members/MemberSelect.tsx';
import { type CheckIn, type Occupancy, useCheckIn } from './queries.ts';
import { RESULT_ADVICE, RESULT_LABELS } from './result-labels.ts';

interface Props {
  places: Occupancy[];
  chosen: string | null;
}

/** By the code that somebody shows, or by who they are. */
export function CheckInForm({ places, chosen }: Props) {
  const canSearch = can(useStaffViewer(), 'members:read');
  const [placeId, setPlaceId] = useState(chosen ?? places[0]?.locationId ?? '');
  const [code, setCode] = useState('');
  const [member, setMember] = useState<{ id: string; name: string } | null>(null);
  const [asked, setAsked] = useState<CheckInInput | null>(null);
  const checkIn = useCheckIn(() => {
    setCode('');
    setMember(null);
  });
  const ask = (presented: Omit<CheckInInput, 'locationId' | 'scanId'>) => {
    const input = { ...presented, locationId: placeId, scanId: v4() };
    setAsked(input);
    checkIn.mutate(input);
  };
  const onCode = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') ask({ code: code.trim() });
  };
  const onMember = (event: FormEvent) => {
    event.preventDefault();
    if (member) ask({ memberId: member.id });
  };
  const result = checkIn.data;
  return (
    <SectionCard title="Check somebody in">
      <Stack gap="sm">
        {places.length > 1 && chosen === null && (
          <Select
            label="At"
            data={places.map(({ locationId, locationName }) => ({
              value: locationId,
              label: locationName,
            }))}
            value={placeId}
            onChange={(id) => setPlaceId(id ?? '')}
            allowDeselect={false}
            maw={280}
          />
        )}
        <SimpleGrid cols={{ base: 1, md: canSearch ? 2 : 1 }} spacing="lg">
          <form onSubmit={onCode}>
            <Group align="flex-end" gap="xs" wrap="nowrap">
              <TextInput
                flex={1}
                label="Code"
                placeholder="Of a ticket, a day pass or a member"
                maxLength={64}
                autoComplete="off"
                value={code}
                onChange={({ currentTarget: { value } }) => setCode(value)}
              />
              <Button type="submit" loading={checkIn.isPending && asked?.code !== undefined}>
                Check in
              </Button>
            </Group>
          </form>
          {canSearch && (
            <form onSubmit={onMember}>
              <Group align="flex-end" gap="xs" wrap="nowrap">
                <div style={{ flex: 1 }}>
                  <MemberSelect value={member} onChange={setMember} />
                </div>
                <Button
                  type="submit"
                  disabled={member === null}
                  aria-label="Check the member in"
                  loading={checkIn.isPending && asked?.memberId !== undefined}
                >
                  Check in
                </Button>
              </Group>
            </form>
          )}
        </SimpleGrid>
        <FormError error={checkIn.error} />
        {result && asked && (
          <CheckInResultNotice
            result={result}
            onReadmit={() => {
              const { locationId: _, scanId: __, ...presented } = asked;
              ask({ ...presented, readmit: true });
            }}
          />
        )}
      </Stack>
    </SectionCard>
  );
}

/** Of who wants to come in; in the list it is also said of who left. */
const USED_BEFORE_LABEL = ['orange', 'Used before'] as const;

function CheckInResultNotice({ result, onReadmit }: { result: CheckIn; onReadmit: () => void }) {
  const [color, words] =
    result.result === 'CHECKED_OUT' ? USED_BEFORE_LABEL : RESULT_LABELS[result.result];
  const who = [result.label, result.subject?.title].filter(Boolean).join(', ');
  return (
    <>
      <Divider />
      <Alert color={color} role="status" title={who ? `${words}: ${who}` : words}>
        {RESULT_ADVICE[result.result]}
        {result.result === 'CHECKED_OUT' && (
          <div>
            <Button mt="sm" size="xs" variant="default" onClick={onReadmit}>
              Let them in again
            </Button>
          </div>
        )}
      </Alert>
    </>
  );
}
