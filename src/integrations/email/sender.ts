/** Splits a sender such as "Foyer <no-reply@foyer.example>", or an address. The name is empty if there is none. */
export function parseSender(sender: string): { name: string; email: string } {
  const [, name = '', email = sender] = /^([^<>]*)<([^<>]+)>$/.exec(sender) ?? [];
  // Quotes cannot occur in a parameter of a calendar file (RFC 5545), but mail servers accept them around names.
  return { name: name.trimEnd().replaceAll(/["\\]/g, ''), email };
}
