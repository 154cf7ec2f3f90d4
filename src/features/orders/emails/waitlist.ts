import type { Money } from '../../../core/money.ts';
import { formatLongTime, formatTimeZone } from '../../../core/time/format.ts';
import {
  defineTemplateEmail,
  type TemplateEmail,
} from '../../../integrations/email/template-email.ts';
import type { EmailTexts } from '../../../languages/emails/email-texts.ts';
import { formatPrice, type PriceTexts } from '../../settings/service.ts';

interface WaitlistRequest {
  email: string;
  quantity: number;
  typeName: string;
  eventTitle: string;
}

const toValues = ({ text }: EmailTexts, { quantity, typeName, eventTitle }: WaitlistRequest) => ({
  tickets: text('waitlist.count', { count: quantity, type: typeName }),
  event: eventTitle,
});

/** To a person on the waiting list for whom available tickets are held. */
export function waitlistOffer(
  texts: PriceTexts,
  offer: WaitlistRequest & {
    /** The name of the member who waits. Null for anyone else: a stranger can enter any name with any address. */
    memberName: string | null;
    locationName: string;
    wanted: number;
    price: Money;
    isPaidOnSite: boolean;
    holdUntil: Date;
    timeZone: string;
    portalUrl: string;
  },
): TemplateEmail {
  const { language } = texts;
  const isPart = offer.wanted > offer.quantity;
  return defineTemplateEmail(
    'waitlist-offered',
    {
      ...toValues(texts, offer),
      wanted: isPart ? String(offer.wanted) : null,
      rest: isPart ? String(offer.wanted - offer.quantity) : null,
      price: offer.price.amount > 0 ? formatPrice(texts, offer.price) : null,
      onSite: offer.isPaidOnSite ? 'yes' : null,
      until: `${formatLongTime(offer.holdUntil, offer.timeZone, language)} (${formatTimeZone(offer.timeZone, language)})`,
    },
    {
      to: offer.email,
      priority: 'essential',
      frame: {
        sender: offer.locationName,
        recipientName: offer.memberName,
        actionUrl: offer.portalUrl,
      },
    },
  );
}

/** To a person who joined the waiting list, or whose address joined it again. */
export const waitlistJoined = (
  texts: EmailTexts,
  entry: WaitlistRequest & { entryUrl: string },
  template: 'waitlist-joined' | 'waitlist-joined-again' = 'waitlist-joined',
): TemplateEmail =>
  defineTemplateEmail(template, toValues(texts, entry), {
    to: entry.email,
    priority: 'requested',
    frame: {
      recipientName: null,
      actionUrl: entry.entryUrl,
      footnote: texts.text('waitlist.unexpected'),
    },
  });

/** To everyone on the waiting list of a cancelled event. */
export const waitlistEventCancelled = (entry: {
  email: string;
  eventTitle: string;
}): TemplateEmail =>
  defineTemplateEmail(
    'waitlist-closed',
    { event: entry.eventTitle },
    { to: entry.email, priority: 'essential', frame: { recipientName: null } },
  );
