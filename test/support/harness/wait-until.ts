const TIMEOUT_MS = 90_000;

/** Waits until the condition holds. @throws after 90 seconds. */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error('the condition did not become true');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
