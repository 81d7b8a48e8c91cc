// Each test file loads the log anew, and each log listens to the errors of the one standard output of its worker. Node warns of
// a leak at the eleventh listener, so those of a file go with it.
const before = new Set(process.stdout.listeners('error'));

afterAll(() => {
  for (const listener of process.stdout.listeners('error'))
    if (!before.has(listener)) process.stdout.off('error', listener as () => void);
});
