const TIMEOUT_MS = 300_000;

/** Waits until the condition holds. @throws after five minutes, with the name of the condition. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  condition = 'the condition',
): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`not true in time: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
