export default async function teardown() {
  const { removeTemplates } = globalThis as { removeTemplates?: () => Promise<void> };
  await removeTemplates?.();
}
