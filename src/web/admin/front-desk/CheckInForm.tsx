import { Alert, Button, Divider, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { v4 } from 'uuid';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { toLimitProps } from '../../components/input-values.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import type { CheckInInput } from '../../gql/graphql.ts';
import { MemberSelect } from '../members/MemberSelect.tsx';
import { type CheckIn, type Occupancy, useCheckIn } from './queries.ts';
import { RESULT_ADVICE, RESULT_LABELS } from './result-labels.ts';

interface Props {
  locations: Occupancy[];
  selectedId: string | null;
}

/** Checks in a person by code, or a member by name. */
export function CheckInForm({ locations, selectedId }: Props) {
  const canSearch = can(useStaffViewer(), 'members:read');
  const [locationId, setLocationId] = useState(selectedId ?? locations[0]?.locationId ?? '');
  const [code, setCode] = useState('');
  const [member, setMember] = useState<{ id: string; name: string } | null>(null);
  const [submitted, setSubmitted] = useState<CheckInInput | null>(null);
  const checkIn = useCheckIn(() => {
    setCode('');
    setMember(null);
  });
  const submit = (credential: Omit<CheckInInput, 'locationId' | 'scanId'>) => {
    const input = { ...credential, locationId, scanId: v4() };
    setSubmitted(input);
    checkIn.mutate(input);
  };
  const submitCode = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') submit({ code: code.trim() });
  };
  const submitMember = (event: FormEvent) => {
    event.preventDefault();
    if (member) submit({ memberId: member.id });
  };
  const result = checkIn.data;
  return (
    <SectionCard title="Check in a guest">
      <Stack gap="sm">
        {locations.length > 1 && selectedId === null && (
          <Select
            label="Location"
            data={locations.map(({ locationId, locationName }) => ({
              value: locationId,
              label: locationName,
            }))}
            value={locationId}
            onChange={(id) => setLocationId(id ?? '')}
            allowDeselect={false}
            maw={280}
          />
        )}
        <SimpleGrid cols={{ base: 1, md: canSearch ? 2 : 1 }} spacing="lg">
          <form onSubmit={submitCode}>
            <Group align="flex-end" gap="xs">
              <TextInput
                flex="1 1 9rem"
                label="Code"
                placeholder="On a ticket, day pass or member card"
                {...toLimitProps('CheckInInput', 'code')}
                autoComplete="off"
                value={code}
                onChange={({ currentTarget: { value } }) => setCode(value)}
              />
              <Button type="submit" loading={checkIn.isPending && submitted?.code !== undefined}>
                Check in
              </Button>
            </Group>
          </form>
          {canSearch && (
            <form onSubmit={submitMember}>
              <Group align="flex-end" gap="xs">
                <div style={{ flex: '1 1 9rem' }}>
                  <MemberSelect value={member} onChange={setMember} />
                </div>
                <Button
                  type="submit"
                  disabled={member === null}
                  aria-label="Check in member"
                  loading={checkIn.isPending && submitted?.memberId !== undefined}
                >
                  Check in
                </Button>
              </Group>
            </form>
          )}
        </SimpleGrid>
        <FormError error={checkIn.error} />
        {result && submitted && (
          <CheckInResultNotice
            result={result}
            onReadmit={() => {
              const { locationId: _, scanId: __, ...credential } = submitted;
              submit({ ...credential, readmit: true });
            }}
            onAdmitDisputed={
              submitted.admitDisputed
                ? null
                : () => {
                    const { locationId: _, scanId: __, ...credential } = submitted;
                    submit({ ...credential, admitDisputed: true });
                  }
            }
          />
        )}
      </Stack>
    </SectionCard>
  );
}

/** In lists, this result means a check-out. After a check-in, it means that the code was used before. */
const ALREADY_USED_LABEL = ['orange', 'Already used'] as const;
const DISPUTED_LABEL = ['orange', 'Payment disputed'] as const;

interface NoticeProps {
  result: CheckIn;
  onReadmit: () => void;
  /** Null after staff have tried it. */
  onAdmitDisputed: (() => void) | null;
}

function CheckInResultNotice({ result, onReadmit, onAdmitDisputed }: NoticeProps) {
  const isDisputed = result.disputed && result.result === 'UNPAID';
  const [color, message] = chooseLabel(result, isDisputed);
  const name = [result.label, result.subject?.title].filter(Boolean).join(', ');
  return (
    <>
      <Divider />
      <Alert color={color} role="status" title={name ? `${message}: ${name}` : message}>
        {isDisputed ? formatDisputeAdvice(onAdmitDisputed !== null) : RESULT_ADVICE[result.result]}
        {result.result === 'CHECKED_OUT' && <NoticeButton label="Readmit" onClick={onReadmit} />}
        {isDisputed && onAdmitDisputed && <NoticeButton label="Admit" onClick={onAdmitDisputed} />}
      </Alert>
    </>
  );
}

function chooseLabel({ result }: CheckIn, isDisputed: boolean) {
  if (isDisputed) return DISPUTED_LABEL;
  return result === 'CHECKED_OUT' ? ALREADY_USED_LABEL : RESULT_LABELS[result];
}

const formatDisputeAdvice = (canTry: boolean) =>
  canTry
    ? 'The buyer asked their bank to return the money. Decide whether to admit them.'
    : 'The settings of the space reject people whose payment is disputed.';

const NoticeButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <div>
    <Button mt="sm" size="xs" variant="default" onClick={onClick}>
      {label}
    </Button>
  </div>
);
