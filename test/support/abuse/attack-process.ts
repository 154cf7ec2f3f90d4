import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Attack, runAttack, type Spoils } from './attacker.ts';
import { createClient } from './client.ts';

export type AttackPlan = Omit<Attack, 'ask' | 'signal'>;

const MAX_CONNECTIONS = 1_000;

/** Attacks from a process of its own, so that its work does not slow the customers of this one down. */
export function startAttack(plan: AttackPlan): { stop(): Promise<Spoils> } {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv });
  child.send(plan);
  return {
    stop: async () => {
      const told = once(child, 'message');
      child.send('stop');
      const [spoils] = await told;
      return new Map(
        (spoils as [string, [string, number][]][]).map(([kind, all]) => [kind, new Map(all)]),
      );
    },
  };
}

async function attack(plan: AttackPlan): Promise<void> {
  const ending = new AbortController();
  process.once('message', () => ending.abort());
  const client = createClient(plan.urls, MAX_CONNECTIONS);
  const spoils = await runAttack({ ...plan, ask: client.ask, signal: ending.signal });
  client.close();
  process.send?.([...spoils].map(([kind, outcomes]) => [kind, [...outcomes]]));
  process.disconnect?.();
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', (plan) => attack(plan as AttackPlan));
