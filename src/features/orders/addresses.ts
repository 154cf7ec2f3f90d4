import type { Ctx } from '../../context.ts';

/** The buyer's page of an order. Behind the # the secret stays in the browser: no server on the way writes it down. */
export const portalUrl = ({ baseUrl }: Pick<Ctx, 'baseUrl'>, secret: string) =>
  `${baseUrl}/orders#${secret}`;

/** Leads to wherever the order is paid. */
export const paymentUrl = ({ baseUrl }: Pick<Ctx, 'baseUrl'>, secret: string) =>
  `${baseUrl}/pay/${secret}`;

/** Where whoever waits for tickets may stop waiting. */
export const waitlistUrl = ({ baseUrl }: Pick<Ctx, 'baseUrl'>, secret: string) =>
  `${baseUrl}/waitlist#${secret}`;

/** Shows the code of one ticket for a door to scan. */
export const ticketUrl = ({ baseUrl }: Pick<Ctx, 'baseUrl'>, code: string) =>
  `${baseUrl}/ticket#${code}`;
