export default async function teardown() {
  const { cleanUp } = globalThis as { cleanUp?: () => Promise<void> };
  await cleanUp?.();
}
