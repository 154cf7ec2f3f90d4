import { Alert, Center, Image, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import QRCode from 'qrcode';
import { useLocation } from 'react-router';
import { toApiError } from '../api/errors.ts';
import { request } from '../api/request.ts';
import { DescriptionList, PageHeader } from '../components/PageLayout.tsx';
import { QueryBoundary } from '../components/QueryBoundary.tsx';
import type { AdmissionQuery } from '../gql/graphql.ts';
import { graphql } from '../gql/index.ts';
import { formatLongTimeRange, formatOpenDay } from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';
import classes from './TicketPage.module.css';

const MAX_CODE_LENGTH = 64;

/** The code is in the URL fragment, which is not sent to servers and so stays out of logs. */
export function Component() {
  const code = decodeCode(useLocation().hash.replace(/^#/, ''));
  if (code === '' || code.length > MAX_CODE_LENGTH) {
    return (
      <PageHeader
        title={getText('ticket.linkIncomplete')}
        description={getText('ticket.linkIncompleteHelp')}
      />
    );
  }
  return <TicketByCode code={code} />;
}

function TicketByCode({ code }: { code: string }) {
  const admission = useAdmission(code);
  // Replaces a ticket that was valid before, since it may have been transferred.
  if (admission.error && toApiError(admission.error).code === 'NOT_FOUND') return <InvalidTicket />;
  return (
    <QueryBoundary query={admission} height={420}>
      {(admission) => <Ticket admission={admission} />}
    </QueryBoundary>
  );
}

function Ticket({ admission }: { admission: TicketAdmission }) {
  const { code, status, event, holderName, typeName, placeName, roomName, address } = admission;
  const isValid = status === 'VALID';
  return (
    <Stack gap="lg">
      <PageHeader
        title={getText(event ? 'ticket.yourTicket' : 'ticket.yourPass')}
        description={isValid ? getText('ticket.show') : getText('ticket.invalid')}
      />
      {!isValid && (
        <Alert color="red" role="status" title={getText('order.cancelledItem')}>
          {getText(event ? 'ticket.ticketCancelled' : 'ticket.passCancelled')}
        </Alert>
      )}
      <DescriptionList
        items={[
          [getText('ticket.event'), event?.title ?? null],
          [getText('event.when'), formatValidTime(admission)],
          [getText('event.where'), [placeName, roomName, address].filter(Boolean).join(', ')],
          [getText('order.name'), holderName],
          [getText('ticket.type'), typeName],
        ]}
      />
      {isValid && <QrCode code={code} />}
    </Stack>
  );
}

/** Formats the time in the location's time zone and always names it, since the holder may be in another one. */
function formatValidTime({
  event,
  validOn,
  timeZone,
  openingTimes,
}: TicketAdmission): string | null {
  if (event) return formatLongTimeRange(event.startsAt, event.endsAt, timeZone);
  return validOn ? formatOpenDay(validOn, openingTimes) : '';
}

const InvalidTicket = () => (
  <>
    <PageHeader title={getText('ticket.notFound')} description={getText('ticket.notFoundHelp')} />
    <Alert color="orange" role="alert">
      {getText('ticket.codeInvalid')}
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

/** Rendered in the browser, so that no image URL contains the code. */
export function QrCode({ code }: { code: string }) {
  const image = useQuery({
    queryKey: ['qr', code],
    queryFn: async () => {
      const svg = await QRCode.toString(code, { type: 'svg', margin: 2 });
      return `data:image/svg+xml,${encodeURIComponent(svg)}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryBoundary query={image} height={320}>
      {(src) => (
        <Center>
          <figure className={classes.ticket}>
            <Image src={src} alt={getText('order.qrCode', { code })} className={classes.qr ?? ''} />
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
      roomName
      address
      openingTimes {
        opens
        closes
      }
    }
  }
`);

export const useAdmission = (code: string) =>
  useQuery({
    queryKey: ['admission', code],
    queryFn: async ({ signal }) => (await request(ADMISSION_QUERY, { code }, signal)).admission,
    refetchOnWindowFocus: 'always',
  });
