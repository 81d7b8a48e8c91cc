import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'certificates');

/** The certificates that `certificates/make.sh` created. Some of them also have a file with their key. */
export type CertificateName =
  'authority' | 'another-authority' | 'server' | 'wrong-name' | 'self-signed' | 'client' | 'unknown-client';

export function certificateFile(name: CertificateName): string {
  return join(FOLDER, `${name}.crt`);
}

/** The key file as git stores it: other users may read it. */
export function keyFile(name: CertificateName): string {
  return join(FOLDER, `${name}.key`);
}
