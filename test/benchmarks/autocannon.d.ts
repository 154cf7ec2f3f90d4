declare module 'autocannon' {
  export interface Request {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
  }
  export interface Result {
    requests: { total: number };
    latency: { p99: number };
    duration: number;
    errors: number;
    timeouts: number;
    '2xx': number;
    '3xx': number;
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    requests: Request[];
    setupClient?: (client: { setRequests(requests: Request[]): void }) => void;
  }): Promise<Result>;
}
