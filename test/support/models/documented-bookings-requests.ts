import type { Credential } from '../clients/api.ts';
import type { Booked, BookingRequest, Decision } from './documented-bookings.ts';
import type { Stage } from './documented-bookings-stage.ts';
import { toDay, toMonth, toTime } from './documented-bookings-time.ts';

/** The requests with which the service is compared to the model of the documented booking rules. */

const PREVIEW = `allowed status price { amount } reasons { reason } lines { kind minutes amount discountPercent }
  alternatives { startsAt endsAt } freeCancellationUntil`;
const BOOKING =
  'id status startsAt endsAt price { amount } checkedInAt cancellation { fee { amount } }';

/** An outcome of any request: the error's code and reasons, or the fields. */
export interface Outcome {
  error: { code: string; reason: string; reasons: string[] | null } | null;
  // biome-ignore lint/suspicious/noExplicitAny: every request reads other fields
  value: any;
  alternatives: { startsAt: string; endsAt: string }[] | null;
}

async function ask(
  { app }: Pick<Stage, 'app'>,
  as: Credential,
  document: string,
  variables: object,
): Promise<Outcome> {
  const { data, errors } = await app.graphql(document, variables, as);
  const [error] = errors;
  if (!error) {
    const [field] = Object.values(data);
    return { error: null, value: field, alternatives: null };
  }
  const { code, reason, reasons, alternatives } = error.extensions as {
    code: string;
    reason: string;
    reasons?: { reason: string }[];
    alternatives?: Outcome['alternatives'];
  };
  return {
    error: { code, reason, reasons: reasons?.map((one) => one.reason) ?? null },
    value: null,
    alternatives: alternatives?.map(({ startsAt, endsAt }) => ({ startsAt, endsAt })) ?? null,
  };
}

const toInput = ({ resource, person, start, end, byMember, override }: BookingRequest) => ({
  resourceId: resource.id,
  startsAt: toTime(start),
  endsAt: toTime(end),
  ...(byMember ? {} : person ? { memberId: person.id } : { guest: { name: 'Greta Guest' } }),
  ...(override ? { override } : {}),
});

export const previewBooking = (stage: Stage, as: Credential, requested: BookingRequest) =>
  ask(
    stage,
    as,
    `query ($input: CreateBookingInput!) { previewBooking(input: $input) { ${PREVIEW} } }`,
    { input: toInput(requested) },
  );

export const createBooking = (stage: Stage, as: Credential, requested: BookingRequest) =>
  ask(
    stage,
    as,
    `mutation ($input: CreateBookingInput!) { createBooking(input: $input) { booking { ${BOOKING} } } }`,
    { input: toInput(requested) },
  );

const toMove = ({ resource, start, end, override, moved }: BookingRequest) => ({
  id: moved?.id,
  ...(resource === moved?.resource ? {} : { resourceId: resource.id }),
  startsAt: toTime(start),
  endsAt: toTime(end),
  ...(override ? { override } : {}),
});

export const previewMove = (stage: Stage, as: Credential, requested: BookingRequest) =>
  ask(
    stage,
    as,
    `query ($id: ID!, $resourceId: ID, $startsAt: DateTime!, $endsAt: DateTime!, $override: Boolean) {
      previewReschedule(id: $id, resourceId: $resourceId, startsAt: $startsAt, endsAt: $endsAt, override: $override) { ${PREVIEW} } }`,
    toMove(requested),
  );

export const moveBooking = (stage: Stage, as: Credential, requested: BookingRequest) =>
  ask(
    stage,
    as,
    `mutation ($input: RescheduleBookingInput!) { rescheduleBooking(input: $input) { booking { ${BOOKING} } } }`,
    { input: toMove(requested) },
  );

export const cancelBooking = (stage: Stage, as: Credential, id: string, waiveFee: boolean) =>
  ask(
    stage,
    as,
    `mutation ($input: CancelBookingInput!) { cancelBooking(input: $input) { booking { ${BOOKING} } } }`,
    { input: { id, ...(waiveFee ? { waiveFee } : {}) } },
  );

export const confirmBooking = (stage: Stage, as: Credential, id: string) =>
  ask(
    stage,
    as,
    `mutation ($id: ID!) { confirmBooking(input: { id: $id }) { booking { ${BOOKING} } } }`,
    { id },
  );

export const checkInBooking = (stage: Stage, as: Credential, id: string) =>
  ask(
    stage,
    as,
    `mutation ($id: ID!) { checkInBooking(input: { id: $id }) { booking { ${BOOKING} } } }`,
    { id },
  );

export const findAvailability = (
  stage: Stage,
  as: Credential,
  variables: { resourceId: string; from: string; to: string; minutes: number; memberId?: string },
) =>
  ask(
    stage,
    as,
    `query ($resourceId: ID, $from: DateTime, $to: DateTime, $minutes: Int, $memberId: ID) {
      availability(resourceId: $resourceId, from: $from, to: $to, minutes: $minutes, memberId: $memberId) {
        slots { startsAt endsAt price { amount } } } }`,
    variables,
  );

export const listStatuses = async ({ app, callers, world }: Stage): Promise<string[]> => {
  const ids = world.bookings.map(({ id }) => id);
  const { data } = await app.graphql(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Booking { id status price { amount } startsAt endsAt } } }',
    { ids },
    callers.token,
  );
  return data.nodes.map(describeNode);
};

const describeNode = (node: {
  status: string;
  price: { amount: number };
  startsAt: string;
  endsAt: string;
}) => `${node.status} ${node.price.amount} ${node.startsAt} ${node.endsAt}`;

export const describeBooked = ({ status, price, start, end }: Booked) =>
  `${status} ${price} ${toTime(start)} ${toTime(end)}`;

export interface Usage {
  resourceType: string;
  bookedMinutes: number;
  includedMinutes: number;
}

/** The usage of every membership of the world in the months around the focus, by membership and month. */
export async function readUsage({ app, callers, contracts, world, plan, focus }: Stage) {
  const { zone } = plan;
  const months = new Set([
    ...[-31, 0, 31].map((days) => toMonth(toDay(zone, focus) + days)),
    ...world.bookings.map(({ month }) => month),
  ]);
  const fields = [...months].map(
    (month, index) =>
      `m${index}: usage(month: "${month}") { resourceType bookedMinutes includedMinutes }`,
  );
  const { data } = await app.graphql(
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Membership { id ${fields.join(' ')} } } }`,
    { ids: contracts.map(({ id }) => id) },
    callers.token,
  );
  return data.nodes.flatMap((node: Record<string, Usage[]>) =>
    [...months].map((month, index) => ({ id: node.id, month, usage: node[`m${index}`] })),
  ) as { id: string; month: string; usage: Usage[] }[];
}

/** The fields of a preview as the model expects them. */
export const toExpectedPreview = (decision: Decision) => ({
  allowed: decision.allowed,
  status: decision.status,
  price: { amount: decision.price },
  reasons: decision.reasons.map((reason) => ({ reason })),
  lines: decision.lines,
  freeCancellationUntil: toTime(decision.freeUntil),
});
