import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Attack, type AttackResults, runAttack } from './attacker.ts';
import { createClient } from './client.ts';

export type AttackPlan = Omit<Attack, 'send' | 'signal'>;

const MAX_CONNECTIONS = 1_000;

/** Attacks from a separate process, so that it does not slow down the customers in this one. */
export function startAttack(plan: AttackPlan): { stop(): Promise<AttackResults> } {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv });
  child.send(plan);
  return {
    stop: async () => {
      const message = once(child, 'message');
      child.send('stop');
      const [results] = await message;
      return new Map(
        (results as [string, [string, number][]][]).map(([kind, all]) => [kind, new Map(all)]),
      );
    },
  };
}

async function attack(plan: AttackPlan): Promise<void> {
  const controller = new AbortController();
  process.once('message', () => controller.abort());
  const client = createClient(plan.urls, MAX_CONNECTIONS);
  const results = await runAttack({ ...plan, send: client.send, signal: controller.signal });
  client.close();
  process.send?.([...results].map(([kind, outcomes]) => [kind, [...outcomes]]));
  process.disconnect?.();
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', (plan) => attack(plan as AttackPlan));
