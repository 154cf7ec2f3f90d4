import { Alert, Stack } from '@mantine/core';
import { useLocation } from 'react-router';
import { asApiError } from '../../api/errors.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { longDayWords, zoneWords } from '../../ui/place-words.ts';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { QrCode } from './QrCode.tsx';
import { type Admission, useAdmission } from './queries.ts';

const LONGEST = 64;

/** The code stays behind the #, out of the logs of whatever stands between. */
export function Component() {
  const code = decoded(useLocation().hash.replace(/^#/, ''));
  if (code === '' || code.length > LONGEST) {
    return (
      <PageHeader
        title="This link is incomplete"
        description="Its code is missing. Open the link in your mail again, or copy the whole of it."
      />
    );
  }
  return <OfCode code={code} />;
}

function OfCode({ code }: { code: string }) {
  const admission = useAdmission(code);
  // Also where it was shown as good before: it may have been given away since.
  if (admission.error && asApiError(admission.error).code === 'NOT_FOUND') return <NotValid />;
  return (
    <Loaded query={admission} height={420}>
      {(admission) => <Ticket admission={admission} />}
    </Loaded>
  );
}

function Ticket({ admission }: { admission: Admission }) {
  const { code, status, event, holderName, typeName, placeName, address } = admission;
  const isValid = status === 'VALID';
  const noun = event ? 'ticket' : 'day pass';
  return (
    <Stack gap="lg">
      <PageHeader
        title={`Your ${noun}`}
        description={isValid ? 'Show this at the door.' : 'It is no longer good.'}
      />
      {!isValid && (
        <Alert color="red" role="status" title="Cancelled">
          This {noun} was cancelled and lets nobody in.
        </Alert>
      )}
      <Facts
        of={[
          ['What', event?.title ?? null],
          ['When', whenOf(admission)],
          ['Where', [placeName, address].filter(Boolean).join(', ')],
          ['For', holderName],
          ['Kind', typeName],
        ]}
      />
      {isValid && <QrCode code={code} />}
    </Stack>
  );
}

/** By the clocks of the place, whose zone is always named: the holder may look from anywhere. */
function whenOf({ event, validOn, timeZone }: Admission): string | null {
  if (event)
    return `${exactSpanIn(event.startsAt, event.endsAt, timeZone)} (${zoneWords(timeZone)})`;
  return validOn && longDayWords(validOn);
}

const NotValid = () => (
  <>
    <PageHeader title="Not a ticket" description="Nobody is let in by this link." />
    <Alert color="orange" role="alert">
      This code is not valid: it may have been given to somebody else, or mistyped.
    </Alert>
  </>
);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return '';
  }
}
