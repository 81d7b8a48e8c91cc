import { createPrivateKey, type KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { readable } from './tls-file.js';

/** The private key in a file. @param faults what is wrong with the file is added */
export function keyOf(file: string, faults: string[]): KeyObject | undefined {
  const parameter = 'sslkey (or PGSSLKEY)';
  const content = readable(parameter, file, faults);
  if (content === undefined) return undefined;
  if (isOpenToOthers(file)) {
    faults.push(`must name a file in ${parameter} that others cannot read: of mode 0600, or 0640 where it is root's`);
  }
  try {
    return createPrivateKey(content);
  } catch {
    faults.push(`must name a private key in PEM form, without a passphrase, in ${parameter}`);
    return undefined;
  }
}

/** The rule of libpq (PostgreSQL, 34.19.2). Windows has no such modes. */
function isOpenToOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  const { mode, uid } = statSync(file);
  return (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;
}
