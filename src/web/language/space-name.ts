// The service writes the name of the space into pages for guests and members, displays and kiosks. The panel has none.

const PRODUCT_NAME = 'Foyer';

let spaceName: string | null = null;

/** Returns the name of the space, or null if it has none. */
export const findSpaceName = (): string | null => spaceName;

/** Returns the name of the space, or that of the product. Call it while rendering, not when a module loads. */
export const getSpaceName = (): string => spaceName ?? PRODUCT_NAME;

/** Sets the name. The service renders pages with it. */
export function setSpaceName(name: string | null): void {
  spaceName = name;
}

/** Reads the name that the service has written into the page. */
export const readSpaceName = (page: Document): string | null =>
  page.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? null;
