import type { Context } from '../../context.ts';
import { isPersonName } from '../../core/validation.ts';
import type { Mailing } from '../../db/generated/client.ts';
import { type EmailLink, renderEmail } from '../../integrations/email/layout.ts';
import { parseSender } from '../../integrations/email/sender.ts';
import { type EmailTexts, getEmailTexts } from '../../languages/emails/email-texts.ts';
import { getEvent } from '../events/service/get-event.ts';
import { readSettings } from '../settings/service.ts';
import { getLocation } from '../spaces/service/locations.ts';

/** The variable of a body. Only mailings to members have it: strangers enter the names of attendees. */
const NAME_VARIABLE = '{{name}}';

type Content = Pick<Mailing, 'subject' | 'body'>;

export interface RenderedMailing {
  subject: string;
  text: string;
  html: string;
}

/** What surrounds the text of a mailing. */
export interface MailingFrame {
  /** The name of the location or of the space. */
  sender: string;
  /** Says why a recipient gets the mailing. */
  footnote: string;
  /** In the language of the space. The text of the mailing stays as it was written. */
  texts: EmailTexts;
}

/**
 * Renders a mailing for one recipient. Without a name, or with one that violates today's rules, the variable is omitted.
 *
 * @param smallLink the link with which the recipient stops mailings
 */
export function renderMailing(
  { subject, body }: Content,
  { texts, ...frame }: MailingFrame,
  name: string | null,
  smallLink?: EmailLink,
): RenderedMailing {
  const shownName = name !== null && isPersonName(name) ? name : null;
  const [first = '', ...others] = body
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => replaceName(paragraph, shownName));
  return {
    subject,
    ...renderEmail(texts, { ...frame, greeting: first, paragraphs: others, smallLink }),
  };
}

/** Without a name, the space before the variable is omitted too: "Hello,". */
const replaceName = (text: string, name: string | null) =>
  name === null ? text.replace(/ ?\{\{name\}\}/g, '') : text.replaceAll(NAME_VARIABLE, () => name);

/** The link with which members stop mailings. */
export const toStopLink = ({ text }: EmailTexts, url: string): EmailLink => ({
  label: text('mailing.stop'),
  url,
});

/** Describes the sender, and why recipients get the mailing. @throws NOT_FOUND for an event or location that the viewer cannot see */
export async function describeAudience(
  ctx: Context,
  { eventId, locationId }: Pick<Mailing, 'eventId' | 'locationId'>,
): Promise<MailingFrame> {
  const { language, name } = await readSettings(ctx);
  const texts = getEmailTexts(language);
  if (eventId !== null) {
    const { title, location } = await getEvent(ctx, eventId);
    const footnote = texts.text('mailing.toAttendees', { event: title });
    return { sender: location.name, footnote, texts };
  }
  const sender =
    locationId === null
      ? parseSender(ctx.mailFrom, name).name || new URL(ctx.baseUrl).hostname
      : (await getLocation(ctx, locationId)).name;
  return { sender, footnote: texts.text('mailing.toMembers', { sender }), texts };
}
