import { type Service, startService } from '../../support/harness/processes.ts';

export interface Supervisor {
  ports: number[];
  /** Kills one instance after the other, as the system does without memory, and starts it again. */
  killNext(): Promise<void>;
  /** How often an instance has ended by itself. */
  exits: string[];
  stop(): Promise<void>;
}

/** Keeps instances running: one that was killed starts again on its port. One that ends by itself is a failure, and stays away. */
export async function startSupervisor(
  env: NodeJS.ProcessEnv,
  instances: number,
): Promise<Supervisor> {
  const exits: string[] = [];
  const services: Service[] = [];
  const expected = new Set<Service>();
  const start = async (port = 0): Promise<Service> => {
    const service = await startService({ ...env, PORT: String(port) });
    void service.ended.then(({ code, stderr }) => {
      if (!expected.has(service)) exits.push(`exit with ${code}: ${stderr.slice(-500)}`);
    });
    return service;
  };
  for (let n = 0; n < instances; n += 1) services.push(await start());
  let next = 0;
  return {
    ports: services.map(({ port }) => port),
    exits,
    killNext: async () => {
      const index = next++ % instances;
      const service = services[index];
      if (service === undefined) return;
      expected.add(service);
      service.signal('SIGKILL');
      await service.ended;
      services[index] = await start(service.port);
    },
    stop: async () => {
      for (const service of services) expected.add(service);
      await Promise.all(services.map(({ stop }) => stop()));
    },
  };
}
