import { assertStrongPassword } from '../../src/auth/passwords.ts';

const check = (password: string) =>
  assertStrongPassword(password, 'ada@example.org').then(
    () => 'accepted',
    ({ details }) => details.reason,
  );

describe('a new password', () => {
  it.each([
    ...['qwertyuiop123', 'Basketball2026', 'manchester12', '1q2w3e4r5t6y', 'starwars!!!!'],
    ...['p@ssw0rd2026', 'Sunsh1ne!!!!', 'B4sk3tb4ll!!', 'trustno1trustno1', 'iloveyouiloveyou'],
    ...['!!2026football', 'xXliverpool99', 'Passwort2026!', 'foyerfoyer2026'],
  ])('rejects %s, which is too common', async (password) => {
    expect(await check(password)).toBe('PASSWORD_TOO_WEAK');
  });

  it.each([
    ...['copper lantern avenue', 'velvet harbour seventeen', 'correct horse battery staple'],
    ...['sunshine over basketball', 'kJ8#vQ2!mN5x', 'grüne Elefanten tanzen', '83920175640182736'],
  ])('accepts %s', async (password) => {
    expect(await check(password)).toBe('accepted');
  });
});
