import { serviceUrl } from '../api/urls.ts';

/** A list that the browser keeps while the kiosk is switched off. */
export function keptList<Item>(name: string) {
  const key = `foyer ${name} ${new URL(serviceUrl('')).pathname}`;
  return {
    read(): Item[] {
      try {
        const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
        return Array.isArray(kept) ? kept : [];
      } catch {
        return [];
      }
    },
    /** False where the browser keeps nothing. */
    write(items: Item[]): boolean {
      try {
        localStorage.setItem(key, JSON.stringify(items));
        return true;
      } catch {
        return false;
      }
    },
  };
}
