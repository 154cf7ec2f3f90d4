// Loaded into a service by NODE_OPTIONS. On SIGUSR2 it raises the next of these faults, like a forgotten `await` or a
// missing error listener.
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
