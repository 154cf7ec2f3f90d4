/** The name to greet someone by, whose label is masked: "Ana" for "Ana S.". Null for a single letter. */
export function toGivenName(label: string): string | null {
  const words = label.split(' ');
  const name = (words.at(-1)?.endsWith('.') ? words.slice(0, -1) : words).join(' ');
  return name === '' ? null : name;
}

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
