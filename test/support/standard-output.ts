// A worker starts many applications in one process, each with a log that listens to the end of the process and to the errors of its
// standard output. Node would take that for a leak.
process.setMaxListeners(0);
const before = new Set(process.stdout.listeners('error'));

afterAll(() => {
  for (const listener of process.stdout.listeners('error'))
    if (!before.has(listener)) process.stdout.off('error', listener as () => void);
});
