import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { RESULT_LABELS } from '../admin/front-desk/result-labels.ts';
import { Confirmation, Dialog, useDialog } from '../components/Dialog.tsx';
import { formatLocalDate, formatLocalTime } from '../components/format-local-time.ts';
import classes from './Kiosk.module.css';
import type { RejectedScan } from './kiosk-storage.ts';
import type { OfflineQueue } from './offline-queue.ts';
import { PairLink } from './PairLink.tsx';
import type { Kiosk } from './queries.ts';
import { useIdle } from './use-idle.ts';
import type { KioskPairing } from './use-kiosk-pairing.ts';

const STAFF_MENU_TIMEOUT_SECONDS = 60;

interface StaffMenuProps {
  kiosk: Kiosk;
  pairing: KioskPairing;
  queue: OfflineQueue;
  isAtStart: boolean;
}

/** What staff looks for, and guests need not read. */
export function StaffMenu({
  kiosk,
  pairing,
  queue: { rejected, clear },
  isAtStart,
}: StaffMenuProps) {
  const list = useDialog();
  useIdle(STAFF_MENU_TIMEOUT_SECONDS, list.close);
  const isOffered = isAtStart && pairing.token === null;
  const hasRefused = isAtStart && rejected.length > 0;
  return (
    <div className={classes.corner}>
      {hasRefused && (
        <Anchor component="button" type="button" size="sm" onClick={() => list.open(true)}>
          For the front desk: {rejected.length} noted offline{' '}
          {rejected.length === 1 ? 'was' : 'were'} not good
        </Anchor>
      )}
      {isOffered && pairing.wasRevoked && (
        <Text span size="sm" c="dimmed">
          Not paired any more.
        </Text>
      )}
      {isOffered && <PairLink place={kiosk.locationId} />}
      <Dialog state={list} title="Noted offline, and not good">
        {() => (
          <RejectedScanList
            rejected={rejected}
            timeZone={kiosk.timeZone}
            onClear={() => {
              clear();
              list.close();
            }}
          />
        )}
      </Dialog>
    </div>
  );
}

interface RejectedScanListProps {
  rejected: RejectedScan[];
  timeZone: string;
  onClear: () => void;
}

/** Whom the kiosk let pass while it could not ask, and what it was told later. */
const RejectedScanList = ({ rejected, timeZone, onClear }: RejectedScanListProps) => (
  <Stack>
    <Text size="sm" c="dimmed">
      These codes were taken while there was no connection. When they were sent, this came of them.
    </Text>
    <ul className={classes.refused} aria-label="Noted offline, and not good">
      {rejected.map(({ scanId, occurredAt, leaving, result, label, why }) => (
        <li key={scanId}>
          <b>{result === null ? 'Not recorded, and told only here' : RESULT_LABELS[result][1]}</b>
          {label !== null && `, ${label}`}
          {leaving && ', on leaving'}
          <Text size="sm" c="dimmed">
            <time dateTime={occurredAt}>
              {formatLocalDate(occurredAt, timeZone)}, {formatLocalTime(occurredAt, timeZone)}
            </time>
            {why !== null && `: ${why}`}
          </Text>
        </li>
      ))}
    </ul>
    <ClearList onClear={onClear} />
  </Stack>
);

/** Anybody may stand here, and the list is not kept anywhere else. */
function ClearList({ onClear }: Pick<RejectedScanListProps, 'onClear'>) {
  const [isAsked, setIsAsked] = useState(false);
  return isAsked ? (
    <Confirmation
      label="Clear it"
      cancelLabel="Keep it"
      onCancel={() => setIsAsked(false)}
      onConfirm={onClear}
      pending={false}
      error={null}
    >
      Clear it? It cannot be brought back: do so only when the front desk has seen it.
    </Confirmation>
  ) : (
    <Button variant="default" onClick={() => setIsAsked(true)}>
      Clear the list
    </Button>
  );
}
