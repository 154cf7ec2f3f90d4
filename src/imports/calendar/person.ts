import { type Property, parameter } from './property.ts';

export interface Person {
  name: string | null;
  /** In lower case. */
  email: string | null;
}

// Google names the calendar itself as the organizer of what stands in a shared one.
const CALENDAR_ADDRESS = /@(group|resource)\.calendar\.google\.com$/;

/** Who an ORGANIZER or ATTENDEE is, or null where it says nothing or is a calendar. */
export function personIn(property: Property): Person | null {
  const email = addressIn(property.value) ?? addressIn(parameter(property, 'email') ?? '');
  if (email && CALENDAR_ADDRESS.test(email)) return null;
  const name =
    parameter(property, 'cn')
      ?.replace(/^['"]+|['"]+$/g, '')
      .replace(/\s+/g, ' ')
      .trim() || null;
  return name || email ? { name, email } : null;
}

/** "MAILTO:Ada@Example.org", as a URL or bare; Outlook writes "invalid:nomail" where it knows none. */
function addressIn(value: string): string | null {
  const address = unescaped(value.trim().replace(/^mailto:/i, '')).toLowerCase();
  return /^[^\s@:]+@[^\s@]+$/.test(address) ? address : null;
}

function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
