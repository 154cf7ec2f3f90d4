// Loaded into a service by NODE_OPTIONS: on SIGUSR2 it commits the next of these faults, as a forgotten `await` or a
// listener that nobody added would.
const faults = [
  () => void Promise.reject(new Error('a forgotten promise')),
  () => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  },
  () => {
    throw new Error('a broken invariant');
  },
];
process.on('SIGUSR2', () => setImmediate(faults.shift()));
