import { rmSync } from 'node:fs';
import type {} from './global-setup.ts';

export default async function globalTeardown(): Promise<void> {
  const shared = await globalThis.sharedDatabases;
  globalThis.sharedDatabases = undefined;
  if (shared === undefined) return;
  rmSync(shared.folder, { recursive: true, force: true });
  await shared.server.stop();
}
