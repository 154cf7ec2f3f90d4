import { Anchor, Text } from '@mantine/core';
import { Dialog } from '../ui/Dialog.tsx';
import { useDialog } from '../ui/use-dialog.ts';
import classes from './Kiosk.module.css';
import { PairLink } from './PairLink.tsx';
import type { Kiosk } from './queries.ts';
import { RefusedList } from './RefusedList.tsx';
import { useIdle } from './use-idle.ts';
import type { Pairing } from './use-pairing.ts';
import type { Uploads } from './use-uploads.ts';

const IDLE_SECONDS = 60;

interface Props {
  kiosk: Kiosk;
  pairing: Pairing;
  uploads: Uploads;
  isAtStart: boolean;
}

/** What staff looks for, and guests need not read. */
export function Corner({ kiosk, pairing, uploads: { refused, clear }, isAtStart }: Props) {
  const list = useDialog();
  useIdle(IDLE_SECONDS, list.close);
  const isOffered = isAtStart && pairing.token === null;
  const hasRefused = isAtStart && refused.length > 0;
  return (
    <div className={classes.corner}>
      {hasRefused && (
        <Anchor component="button" type="button" size="sm" onClick={() => list.open(true)}>
          For the front desk: {refused.length} noted offline {refused.length === 1 ? 'was' : 'were'}{' '}
          not good
        </Anchor>
      )}
      {isOffered && pairing.wasRefused && (
        <Text span size="sm" c="dimmed">
          Not paired any more.
        </Text>
      )}
      {isOffered && <PairLink place={kiosk.locationId} />}
      <Dialog state={list} title="Noted offline, and not good">
        {() => (
          <RefusedList
            refused={refused}
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
