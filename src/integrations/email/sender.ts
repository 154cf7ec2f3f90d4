/** The sender of emails. */
export interface Sender {
  /** Empty if there is none. */
  name: string;
  email: string;
}

/**
 * Splits a sender such as "Foyer <no-reply@foyer.example>", or an address. The name of the space, if there is one, takes the
 * place of the name.
 */
export function parseSender(sender: string, spaceName: string | null = null): Sender {
  const [, name = '', email = sender] = /^([^<>]*)<([^<>]+)>$/.exec(sender) ?? [];
  // Quotes around the name are not part of it.
  return { name: spaceName ?? name.trimEnd().replaceAll(/["\\]/g, ''), email };
}
