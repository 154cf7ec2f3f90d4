import { assertStrongPassword } from '../../src/auth/passwords.ts';
import { createQueues } from '../../src/context.ts';

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

describe('hashes', () => {
  it('are computed two at a time, one for each network, and a network with many does not delay another', async () => {
    const { hashes } = createQueues(1);
    const started: string[] = [];
    const finish: (() => void)[] = [];
    const hash = (network: string) =>
      hashes(network, () => {
        started.push(network);
        return new Promise<void>((resolve) => finish.push(resolve));
      });
    const attacker = Array.from({ length: 50 }, () => hash('a'));
    const others = ['b', 'c'].map(hash);
    await Promise.resolve();
    expect(started).toEqual(['a', 'b']);
    finish[1]?.();
    await others[0];
    await Promise.resolve();
    expect(started).toEqual(['a', 'b', 'c']);
    void attacker;
  });
});
