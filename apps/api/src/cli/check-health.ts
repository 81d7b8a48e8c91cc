/**
 * Asks the service on this machine how it is, for supervisors that run a program, as Docker does: `check-health live` or
 * `check-health ready`. Exits with 0 when it is up and with 1 when it is not. PORT says where it listens.
 */
const TIMEOUT_MS = 2_000;

const [what = ''] = process.argv.slice(2);
if (what === 'live' || what === 'ready') {
  process.exitCode = (await isUp(what)) ? 0 : 1;
} else {
  console.error('Usage: check-health live|ready');
  process.exitCode = 2;
}

async function isUp(path: 'live' | 'ready'): Promise<boolean> {
  try {
    const url = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}/health/${path}`;
    return (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}
