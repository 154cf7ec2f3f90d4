import type { News, Provider, ProviderEvent } from './port.ts';
import { sandboxNews } from './sandbox/port.ts';
import { stripeNews } from './stripe/news.ts';

const READERS: Record<Provider, (event: ProviderEvent) => News[]> = {
  stripe: stripeNews,
  sandbox: sandboxNews,
  on_site: () => [],
};

/** What a stored event means, also one of a provider that is configured no more. Nothing for what is not about us. */
export const newsIn = (provider: Provider, event: ProviderEvent): News[] =>
  READERS[provider](event);
