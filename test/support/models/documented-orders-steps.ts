import { v7 } from 'uuid';
import { postJson } from '../factories/events.ts';
import { expectNothing, type OrderRequest, type OrderState } from './documented-orders.ts';
import { compare, compareReason, type Row, type Run } from './documented-orders-run.ts';

/** Choices of a step; each step uses them in its own way. */
export interface Choice {
  a: number;
  b: number;
  c: number;
}

export type Channel = 'REST' | 'GraphQL' | 'member' | 'staff';

export function createOrderSteps(run: Run) {
  const { model, rules, waitlist, staff, world, app } = run;

  const post = (path: string, body: object, key?: string) =>
    app.rest(
      path,
      {},
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
        body: JSON.stringify(body),
      },
    );

  /** Sends an order and returns the reason of its rejection, or the order. */
  async function send(request: OrderRequest, channel: Channel, buyer: object, key?: string) {
    const holders = Array.from({ length: request.items[0]?.quantity ?? 0 }, (_, n) => ({
      name: `Holder ${n}`,
    }));
    if (channel === 'REST') {
      const code = request.codeText ? { discount_code: request.codeText } : {};
      const { status, headers, body } =
        request.validOn === null
          ? await post(
              `/public/events/${world.slug}/orders`,
              {
                ...{ buyer, ...code },
                items: request.items.map(({ typeId, quantity }) => ({
                  ticket_type_id: typeId,
                  quantity,
                })),
              },
              key,
            )
          : await post(
              '/public/day-passes/orders',
              {
                ...{
                  buyer,
                  ...code,
                  day_pass_type_id: model.pass.id,
                  valid_on: request.validOn,
                  holders,
                },
              },
              key,
            );
      if (status !== 201) return { reason: headers.get('foyer-error-reason') ?? String(status) };
      return { reason: null, row: (body.data as Row).order };
    }
    const as = channel === 'GraphQL' ? {} : channel === 'staff' ? staff : world.member;
    const more = request.codeText ? { discountCode: request.codeText } : {};
    const { reason, payload } =
      request.validOn === null
        ? await run.mutate(
            'placeOrder',
            {
              ...{ eventId: model.event.id, buyer, ...more },
              items: request.items.map(({ typeId, quantity }) => ({
                ticketTypeId: typeId,
                quantity,
              })),
            },
            'order { id secret }',
            as,
          )
        : await run.mutate(
            'orderDayPasses',
            {
              ...{
                dayPassTypeId: model.pass.id,
                validOn: request.validOn,
                buyer,
                holders,
                ...more,
              },
            },
            'order { id secret }',
            as,
          );
    return reason === null ? { reason, row: payload.order } : { reason };
  }

  /** Adds an order that was just placed to the model, and compares it. */
  async function adopt(request: OrderRequest, { id, secret }: Row, email: string) {
    const now = run.getNow();
    const discount = model.toDiscount(request);
    const order: OrderState = {
      ...{ id, secret, code: '', items: mergeItems(request), validOn: request.validOn },
      codeText: model.findCode(request.codeText)?.code ?? null,
      ...{ total: 0, seats: [], paid: 0, refunded: 0, isPaymentRecorded: false },
      ...{ status: 'PENDING', expiresAt: null, needsConfirmation: false },
    };
    const row = await run.readOrder(order);
    compare('discount', { row, discount, request }, Math.abs(row.discount.amount - discount) < 1);
    order.total = model.toSubtotal(request) - row.discount.amount;
    order.code = row.code;
    Object.assign(order, model.toNewStatus(request, order.total, now));
    if (order.status === 'PAID') run.adoptSeats(order, row);
    model.orders.push(order);
    emails.set(order, email);
    await run.checkOrder(order);
  }
  const emails = new Map<OrderState, string>();

  const mergeItems = ({ items }: OrderRequest) =>
    [...new Set(items.map(({ typeId }) => typeId))].map((typeId) => ({
      typeId,
      quantity: items
        .filter((item) => item.typeId === typeId)
        .reduce((sum, { quantity }) => sum + quantity, 0),
    }));

  const makeBuyer = () => ({ name: 'Nora Lind', email: `${v7()}@example.org` });

  async function place(request: OrderRequest, channel: Channel) {
    const buyer = makeBuyer();
    const expected = model.checkOrder(request, run.getNow());
    const { reason, row } = await send(request, channel, buyer);
    compareReason(request.validOn === null ? 'place' : 'pass', expected, reason, {
      request,
      channel,
      event: model.event,
    });
    if (row) await adopt(request, row, buyer.email);
  }

  /** Repeats a request with its key, at once or one after the other, and sends another one with the same key. */
  async function placeTwice(request: OrderRequest, atOnce: boolean) {
    const buyer = makeBuyer();
    const key = v7();
    const expected = model.checkOrder(request, run.getNow());
    const once = () => send(request, 'REST', buyer, key);
    const both = atOnce ? await Promise.all([once(), once()]) : [await once(), await once()];
    for (const { reason } of both) compareReason('place with a key', expected, reason, { request });
    const [first, second] = both;
    if (!first?.row) return;
    compare('same response', { both }, JSON.stringify(first) === JSON.stringify(second));
    await adopt(request, first.row, buyer.email);
    const other = await send(request, 'REST', makeBuyer(), key);
    compare('key used again', { other }, other.reason === 'IDEMPOTENCY_KEY_REUSED');
  }

  /** Two requests with two keys at once: as many succeed as would one after the other. */
  async function placeTwo(request: OrderRequest) {
    const both = await Promise.all(
      [1, 2].map(async () => {
        const buyer = makeBuyer();
        return { buyer, ...(await send(request, 'REST', buyer, v7())) };
      }),
    );
    for (const { buyer, reason, row } of both.toSorted(
      (one, other) => Number(!one.row) - Number(!other.row),
    )) {
      compareReason('place at once', model.checkOrder(request, run.getNow()), reason, { request });
      if (row) await adopt(request, row, buyer.email);
    }
  }

  /** What follows from a payment or a confirmation of an order. */
  async function confirmOrder(order: OrderState) {
    const entry = waitlist.findOffered(order);
    order.status = 'PAID';
    order.expiresAt = null;
    order.needsConfirmation = false;
    run.adoptSeats(order, await run.readOrder(order));
    if (entry) waitlist.acceptOffer(entry);
    run.offerTickets();
  }

  async function markPaid(order: OrderState) {
    const now = run.getNow();
    // What a late payment of an offer does to its entry is not documented.
    const isLateOffer = order.secret === null && order.status === 'EXPIRED';
    if (isLateOffer) return;
    const { reason, payload } = await run.mutate(
      'markOrderPaid',
      { id: order.id },
      'outcome order { status }',
      staff,
    );
    if (order.total === 0)
      return compare('nothing to pay', { order, reason }, reason === 'NOTHING_TO_PAY');
    const outcome = rules.toOutcome(order, now);
    const kind = order.status === 'EXPIRED' ? 'late ' : '';
    compare(
      `${kind}payment ${outcome}`,
      { order, outcome, payload, reason },
      outcome === payload?.outcome,
    );
    if (payload.outcome === 'ALREADY_RECORDED') return;
    order.isPaymentRecorded = true;
    order.paid += order.total;
    if (payload.outcome === 'CONFIRMED') return confirmOrder(order);
    order.refunded += order.total;
    if (order.status === 'PENDING') rules.endOrder(order, 'EXPIRED');
  }

  /** Staff hold an order longer: until a time around its end, around the latest one, or in between. */
  async function extend(order: OrderState, { b }: Choice) {
    const now = run.getNow();
    const latest = model.toLatestHold(order);
    const end = order.expiresAt ?? now;
    const until = [end, end + 1_000, (end + latest) / 2, latest, latest + 1_000][b % 5] ?? latest;
    const expected = rules.checkExtension(order, Math.floor(until), now);
    const { reason } = await run.mutate(
      'extendOrderHold',
      { id: order.id, until: new Date(until).toISOString() },
      'order { id }',
      staff,
    );
    compareReason('hold longer', expected, reason, { order, until, now });
    if (reason !== null) return;
    order.expiresAt = Math.floor(until);
    order.needsConfirmation = false;
  }

  /** Confirms a free order, with the link in the email or with the secret of the response. */
  async function confirm(order: OrderState, withMail: boolean) {
    const now = run.getNow();
    const email =
      emails.get(order) ?? waitlist.entries.find((entry) => entry.order === order)?.email ?? '';
    const mailed = withMail ? await run.findMailedSecret(email, 'orders') : order.secret;
    if (!mailed) return;
    const expected = expectNothing();
    const isPending = order.status === 'PENDING' && model.isLive(order, now);
    const isOver = rules.isOver(order, now);
    if (isPending && order.total > 0) expected.must.add('PAYMENT_NEEDED');
    // Until an answer says otherwise, a repeated confirmation may succeed without any change.
    const ended = [
      'NOTHING_TO_CONFIRM',
      'NOT_LIVE',
      'OVER',
      'DEADLINE_PASSED',
      'NOT_PENDING',
      'LINK_INVALID',
      'EVENT_OVER',
      'EVENT_CANCELLED',
      'PAYMENT_NEEDED',
      'SOLD_OUT',
    ];
    if (order.status === 'PAID') for (const reason of ended) expected.may.add(reason);
    else if (isOver) expected.must.add('NOT_LIVE');
    else if (!isPending) for (const reason of ended) expected.must.add(reason);
    if (!withMail)
      (order.status === 'PAID' ? expected.may : expected.must).add('MAIL_LINK_REQUIRED');
    const { reason } = await run.mutate('confirmOrder', { secret: mailed }, 'order { status }');
    compareReason('confirm', expected, reason, { order, withMail });
    if (reason === null && isPending) await confirmOrder(order);
  }

  const pickSeats = (order: OrderState, n: number) => {
    const ids = order.seats.map(({ id }) => id);
    return n % 3 === 0 || ids.length === 0
      ? null
      : ids.slice(n % ids.length, (n % ids.length) + 1 + (n % 2));
  };

  async function cancel(order: OrderState, { b, c }: Choice) {
    const email = waitlist.findOffered(order)?.email;
    // The person declines an offer with the link in the email.
    const secret =
      order.secret ?? (email ? await run.findMailedSecret(email, 'orders') : undefined);
    if (!secret) return;
    const ids = pickSeats(order, b);
    const before = await run.readOrder(order);
    const expected = rules.checkCancel(order, ids, run.getNow());
    const response =
      c % 2 === 0
        ? await postJson(app, `/public/orders/${secret}/cancel`, ids ? { ticket_ids: ids } : {})
        : null;
    const reason = response
      ? response.status === 200
        ? null
        : response.headers.get('foyer-error-reason')
      : (
          await run.mutate(
            'cancelOrder',
            { secret, ...(ids ? { ticketIds: ids } : {}) },
            'order { id }',
          )
        ).reason;
    compareReason('cancel', expected, reason, { order, ids, now: run.getNow() });
    if (ids === null)
      compare(
        'cancel is as allowed',
        { before, reason, order },
        before.allowedActions.cancel === (reason === null),
      );
    if (reason !== null) return;
    await applyCancel(order, ids);
  }

  async function applyCancel(order: OrderState, ids: string[] | null, amount?: number) {
    if (order.status === 'PENDING') rules.endOrder(order, 'CANCELLED');
    else {
      const all = rules.findValid(order);
      // Where used tickets are left over, the documents leave open what a request without ids cancels.
      const row = await run.readOrder(order);
      const stays = (id: string) =>
        [...row.tickets, ...row.dayPasses].some(
          (seat: Row) => seat.id === id && seat.status === 'VALID',
        );
      rules.endSeats(
        order,
        all.filter(({ id, isUsed }) => (ids ? ids.includes(id) : !(isUsed && stays(id)))),
        amount,
      );
    }
    const entry = waitlist.findOffered(order);
    if (entry) waitlist.endOffer(entry);
    run.offerTickets();
  }

  /** Staff returns money: of the whole order, of some tickets, or an amount. */
  async function refund(order: OrderState, { b, c }: Choice) {
    const ids = c % 3 === 0 ? null : pickSeats(order, b);
    const remaining = order.paid - order.refunded;
    const amount = [undefined, 0, 1, -1, remaining, remaining + 1, Math.floor(remaining / 2)][
      c % 7
    ];
    const input = {
      id: order.id,
      ...(ids ? { ticketIds: ids } : {}),
      ...(amount === undefined ? {} : { amount }),
    };
    const expected = expectNothing();
    const { must, may } = expected;
    if (amount !== undefined && amount < 0) must.add('INVALID_INPUT');
    // Without tickets to cancel, zero would do nothing.
    if (amount === 0 && ids === null) must.add('INVALID_INPUT');
    if (amount !== undefined && amount > remaining) must.add('REFUND_TOO_LARGE');
    if (ids?.some((id) => !order.seats.find((seat) => seat.id === id)?.isValid))
      for (const reason of ['TICKET_UNKNOWN', 'NOT_LIVE']) must.add(reason);
    const hasEnded = order.status !== 'PAID';
    if (hasEnded)
      for (const reason of ['NOT_LIVE', 'TICKET_UNKNOWN', 'REFUND_TOO_LARGE', 'NOTHING_TO_PAY'])
        may.add(reason);
    if (order.seats.some(({ isUsed }) => isUsed)) may.add('ALREADY_USED');
    const { reason } = await run.mutate('refundOrder', input, 'order { id }', staff);
    compareReason('refund', expected, reason, { order, input, remaining });
    if (reason !== null) return;
    if (order.status === 'PAID') {
      if (ids === null && amount !== undefined) order.refunded += amount;
      else await applyCancel(order, ids, amount);
    } else if (order.status === 'PENDING' && amount === undefined) await applyCancel(order, null);
  }

  async function changeHolder(order: OrderState, { b, c }: Choice) {
    const seat = order.seats[b % Math.max(1, order.seats.length)];
    if (!seat || order.secret === null) return;
    const isTransfer = c % 2 === 0;
    const expected = rules.checkHolder(order, seat, isTransfer, run.getNow());
    const person = { name: 'Ida Berg', email: `${v7()}@example.org` };
    const target = { secret: order.secret, ticketId: seat.id };
    const { reason } = isTransfer
      ? await run.mutate('transferTicket', { ...target, attendee: person }, 'order { id }')
      : await run.mutate('changeAttendee', { ...target, name: 'Ida Berg' }, 'order { id }');
    compareReason(isTransfer ? 'transfer' : 'rename', expected, reason, { order, seat });
    if (reason !== null) return;
    const row = await run.readOrder(order);
    const { code } = [...row.tickets, ...row.dayPasses].find(({ id }: Row) => id === seat.id);
    compare(
      'code after a change',
      { isTransfer, code, seat },
      (code === seat.code) === !isTransfer,
    );
    seat.code = code;
  }

  return { place, placeTwice, placeTwo, markPaid, extend, confirm, cancel, refund, changeHolder };
}
