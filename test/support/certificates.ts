import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'certificates');

/** The files of certificates that `certificates/make.sh` made, and of their keys where there is one. */
export type CertificateName =
  'authority' | 'another-authority' | 'server' | 'wrong-name' | 'self-signed' | 'client' | 'unknown-client';

export function certificateFile(name: CertificateName): string {
  return join(FOLDER, `${name}.crt`);
}

/** As git keeps it: others may read it. */
export function keyFile(name: CertificateName): string {
  return join(FOLDER, `${name}.key`);
}
