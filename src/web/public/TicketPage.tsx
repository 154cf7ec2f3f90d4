import { Alert, Center, Image, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import QRCode from 'qrcode';
import { useLocation } from 'react-router';
import { toApiError } from '../api/errors.ts';
import { request } from '../api/request.ts';
import { DescriptionList } from '../components/DescriptionList.tsx';
import { formatExactDateTimeRange } from '../components/format-ambiguous-time.ts';
import { formatLongDate, formatTimeZone } from '../components/format-local-time.ts';
import { PageHeader } from '../components/PageHeader.tsx';
import { QueryBoundary } from '../components/QueryBoundary.tsx';
import type { AdmissionQuery } from '../gql/graphql.ts';
import { graphql } from '../gql/index.ts';
import classes from './TicketPage.module.css';

const MAX_CODE_LENGTH = 64;

/** The code stays behind the #, out of the logs of whatever stands between. */
export function Component() {
  const code = decodeCode(useLocation().hash.replace(/^#/, ''));
  if (code === '' || code.length > MAX_CODE_LENGTH) {
    return (
      <PageHeader
        title="This link is incomplete"
        description="Its code is missing. Open the link in your mail again, or copy the whole of it."
      />
    );
  }
  return <TicketByCode code={code} />;
}

function TicketByCode({ code }: { code: string }) {
  const admission = useAdmission(code);
  // Also where it was shown as good before: it may have been given away since.
  if (admission.error && toApiError(admission.error).code === 'NOT_FOUND') return <InvalidTicket />;
  return (
    <QueryBoundary query={admission} height={420}>
      {(admission) => <Ticket admission={admission} />}
    </QueryBoundary>
  );
}

function Ticket({ admission }: { admission: TicketAdmission }) {
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
      <DescriptionList
        items={[
          ['What', event?.title ?? null],
          ['When', formatValidTime(admission)],
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
function formatValidTime({ event, validOn, timeZone }: TicketAdmission): string | null {
  if (event)
    return `${formatExactDateTimeRange(event.startsAt, event.endsAt, timeZone)} (${formatTimeZone(timeZone)})`;
  return validOn && formatLongDate(validOn);
}

const InvalidTicket = () => (
  <>
    <PageHeader title="Not a ticket" description="Nobody is let in by this link." />
    <Alert color="orange" role="alert">
      This code is not valid: it may have been given to somebody else, or mistyped.
    </Alert>
  </>
);

function decodeCode(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return '';
  }
}

/** Drawn here: no address of a picture carries the code. */
export function QrCode({ code }: { code: string }) {
  const picture = useQuery({
    queryKey: ['qr', code],
    queryFn: async () => {
      const svg = await QRCode.toString(code, { type: 'svg', margin: 2 });
      return `data:image/svg+xml,${encodeURIComponent(svg)}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryBoundary query={picture} height={320}>
      {(src) => (
        <Center>
          <figure className={classes.ticket}>
            <Image src={src} alt={`QR code of ${code}`} className={classes.qr ?? ''} />
            <Text component="figcaption" className={classes.code ?? ''}>
              {code}
            </Text>
          </figure>
        </Center>
      )}
    </QueryBoundary>
  );
}

export type TicketAdmission = AdmissionQuery['admission'];

const ADMISSION_QUERY = graphql(`
  query Admission($code: String!) {
    admission(code: $code) {
      code
      status
      holderName
      typeName
      event {
        slug
        title
        startsAt
        endsAt
      }
      validOn
      timeZone
      placeName
      address
    }
  }
`);

export const useAdmission = (code: string) =>
  useQuery({
    queryKey: ['admission', code],
    queryFn: async ({ signal }) => (await request(ADMISSION_QUERY, { code }, signal)).admission,
    refetchOnWindowFocus: 'always',
  });
