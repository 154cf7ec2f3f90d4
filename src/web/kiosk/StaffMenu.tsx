import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { formatLocalDate, formatLocalTime } from '../../core/time/format.ts';
import { RESULT_LABELS } from '../admin/front-desk/result-labels.ts';
import { Confirmation, Dialog, useDialog } from '../components/Dialog.tsx';
import { getText } from '../language/page-texts.ts';
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

/** Shows staff the rejected offline scans and the pairing link. */
export function StaffMenu({
  kiosk,
  pairing,
  queue: { rejected, clear },
  isAtStart,
}: StaffMenuProps) {
  const list = useDialog();
  useIdle(STAFF_MENU_TIMEOUT_SECONDS, list.close);
  const canPair = isAtStart && pairing.token === null;
  const hasRejected = isAtStart && rejected.length > 0;
  return (
    <div className={classes.staffMenu}>
      {hasRejected && (
        <Anchor component="button" type="button" size="sm" onClick={() => list.open(true)}>
          {getText('kiosk.rejectedScans', { count: rejected.length })}
        </Anchor>
      )}
      {canPair && pairing.wasRevoked && (
        <Text span size="sm" c="dimmed">
          {getText('kiosk.notPaired')}
        </Text>
      )}
      {canPair && <PairLink location={kiosk.locationId} />}
      <Dialog state={list} title="Rejected offline scans">
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

/** For staff, so it is in English. Lists the guests who were let in while the kiosk was offline, and why the service rejected their codes later. */
const RejectedScanList = ({ rejected, timeZone, onClear }: RejectedScanListProps) => (
  <Stack>
    <Text size="sm" c="dimmed">
      The kiosk accepted these codes while it was offline. They were rejected when it sent them.
    </Text>
    <ul className={classes.rejected} aria-label="Rejected offline scans">
      {rejected.map(({ scanId, occurredAt, leaving, result, label, why }) => (
        <li key={scanId}>
          <b>{result === null ? 'Not recorded, shown only here' : RESULT_LABELS[result][1]}</b>
          {label !== null && `, ${label}`}
          {leaving && ', checking out'}
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

/** Asks for confirmation, because guests can reach this button and the list is stored only on this device. */
function ClearList({ onClear }: Pick<RejectedScanListProps, 'onClear'>) {
  const [isConfirming, setIsConfirming] = useState(false);
  return isConfirming ? (
    <Confirmation
      label="Clear list"
      cancelLabel="Keep list"
      onCancel={() => setIsConfirming(false)}
      onConfirm={onClear}
      pending={false}
      error={null}
    >
      Has the front desk seen this list? Once cleared, it can’t be restored.
    </Confirmation>
  ) : (
    <Button variant="default" onClick={() => setIsConfirming(true)}>
      Clear the list
    </Button>
  );
}
