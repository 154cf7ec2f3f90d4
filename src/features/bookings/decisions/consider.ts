import type { Ctx } from '../../../context.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { zonedAt } from '../../../time.ts';
import { isUuid } from '../../../values.ts';
import type { Ground } from '../policy/ground.ts';
import { type Judgement, judge, type Wish } from '../policy/judge.ts';
import { lengthOf } from '../policy/length.ts';
import { type Quote, quote } from '../policy/price.ts';
import { MINUTE, type Span } from '../policy/span.ts';
import type { Terms } from '../policy/terms.ts';
import { grounds } from './grounds.ts';
import type { Holder } from './request.ts';
import { type Contracts, contractsOf, noContracts } from './terms.ts';

const DAY = 24 * 60 * MINUTE;

/** Where the alternatives to a wish are looked for. */
export const around = ({ start, end }: Span): Span => ({ start: start - DAY, end: end + 7 * DAY });

export interface Question {
  resourceId: string;
  span: Span;
  holder: Pick<Holder, 'memberId'>;
  override: boolean;
  /** Bookings that make room for it. */
  except?: string[];
}

/** A wish with everything that bears on it. */
export interface Considered extends Judgement {
  wish: Wish;
  ground: Ground;
  contracts: Contracts;
  terms: Terms;
  quote: Quote;
}

/** Reads in two statements, one for guests, and judges. Throws NOT_FOUND for the resource or the member. */
export async function consider(ctx: Ctx, question: Question): Promise<Considered> {
  const { span, override, except } = question;
  const ground = await groundOf(ctx, question.resourceId, around(span), except);
  const day = dayOf(ground, span.start);
  const contracts = await contractsFor(ctx, question.holder, [day], except);
  return weigh(ctx, ground, contracts, { ...span, override });
}

/** The same on what has been read. */
export function weigh(ctx: Ctx, ground: Ground, contracts: Contracts, wish: Wish): Considered {
  const { type, pricePerHour } = ground.resource;
  const terms = contracts.on(dayOf(ground, wish.start), type);
  return {
    wish,
    ground,
    contracts,
    terms,
    quote: affordable(quote(pricePerHour, lengthOf(ground, wish), terms)),
    ...judge(ground, contracts.booker, terms, wish, ctx.now().getTime()),
  };
}

/** Amounts have 31 bits, in the database and in GraphQL. */
function affordable(quote: Quote): Quote {
  if (quote.price.amount < 2 ** 31) return quote;
  throw new DomainError(
    'VALIDATION',
    'This costs more than can be booked at once. Book it in parts.',
    {
      reason: 'PRICE_TOO_HIGH',
    },
  );
}

export async function groundOf(
  ctx: Ctx,
  resourceId: string,
  span: Span,
  except?: string[],
): Promise<Ground> {
  const [ground] = isUuid(resourceId)
    ? await grounds(ctx, { ids: [resourceId] }, span, except)
    : [];
  if (!ground) throw notFound('resource');
  return ground;
}

export async function contractsFor(
  ctx: Ctx,
  { memberId }: Pick<Holder, 'memberId'>,
  days: string[],
  except?: string[],
): Promise<Contracts> {
  if (memberId === null) return noContracts;
  const contracts = isUuid(memberId) ? await contractsOf(ctx, memberId, days, except) : null;
  if (!contracts) throw notFound('member');
  return contracts;
}

/** By the location's wall clock, as YYYY-MM-DD. */
export const dayOf = ({ calendar }: Ground, instant: number) =>
  zonedAt(instant, calendar.timeZone).toPlainDate().toString();
